import { isDeepStrictEqual } from 'node:util';
import { asBacktest } from '../../../shared/data/backtests/backtests.ts';
import { readState, StateTooLargeError, stateRemovals } from '../../../shared/data/backtests/job-state.ts';
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
import { lastClosed } from '../../../shared/data/candles/read-candles.ts';
import type { Series } from '../../../shared/data/candles/series.ts';
import {
  asRecord,
  performanceOf,
  type RecordReason,
  type TrackRecord,
} from '../../../shared/data/strategies/track-records.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { type BarColumns, concatBars } from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { barDaysOf, type TradingDays, tradingDaysOf } from '../../../shared/domain/candles/trading-days.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import { ENGINE_VERSION } from '../../../shared/domain/engine/version.ts';
import type { PassedDay } from '../../../shared/domain/track-records/advance-day.ts';
import { firstHash } from '../../../shared/domain/track-records/chain.ts';
import { isStale, lastCompleteDay } from '../../../shared/domain/track-records/complete-days.ts';
import { figuresIn } from '../../../shared/domain/track-records/figures.ts';
import { isTooLarge, medianValue } from '../../../shared/domain/track-records/order-size.ts';
import { textId } from '../../../shared/ids.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import { beginRecord } from './begin-record.ts';
import { cardWrites } from './card-writes.ts';
import type { HeldRecord } from './lease.ts';
import { inputsOfRecord } from './record-inputs.ts';
import { openRun, type RecordRun, startOf, takeDays, warmUp } from './record-run.ts';
import { seriesOf } from './series-of.ts';
import { endOf, storeDays, storeWarmUp } from './store-days.ts';
import { writeHeldRecord } from './write-held-record.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Trading days of one transaction. */
const DAYS_AT_ONCE = 25;
/** Time over which the records of a market are spread after the end of a day. */
const SPREAD_MS = 6 * HOUR_MS;

/** A record with its setup, and the present heads of its series. */
interface Opened extends HeldRecord {
  readonly setup: BacktestSetup;
  readonly series: readonly Series[];
}

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

const symbolsOf = ({ setup, series }: Pick<Opened, 'setup' | 'series'>) =>
  series.map((one) => ({
    calendar: calendarById(one.calendar),
    last: lastClosed(one, setup.timeframe),
    through: one.through,
  }));

/** Returns the medians of the traded values by symbol. */
const mediansOf = (setup: BacktestSetup, bars: readonly (readonly BarColumns[])[]): (number | null)[] =>
  setup.legs.map(
    ({ asset_class }, index) =>
      medianValue(concatBars(bars.flatMap((legs) => legs[index] ?? [])), asset_class) ?? null,
  );

/** Warms a record up to its start. Returns its head; undefined if there was no time. */
const finishWarmUp = async (
  opened: Opened,
  own: RecordRun,
  hasTime: () => boolean,
): Promise<TrackRecord | undefined> => {
  const { runtime, setup, record } = opened;
  let recent: BarColumns[][] = [];
  let savedAt = runtime.clock().getTime();
  while (own.next < startOf(own)) {
    if (!hasTime()) {
      await storeWarmUp(opened, own, {});
      return undefined;
    }
    recent = [...recent.slice(-1), await warmUp(own)];
    if (runtime.clock().getTime() - savedAt < SAVE_MS) continue;
    await storeWarmUp(opened, own, {});
    savedAt = runtime.clock().getTime();
  }
  const digests = own.facts.map(({ digest }) => digest);
  const medians = mediansOf(setup, recent);
  return storeWarmUp(opened, own, {
    warm_up: digests,
    ...(medians.some((median) => median !== null) && { medians }),
    record_hash: firstHash(inputsOfRecord(record, setup, digests)),
    day: own.run.barDays.numberOf(startOf(own)) - 1,
  });
};

/** Time between two saves while a record warms up, in milliseconds. */
const SAVE_MS = 10_000;

/** Returns whether an order of a record was larger than its market could take. */
const hasLargeOrders = (
  { record, setup }: Pick<Opened, 'record' | 'setup'>,
  { run }: RecordRun,
  passed: readonly PassedDay[],
): boolean => {
  const places = new Map(setup.legs.map((leg, index) => [leg.symbol, { leg, index }]));
  const open = run.legs.flatMap(({ symbol, account }) =>
    account.trades.map((trade) => ({
      symbol,
      quantity: trade.steps * account.settings.size_step,
      entry_price: trade.entryPrice,
    })),
  );
  return [...passed.flatMap(({ trades }) => trades), ...open].some((trade) => {
    const place = places.get(trade.symbol);
    if (!place) return false;
    return isTooLarge(trade, place.leg.contract_size, record.medians?.[place.index] ?? undefined);
  });
};

/** Advances a record over the trading days that are complete. Returns its head; undefined if there was no time. */
const advance = async (opened: Opened, hasTime: () => boolean): Promise<TrackRecord | undefined> => {
  const { runtime, setup, series } = opened;
  const { store, clock } = runtime;
  let { record } = opened;
  const own = openRun(
    store,
    record,
    setup,
    series,
    await readState(store, record.record_id, record.state_parts),
  );
  const { barDays } = own.run;
  const until = endOf(record);
  const complete = lastCompleteDay(symbolsOf(opened), setup.timeframe, barDays, clock().getTime());
  const last = Number.isFinite(until) ? Math.min(complete, barDays.numberOf(until)) : complete;
  if (last < barDays.numberOf(startOf(own))) return record;
  if (record.day === undefined) {
    const warm = await finishWarmUp(opened, own, hasTime);
    if (!warm) return undefined;
    record = warm;
  }
  for (let day = record.day ?? last; day < last; ) {
    if (!hasTime()) return undefined;
    const to = Math.min(last, day + DAYS_AT_ONCE);
    const passed = await takeDays(own, { from: day + 1, to, until });
    const medians =
      record.medians ??
      mediansOf(
        setup,
        passed.map(({ legs }) => legs),
      );
    const judged = medians.some((median) => median !== null) ? { ...record, medians } : record;
    const isLarge = hasLargeOrders({ ...opened, record: judged }, own, passed);
    const known: TrackRecord = isLarge ? { ...judged, unranked: 'order_size' } : judged;
    record = await storeDays({ ...opened, record: known }, own, passed, {
      lastDay: to,
      isNewest: to === last,
    });
    day = to;
  }
  return record;
};

/** Returns the state that a record shows. */
const stateOf = (opened: Opened, record: TrackRecord): TrackRecord['state'] => {
  const { setup, runtime } = opened;
  const now = runtime.clock().getTime();
  const isAnyStale = symbolsOf(opened).some((one) => isStale(one, now));
  const { day = Number.NEGATIVE_INFINITY } = record;
  const days = barDaysOf(daysOf(setup), setup.timeframe);
  const isOver = record.ended_at !== undefined && (isAnyStale || day >= days.numberOf(endOf(record)));
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
  const advanced = await advance(opened, hasTime);
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
