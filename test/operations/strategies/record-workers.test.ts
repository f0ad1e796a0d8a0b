import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { changeHead } from '../../../shared/data/candles/change-head.ts';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import { findSeries } from '../../../shared/data/candles/series.ts';
import type { TrackRecord } from '../../../shared/data/strategies/track-records.ts';
import { asRecord } from '../../../shared/data/strategies/track-records.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { usedWrites } from '../../../shared/data/track-records/record-days.ts';
import { findUser } from '../../../shared/data/users/users.ts';
import { type BarColumns, columnsOf, listBars } from '../../../shared/domain/candles/bars.ts';
import { verifyRecord } from '../../../shared/domain/track-records/verify.ts';
import { DyingStore, takeJobEvents } from '../../support/backtest-jobs.ts';
import { DAILY } from '../../support/candles.ts';
import { takeJobEvent } from '../../support/functions/backtest-jobs.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { furnishWithInstruments, setState } from '../../support/strategies.ts';
import {
  barsUntil,
  exportedLines,
  FREQUENT_RULES,
  passBars,
  passSessions,
  passTime,
  publishedTrader,
  workOffEvents,
} from '../../support/track-records.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Opening of the exchange after its midnight. */
const OPENING_MS = 9.5 * HOUR_MS;
const ALWAYS = () => Number.POSITIVE_INFINITY;

let hub: TestHub;

beforeEach(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['SPY']);
});
afterEach(() => hub.close());

interface Subject {
  readonly user_id: string;
  readonly strategy_id: number;
}

const headOf = async ({ user_id, strategy_id }: Subject): Promise<TrackRecord> => {
  const author = (await findUser(hub.runtime.store, user_id))?.user_key ?? '';
  const { record_id } = await recordOf({ user_id, strategy_id });
  const [item] = await hub.runtime.store.getMany([keys.trackRecord(author, record_id)], { consistent: true });
  const record = asRecord(item);
  if (!record) throw new Error('there is no record');
  return record;
};

const recordOf = async ({ user_id, strategy_id }: Subject) =>
  (await hub.call('GET /get_track_record', { query: { user_id, strategy_id: String(strategy_id) } })).body;

const cardOf = async ({ user_id, strategy_id }: Subject) => {
  const query = { user_id, strategy_ids: String(strategy_id) };
  return (await hub.call('GET /get_strategies_performance_metrics', { query })).body.metrics[0];
};

/** Returns what a record is, without what differs between records of the same rules. */
const comparable = async (own: Subject) => {
  const lines = await exportedLines(hub, own);
  const { trades, figures, as_of, status } = await recordOf(own);
  return {
    days: lines.flatMap((line) => (line.type === 'day' ? [{ ...line.entry, trades: line.trades }] : [])),
    trades,
    figures,
    as_of,
    status,
  };
};

/** Lets the job find the due records, without the work. */
const sweep = () => runJob(hub.runtime, { job: 'sweep-records' });

const storeThatDies = (writes: number, isAfter: boolean) =>
  new DyingStore(hub.runtime.store, writes, isAfter, 'all');

/** Lets workers take the events of all, and one whose process dies at a write those of a strategy. Returns whether it died. */
const takeEventsDying = async (own: Subject, writes: number, isAfter: boolean): Promise<boolean> => {
  const { record_id } = await recordOf(own);
  let taken = 0;
  let died = false;
  for (const event of await takeJobEvents(hub)) {
    if (event.detail.record_id !== record_id) {
      await takeJobEvent(hub.runtime, event, ALWAYS);
      continue;
    }
    taken += 1;
    const runtime = { ...hub.runtime, store: storeThatDies(writes, isAfter) };
    await takeJobEvent(runtime, event, ALWAYS).catch(() => {
      died = true;
    });
  }
  if (taken === 0) throw new Error('there was no work');
  return died;
};

/** Passes the leases of dead workers, and lets others take what is due. */
const goOn = async () => {
  for (let round = 0; round < 3; round += 1) {
    hub.advance(10 * MINUTE_MS);
    await sweep();
    await workOffEvents(hub);
  }
};

const itemOf = async (own: Subject) => {
  const { author, record_id } = await headOf(own);
  const [item] = await hub.runtime.store.getMany([keys.trackRecord(author, record_id)], { consistent: true });
  return item;
};

/** Expects that nobody holds a record, that it was counted once, and that its export is computed again. */
const expectWhole = async (own: Subject) => {
  const { author } = await headOf(own);
  const [count] = await hub.runtime.store.getMany([keys.recordCount(author)], { consistent: true });
  expect(count).toMatchObject({ count: 1 });
  expect(await itemOf(own)).not.toHaveProperty('holder');
  const { record_hash } = await recordOf(own);
  expect(await verifyRecord(await exportedLines(hub, own))).toMatchObject({
    finding: undefined,
    record_hash,
  });
};

describe('a worker that dies at a write', () => {
  test('of an advance leaves a record that ends as an undisturbed one', async () => {
    const control = await publishedTrader(hub);
    const own = await publishedTrader(hub);
    let writes = 0;
    do {
      writes += 1;
      // More days than one transaction takes.
      await passBars(hub, own, 40);
      await sweep();
    } while (await takeEventsDying(own, writes, writes % 2 === 0).finally(goOn));
    expect(writes).toBeGreaterThan(3);
    expect(await comparable(own)).toEqual(await comparable(control));
    const { strategy_id, strategy_name } = await cardOf(own);
    expect(await cardOf(own)).toEqual({ ...(await cardOf(control)), strategy_id, strategy_name });
    await expectWhole(own);
  });

  test('of the beginning leaves a record that begins as an undisturbed one', async () => {
    const control = await publishedTrader(hub);
    const begun: Subject[] = [];
    let died = true;
    while (died) {
      const own = await ruleTrader(hub, { rules: FREQUENT_RULES });
      await setState(hub, own.user_id, own.strategy_id, 1);
      begun.push(own);
      died = await takeEventsDying(own, begun.length, begun.length % 2 === 0);
      await goOn();
    }
    expect(begun.length).toBeGreaterThan(4);
    await passSessions(hub, control, 40);
    const expected = await comparable(control);
    for (const own of begun) {
      expect(await comparable(own)).toEqual(expected);
      await expectWhole(own);
    }
  });
});

test('two workers at once advance a record once', async () => {
  const control = await publishedTrader(hub);
  const own = await publishedTrader(hub);
  for (const days of [30, 40]) {
    await passBars(hub, own, days);
    await sweep();
    const events = await takeJobEvents(hub);
    await Promise.all([...events, ...events].map((event) => takeJobEvent(hub.runtime, event, ALWAYS)));
  }
  expect(await comparable(own)).toEqual(await comparable(control));
  await expectWhole(own);
});

describe('a new version of the engine', () => {
  test('computes a record from its first bar: cards show no part of it, and the former figures stay', async () => {
    const own = await publishedTrader(hub);
    await passSessions(hub, own, 80);
    const shown = await cardOf(own);
    const before = await recordOf(own);
    const { author, record_id, engine_version = 0, start, first_day: first = 0 } = await headOf(own);
    // A former version decided fills of a day by smaller bars.
    const used = [{ symbol: 'SPY', start: first * DAY_MS, bars: own.bars.before }];
    await hub.runtime.store.transact([
      { key: keys.trackRecord(author, record_id), set: { engine_version: engine_version - 1 } },
      ...usedWrites(record_id, start, new Date(first * DAY_MS).toISOString().slice(0, 10), used),
    ]);
    hub.advance(2 * DAY_MS);
    await sweep();
    let asked = 0;
    for (const event of await takeJobEvents(hub)) {
      await takeJobEvent(hub.runtime, event, () => (++asked > 2 ? 0 : Number.POSITIVE_INFINITY));
    }
    const part = await headOf(own);
    expect(part).toMatchObject({ engine_version, start: start + 1 });
    expect(part.day).toBeLessThan(first + 60);
    expect(await cardOf(own)).toEqual(shown);
    expect(part.figures).toEqual((await headOf(own)).former?.[0]?.figures);
    await goOn();
    expect(await cardOf(own)).toMatchObject({ total_return_pct: shown.total_return_pct });
    const after = await recordOf(own);
    expect(after).toMatchObject({
      record_hash: before.record_hash,
      former: [{ engine_version: engine_version - 1, record_hash: before.record_hash }],
    });
    await expectWhole(own);
  });
});

/** Rules whose stop and target a day reaches both. */
const NARROW_RULES = {
  schema: 'hub.rules/1',
  entries: [
    {
      side: 'long',
      when: { weekday: ['mon', 'wed'] },
      stop_loss: { type: 'percent', percent: 1 },
      take_profit: { type: 'percent', percent: 1 },
    },
  ],
};

/** Returns the half-hours of sessions of New York that make up days: up first, then down. */
const partsOf = (days: BarColumns): BarColumns =>
  columnsOf(
    listBars(days).flatMap(({ start, open, high, low, close, volume }) => {
      const path = [
        open,
        ...Array.from({ length: 6 }, () => high),
        ...Array.from({ length: 6 }, () => low),
        close,
      ];
      return path.slice(1).map((to, part) => {
        const from = path[part] ?? open;
        return {
          start: start + OPENING_MS + part * (HOUR_MS / 2),
          open: from,
          high: Math.max(from, to),
          low: Math.min(from, to),
          close: to,
          volume: volume / 13,
        };
      });
    }),
  );

describe('smaller bars', () => {
  const traded = async (source: string, later = source) => {
    const bars = barsUntil(hub.runtime.clock().getTime());
    const smaller = { ...DAILY, timeframe: '30m', source } as const;
    await importBars(hub.runtime.store, smaller, partsOf(bars.before));
    const own = await publishedTrader(hub, { rules: NARROW_RULES });
    if (later !== source) await replaceSource(later);
    hub.advance(40 * DAY_MS);
    const after = bars.after(hub.runtime.clock().getTime() - DAY_MS);
    await appendBars(hub.runtime.store, { ...smaller, source: later }, partsOf(after));
    await appendBars(hub.runtime.store, DAILY, after);
    await passTime(hub, 1);
    const { trades } = await recordOf(own);
    const lines = await exportedLines(hub, own);
    expect(await verifyRecord(lines)).toMatchObject({ finding: undefined, is_recomputed: true });
    const used = lines.flatMap((line) => (line.type === 'day' ? (line.used ?? []) : []));
    const reasons = new Set(trades.items.map(({ exit_reason: reason }: { exit_reason: string }) => reason));
    return { used, reasons: [...reasons].toSorted() };
  };

  const replaceSource = async (source: string) => {
    const [series] = await findSeries(hub.runtime.store, 'SPY', ['30m']);
    if (!series) throw new Error('there is no series');
    await changeHead(hub.runtime.store, series, (one) => ({ ...one, source }));
  };

  test('of its source decide fills of a record, and its export has them', async () => {
    const { used, reasons } = await traded('test');
    expect(used.length).toBeGreaterThan(3);
    expect(reasons).toContain('take_profit');
  });

  test('of other sources do not, neither at the beginning nor later', async () => {
    expect(await traded('feed-of-a-broker')).toEqual({ used: [], reasons: ['stop_loss'] });
  });

  test('of a source that took the place of another are not read', async () => {
    expect(await traded('test', 'feed-of-a-broker')).toEqual({ used: [], reasons: ['stop_loss'] });
  });
});
