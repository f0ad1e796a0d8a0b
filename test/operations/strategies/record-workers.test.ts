import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import type { TrackRecord } from '../../../shared/data/strategies/track-records.ts';
import { asRecord } from '../../../shared/data/strategies/track-records.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { usedWrites } from '../../../shared/data/track-records/record-days.ts';
import { findUser } from '../../../shared/data/users/users.ts';
import { type BarColumns, barCount, columnsOf, listBars } from '../../../shared/domain/candles/bars.ts';
import { ENGINE_VERSION } from '../../../shared/domain/engine/version.ts';
import { verifyRecord } from '../../../shared/domain/track-records/verify.ts';
import { DyingStore, takeJobEvents } from '../../support/backtest-jobs.ts';
import { DAILY } from '../../support/candles.ts';
import { takeJobEvent } from '../../support/functions/backtest-jobs.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { rulesWith } from '../../support/rules.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import {
  exportedLines,
  passBars,
  passSessions,
  publishedTrader,
  workOffEvents,
} from '../../support/track-records.ts';

const HOUR_MS = 3_600_000;
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
  const { trades, figures, number: _, ...rest } = await recordOf(own);
  return {
    days: lines.flatMap((line) => (line.type === 'day' ? [{ ...line.entry, trades: line.trades }] : [])),
    trades,
    figures,
    as_of: rest.as_of,
    status: rest.status,
  };
};

/** Lets the job find the due records, without the work. */
const sweep = () => runJob(hub.runtime, { job: 'sweep-records' });

/** Returns a runtime whose store dies at a write, with all events of records. */
const takeEventsDying = async (writes: number, isAfter: boolean): Promise<boolean> => {
  const store = new DyingStore(hub.runtime.store, writes, isAfter, 'all');
  let died = false;
  for (const event of await takeJobEvents(hub)) {
    await takeJobEvent({ ...hub.runtime, store }, event, ALWAYS).catch((error: unknown) => {
      if (!String(error).includes('died') && !(error instanceof AggregateError)) throw error;
      died = true;
    });
  }
  return died;
};

/** Passes the leases of dead workers, and lets others take what is due. */
const goOn = async () => {
  for (let round = 0; round < 3; round += 1) {
    hub.advance(HOUR_MS / 4);
    await sweep();
    await workOffEvents(hub);
  }
};

describe('a worker that dies at a write of an advance', () => {
  test('leaves a record that ends as an undisturbed one', async () => {
    const undisturbed = await publishedTrader(hub);
    const own = await publishedTrader(hub);
    const control = await headOf(undisturbed);
    // More days than one transaction takes.
    await passBars(hub, own, 60);
    const author = (await headOf(own)).author;
    const begun = async () => {
      const [item] = await hub.runtime.store.getMany([keys.recordCount(author)]);
      return item?.count;
    };
    expect(control.day).toBeDefined();
    let deaths = 0;
    for (let writes = 1; writes < 40; writes += 1) {
      await passBars(hub, own, 1);
      await sweep();
      const died = await takeEventsDying(writes, writes % 2 === 0);
      await goOn();
      if (!died) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(3);
    expect(await begun()).toBe(1);
    expect(await comparable(own)).toEqual(await comparable(undisturbed));
    expect((await verifyRecord(await exportedLines(hub, own))).finding).toBeUndefined();
    const { holder, lease_until } = await leaseOf(own);
    expect([holder, lease_until]).toEqual([undefined, undefined]);
  });
});

const leaseOf = async (own: Subject) => {
  const { author, record_id } = await headOf(own);
  const [item] = await hub.runtime.store.getMany([keys.trackRecord(author, record_id)], { consistent: true });
  return { holder: item?.holder, lease_until: item?.lease_until };
};
