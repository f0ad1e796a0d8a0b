import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { changeHead } from '../../../shared/data/candles/change-head.ts';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import { asSeries } from '../../../shared/data/candles/series.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { Store } from '../../../shared/data/table/store.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { columnsOf } from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { tradingDaysOf } from '../../../shared/domain/candles/trading-days.ts';
import { shownNumbers } from '../../../shared/domain/digits.ts';
import { plainSettings } from '../../../shared/domain/engine/account/settings.ts';
import { runBacktest as runDomain } from '../../../shared/domain/engine/backtest/backtest.ts';
import { marketTimeOf } from '../../../shared/domain/engine/market-time.ts';
import { resolveParams } from '../../../shared/domain/engine/rules/params.ts';
import { rulesSchema } from '../../../shared/domain/engine/rules/schema.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import { DyingStore, takeJobEvents } from '../../support/backtest-jobs.ts';
import { runBacktest } from '../../support/backtests.ts';
import { DAILY, sessionBars } from '../../support/candles.ts';
import { takeJobEvent } from '../../support/functions/backtest-jobs.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { crossRules } from '../../support/rules.ts';
import { furnishWithInstruments, person } from '../../support/strategies.ts';

const DAYS = 300;
const MINUTES_A_DAY = 16;
const MINUTE_MS = 60_000;
const OPENING = 570;

/** Some minutes of many sessions: so many items that a request does not read them. */
const minuteBars = () => {
  const days = sessionBars('2010-01-04', DAYS);
  const bars = [];
  for (const [day, start] of days.start.entries()) {
    for (let minute = 0; minute < MINUTES_A_DAY; minute++) {
      const price = 100 + 5 * Math.sin(day / 7) + Math.sin((day * MINUTES_A_DAY + minute) / 3);
      bars.push({
        start: start + (OPENING + minute) * MINUTE_MS,
        open: price,
        high: price + 0.5,
        low: price - 0.5,
        close: price + 0.25,
        volume: 1000,
      });
    }
  }
  return columnsOf(bars);
};

const BARS = minuteBars();
const RULES = crossRules(1, 3, {
  exits: [{ side: 'long', when: { bars_in_trade: 1 } }],
});

let hub: TestHub;
let user_id: string;

beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['SPY']);
  await importBars(hub.runtime.store, { ...DAILY, timeframe: '1m' }, BARS);
});
beforeEach(async () => {
  user_id = (await person(hub)).user_id;
});
afterAll(() => hub.close());

const itemsOf = async (backtest_id: number) => {
  const items = await hub.runtime.store.queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.backtest(backtest_id).pk },
  });
  return items.map(({ sk }) => sk);
};

const start = async () => {
  const answer = await runBacktest(hub, user_id, { rules: RULES, timeframe: '1m' });
  expect(answer).toMatchObject({ status: 200, body: { status: 'queued', progress: 0, statistics: null } });
  return answer.body.backtest_id;
};

const read = async (backtest_id: number) =>
  (await hub.call('GET /get_backtest', { query: { user_id, backtest_id: String(backtest_id) } })).body;

const readTrades = async (backtest_id: number) => {
  const trades = [];
  for (let page = 1; ; page++) {
    const query = { user_id, backtest_id: String(backtest_id), page: String(page), size: '100' };
    const { items, pages } = (await hub.call('GET /get_backtest_trades', { query })).body;
    trades.push(...items);
    if (page >= pages) return trades;
  }
};

const takeEvents = () => takeJobEvents(hub);

/** Returns a runtime whose clock runs, so that a worker saves after every few slices. */
const running = (store: Store = hub.runtime.store): Runtime => {
  let ahead = 0;
  return {
    ...hub.runtime,
    store,
    clock: () => new Date(hub.runtime.clock().getTime() + 4000 * ++ahead),
  };
};

const ALWAYS = () => Number.POSITIVE_INFINITY;

/** Lets workers finish everything, one event after another. */
const workOff = async (remainingMs: () => () => number = () => ALWAYS): Promise<number> => {
  for (let count = 0; ; ) {
    const events = await takeEvents();
    if (events.length === 0) return count;
    for (const event of events) {
      count += 1;
      await takeJobEvent(running(), event, remainingMs());
    }
  }
};

/** Returns the result without what differs from run to run. */
const comparable = async (backtest_id: number) => {
  const { backtest_id: _id, created_at: _created, finished_at: _finished, ...rest } = await read(backtest_id);
  return { ...rest, trades: await readTrades(backtest_id) };
};

let whole: Awaited<ReturnType<typeof comparable>>;

const runWhole = async () => {
  const id = await start();
  await workOff();
  return comparable(id);
};

beforeEach(async () => {
  whole ??= await runWhole();
});

describe('a backtest that is too large for a request', () => {
  test('is run by a worker, and comes to the result of the engine', async () => {
    const resolved = resolveParams(rulesSchema.parse(RULES));
    if (!('rules' in resolved)) throw new Error('the rules have parameters');
    const time = marketTimeOf(calendarById('us'));
    const leg = { symbol: 'SPY', share: 1, time, size_step: 1, contract_size: 1, direction: 'both' } as const;
    const result = runDomain(
      {
        rules: resolved.rules,
        timeframe: '1m',
        account: plainSettings(10_000),
        currency: 'USD',
        legs: [leg],
        days: tradingDaysOf(['us']),
      },
      [BARS],
    );
    expect(whole).toMatchObject({
      status: 'done',
      progress: 1,
      bars: DAYS * MINUTES_A_DAY,
      statistics: shownNumbers(result.statistics),
      trades_count: result.trades_count,
    });
    expect(whole.trades).toHaveLength(result.trades_count);
    expect(result.trades_count).toBeGreaterThan(250);
    expect(whole.trades.at(-1)).toMatchObject({
      number: result.trades_count,
      pnl: shownNumbers(result.trades.at(-1)?.pnl),
    });
    expect(whole.warnings).toContainEqual(expect.objectContaining({ code: 'gaps', symbols: ['SPY'] }));
  });

  test('shows its progress, and is handed on before the time of a function is over', async () => {
    const id = await start();
    const seen: number[] = [];
    for (let events = await takeEvents(); events.length > 0; events = await takeEvents()) {
      let left = 3;
      await takeJobEvent(running(), events[0], () => (left-- > 0 ? 60_000 : 1000));
      const { status, progress } = await read(id);
      expect(status).toBe(progress === 1 ? 'done' : 'running');
      seen.push(progress);
    }
    expect(seen.length).toBeGreaterThan(3);
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    expect(await comparable(id)).toEqual(whole);
  });

  test('goes on after a crash at any write, and repeats nothing visible', async () => {
    let crashes = 0;
    for (const isAfter of [false, true]) {
      for (let writes = 1; ; writes += isAfter ? 3 : 1) {
        const id = await start();
        const [event] = await takeEvents();
        const dying = takeJobEvent(
          running(new DyingStore(hub.runtime.store, writes, isAfter)),
          event,
          ALWAYS,
        );
        const crashed = await dying.then(
          () => false,
          () => true,
        );
        if (!crashed) break;
        crashes += 1;
        const { progress } = await read(id);
        hub.advance(10 * MINUTE_MS);
        await runJob(hub.runtime, { job: 'sweep-backtests' });
        const [again] = await takeEvents();
        if (again) {
          await takeJobEvent(running(), again, ALWAYS);
          expect((await read(id)).progress).toBeGreaterThanOrEqual(progress);
        }
        expect(await comparable(id)).toEqual(whole);
        await hub.call('POST /remove_backtest', { query: { user_id, backtest_id: String(id) } });
      }
    }
    expect(crashes).toBeGreaterThan(6);
  });

  test('is run once, however often its event arrives, and by however many workers', async () => {
    const id = await start();
    const [event] = await takeEvents();
    await Promise.all(Array.from({ length: 4 }, () => takeJobEvent(running(), event, ALWAYS)));
    expect(await comparable(id)).toEqual(whole);
    const finished = await read(id);
    hub.advance(MINUTE_MS);
    await takeJobEvent(running(), event, ALWAYS);
    expect(await read(id)).toEqual(finished);
  });

  test('is left to the worker that took it over', async () => {
    const id = await start();
    const [event] = await takeEvents();
    let slices = 0;
    // The first worker stands still for so long that another one finishes the backtest.
    const slow = new (class extends Store {
      override async transact(writes: readonly Write[]): Promise<void> {
        slices += 1;
        if (slices === 2) {
          hub.advance(10 * MINUTE_MS);
          await takeJobEvent(running(), event, ALWAYS);
        }
        await super.transact(writes);
      }
    })(hub.runtime.store.client, hub.runtime.store.table);
    await takeJobEvent(running(slow), event, ALWAYS);
    expect(slices).toBe(2);
    expect(await comparable(id)).toEqual(whole);
  });

  test('begins again if a series is split while it runs', async () => {
    const { store } = hub.runtime;
    const key = keys.series('SPY', '1m');
    const [head] = await store.getMany([key], { consistent: true });
    const series = asSeries(head);
    if (!head || !series) throw new Error('no series');
    const id = await start();
    let left = 3;
    const [event] = await takeEvents();
    await takeJobEvent(running(), event, () => (left-- > 0 ? 60_000 : 1000));
    expect(await read(id)).toMatchObject({ status: 'running' });
    await changeHead(store, series, (before) => ({
      ...before,
      splits: [{ at: before.last, units: 3, of: 1 }],
    }));
    await workOff();
    const split = await comparable(id);
    expect(split).toEqual(await runWhole());
    expect(split.candles_hash).not.toBe(whole.candles_hash);
    await store.put(head);
  });

  test('fails with a reason if its candles were removed', async () => {
    const id = await start();
    const key = keys.series('SPY', '1m');
    const [head] = await hub.runtime.store.getMany([key]);
    await hub.runtime.store.delete(key);
    await workOff();
    if (head) await hub.runtime.store.put(head);
    expect(await read(id)).toMatchObject({
      status: 'failed',
      error: 'Candles of this backtest were removed while it ran.',
      statistics: null,
    });
    hub.advance(60 * MINUTE_MS);
    await runJob(hub.runtime, { job: 'sweep-backtests' });
    expect(await takeEvents()).toEqual([]);
  });

  test('fails after too many attempts without progress', async () => {
    const id = await start();
    for (let attempt = 0; attempt < 9; attempt++) {
      const [event] = await takeEvents();
      if (event)
        await takeJobEvent(running(new DyingStore(hub.runtime.store, 1, false)), event, ALWAYS).catch(
          () => undefined,
        );
      hub.advance(10 * MINUTE_MS);
      await runJob(hub.runtime, { job: 'sweep-backtests' });
    }
    await workOff();
    expect(await read(id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Run it again'),
    });
  });

  test('stops when it is removed, and leaves no items', async () => {
    const id = await start();
    let left = 3;
    const [event] = await takeEvents();
    await takeJobEvent(running(), event, () => (left-- > 0 ? 60_000 : 1000));
    await hub.call('POST /remove_backtest', { query: { user_id, backtest_id: String(id) } });
    expect(await workOff()).toBe(1);
    hub.advance(10 * MINUTE_MS);
    await runJob(hub.runtime, { job: 'sweep-backtests' });
    expect(await itemsOf(id)).toEqual(['BACKTEST']);
  });

  test('leaves no items if it is removed while a worker stores its trades', async () => {
    const id = await start();
    const [event] = await takeEvents();
    const slow = new (class extends Store {
      override async batchWrite(members: Parameters<Store['batchWrite']>[0]): Promise<void> {
        await hub.call('POST /remove_backtest', { query: { user_id, backtest_id: String(id) } });
        await runJob(hub.runtime, { job: 'sweep-backtests' });
        await super.batchWrite(members);
      }
    })(hub.runtime.store.client, hub.runtime.store.table);
    await takeJobEvent(running(slow), event, ALWAYS);
    expect((await itemsOf(id)).some((sk) => String(sk).startsWith('TRADES'))).toBe(true);
    hub.advance(10 * MINUTE_MS);
    await runJob(hub.runtime, { job: 'sweep-backtests' });
    expect(await itemsOf(id)).toEqual(['BACKTEST']);
  });

  test('is refused if it takes more work than the plan has in a day', async () => {
    const key = keys.series('SPY', '1m');
    const { store } = hub.runtime;
    await store.transact([{ key, set: { count: 1e9 } }]);
    const answer = await runBacktest(hub, user_id, { rules: RULES, timeframe: '1m' });
    await store.transact([{ key, set: { count: DAYS * MINUTES_A_DAY } }]);
    expect(answer).toMatchObject({ status: 409, body: { code: 'quota_reached' } });
  });

  test('is refused as an event of another form', async () => {
    await expect(
      takeJobEvent(running(), { 'detail-type': 'Backtest Requested', detail: { version: 2 } }, ALWAYS),
    ).rejects.toThrow();
  });
});
