import { isDeepStrictEqual } from 'node:util';
import { asBacktest } from '../../../shared/data/backtests/backtests.ts';
import { StateTooLargeError, stateRemovals } from '../../../shared/data/backtests/job-state.ts';
import {
  ending,
  handOver,
  LeaseLostError,
  leaving,
  PATIENCE_MS,
  renewal,
  takeLease,
  writeHeld,
} from '../../../shared/data/backtests/leases.ts';
import { type RecordPlace, recordEventWrite } from '../../../shared/data/backtests/record-events.ts';
import { reportIn, setupIn } from '../../../shared/data/backtests/results.ts';
import {
  asRecord,
  performanceOf,
  type RecordReason,
  type TrackRecord,
} from '../../../shared/data/strategies/track-records.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { barDaysOf, type TradingDays, tradingDaysOf } from '../../../shared/domain/candles/trading-days.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import { ENGINE_VERSION } from '../../../shared/domain/engine/version.ts';
import { isStale } from '../../../shared/domain/track-records/complete-days.ts';
import { figuresIn } from '../../../shared/domain/track-records/figures.ts';
import { textId } from '../../../shared/ids.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import { advanceRecord, type Opened, symbolsOf } from './advance-record.ts';
import { beginRecord } from './begin-record.ts';
import { cardWrites } from './card-writes.ts';
import type { HeldRecord } from './lease.ts';
import { seriesOf } from './series-of.ts';
import { endOf } from './store-days.ts';
import { writeHeldRecord } from './write-held-record.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Time for which a record that has ended waits for bars before its end that have not come. */
const LATE_BARS_MS = 30 * DAY_MS;
/** Time over which the records of a market are spread after the end of a day. */
const SPREAD_MS = 6 * HOUR_MS;

/** Returns the backtest of before as it is now. */
const backtestNow = async ({ runtime: { store }, record }: HeldRecord): Promise<TrackRecord['backtest']> => {
  const { backtest, backtest_id: id } = record;
  if (backtest?.status !== 'computing' || id === undefined) return backtest;
  const own = { backtest: keys.backtest(id), report: keys.backtestReport(id) };
  const items = await store.getMany(Object.values(own), { consistent: true });
  const status = asBacktest(itemWith(items, own.backtest))?.status;
  if (status === 'done') {
    const report = reportIn(itemWith(items, own.report));
    return { status, figures: report ? figuresIn(report) : null };
  }
  return status === 'failed' || status === undefined ? { status: 'failed', figures: null } : backtest;
};

/** Returns the state that a record shows. */
const stateOf = (opened: Opened, record: TrackRecord): TrackRecord['state'] => {
  const { setup, runtime } = opened;
  const now = runtime.clock().getTime();
  const isAnyStale = symbolsOf(opened).some((one) => isStale(one, now));
  const { day = Number.NEGATIVE_INFINITY } = record;
  const days = barDaysOf(daysOf(setup), setup.timeframe);
  const end = endOf(record);
  const isOver =
    record.ended_at !== undefined && (day >= days.numberOf(end) || (isAnyStale && now - end > LATE_BARS_MS));
  if (isOver) return 'ended';
  if (record.backtest?.status === 'computing') return 'computing';
  return isAnyStale ? 'stale' : 'running';
};

const daysOf = ({ legs }: BacktestSetup): TradingDays => tradingDaysOf(legs.map(({ calendar }) => calendar));

/** Returns when a record has work again: after the trading day that runs, spread over some hours. */
const nextDue = ({ setup, runtime, record }: Opened, state: TrackRecord['state']): number => {
  const now = runtime.clock().getTime();
  if (state === 'computing') return now + PATIENCE_MS;
  const days = daysOf(setup);
  return days.endOf(days.numberOf(now)) + (record.record_id % SPREAD_MS);
};

/** Leaves a record to the next day, with its state and its backtest of before. */
const leave = async (opened: Opened, record: TrackRecord): Promise<void> => {
  const { runtime, lease } = opened;
  const state = stateOf(opened, record);
  const after = { ...record, state };
  const set = { state, backtest: record.backtest, attempts: 0 };
  const head =
    state === 'ended'
      ? ending(lease, { ...set, status: 'done' })
      : leaving(lease, set, nextDue(opened, state));
  const isShown = isDeepStrictEqual(performanceOf(opened.record), performanceOf(after));
  await writeHeldRecord(runtime, head, async () => (isShown ? [] : cardWrites(runtime.store, after)));
};

/** Most figures of former versions of the engine. */
const MAX_FORMER = 10;

/** Lets a record that a former version of the engine made begin again with its first bar; its figures stay readable. */
const renewed = async (held: HeldRecord): Promise<TrackRecord> => {
  const { runtime, lease, record } = held;
  const { engine_version: version, figures, record_hash, as_of, former = [] } = record;
  if (version === ENGINE_VERSION || version === undefined) return record;
  const set = {
    engine_version: ENGINE_VERSION,
    start: record.start + 1,
    day: undefined,
    first_day: undefined,
    record_hash: undefined,
    warm_up: undefined,
    trades: 0,
    state_parts: 0,
    former:
      figures && record_hash !== undefined && as_of !== undefined
        ? [{ engine_version: version, figures, record_hash, as_of }, ...former].slice(0, MAX_FORMER)
        : former,
  };
  await writeHeldRecord(runtime, renewal(lease, set, runtime.clock()), async () =>
    stateRemovals(record.record_id, record.state_parts),
  );
  return { ...record, ...set };
};

/** Leaves a record whose work cannot go on now to a later day. */
const suspend = async (held: HeldRecord, reason: RecordReason): Promise<void> => {
  const { runtime, lease, record } = held;
  const after: TrackRecord = { ...record, state: 'waiting', reason };
  const set = { state: after.state, reason, attempts: 0 };
  await writeHeldRecord(runtime, leaving(lease, set, runtime.clock().getTime() + DAY_MS), () =>
    cardWrites(runtime.store, after),
  );
};

const work = async (held: HeldRecord, hasTime: () => boolean): Promise<void> => {
  const { runtime, lease } = held;
  const { store, clock, random } = runtime;
  const begun = held.record.sources ? await renewed(held) : await beginRecord(held);
  if (!begun) return;
  const [setupItem] = await store.getMany([keys.backtestSetup(begun.record_id)], { consistent: true });
  if (!setupItem) throw new Error('the setup of a track record is missing');
  const setup = setupIn(setupItem);
  const series = await seriesOf(store, begun, setup);
  if (!series) return suspend({ ...held, record: begun }, 'candles_removed');
  const record = { ...begun, reason: undefined, backtest: await backtestNow({ ...held, record: begun }) };
  const opened = { ...held, record, setup, series };
  const advanced = await advanceRecord(opened, hasTime);
  // The days that were stored are shown.
  if (advanced) return leave({ ...opened, record: advanced === record ? begun : advanced }, advanced);
  const now = clock();
  await writeHeld(store, [
    handOver(lease, { attempts: 0 }, now),
    recordEventWrite(record, textId(random), now),
  ]);
};

/**
 * Begins the work on a track record, or advances it over the trading days that are complete. No-op if another worker has
 * it or if it is over.
 *
 * @param hasTime whether there is time for another part.
 */
export const workOnRecord = async (
  runtime: Runtime,
  { author, record_id }: RecordPlace,
  hasTime: () => boolean,
): Promise<void> => {
  const { store, clock, random, log } = runtime;
  const lease = { key: keys.trackRecord(author, record_id), holder: textId(random) };
  const record = asRecord(await takeLease(store, lease, clock()));
  if (!record) return;
  const held = { runtime, lease, record };
  try {
    await work(held, hasTime);
  } catch (error) {
    if (error instanceof LeaseLostError) {
      log.warn('a track record was taken over', { record_id });
      return;
    }
    if (error instanceof StateTooLargeError) return suspend(held, 'too_large');
    // Without the lease, the retry of the event goes on at once.
    await writeHeld(store, [handOver(lease, {}, clock())]).catch((more: unknown) => {
      throw new AggregateError([error, more], 'the work on a track record failed, and its lease was lost');
    });
    throw error;
  }
};
