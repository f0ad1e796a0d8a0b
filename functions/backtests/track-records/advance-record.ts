import { readState } from '../../../shared/data/backtests/job-state.ts';
import { lastClosed } from '../../../shared/data/candles/read-candles.ts';
import type { Series } from '../../../shared/data/candles/series.ts';
import type { TrackRecord } from '../../../shared/data/strategies/track-records.ts';
import { type BarColumns, concatBars } from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import type { PassedDay } from '../../../shared/domain/track-records/advance-day.ts';
import { firstHash } from '../../../shared/domain/track-records/chain.ts';
import { lastCompleteDay } from '../../../shared/domain/track-records/complete-days.ts';
import { isTooLarge, medianValue } from '../../../shared/domain/track-records/order-size.ts';
import type { HeldRecord } from './lease.ts';
import { inputsOfRecord } from './record-inputs.ts';
import { openRun, type RecordRun, startOf, takeDays, warmUp } from './record-run.ts';
import { endOf, storeDays, storeWarmUp } from './store-days.ts';

/** Trading days of one transaction. */
const DAYS_AT_ONCE = 25;

/** A record with its setup, and the present heads of its series. */
export interface Opened extends HeldRecord {
  readonly setup: BacktestSetup;
  readonly series: readonly Series[];
}

/** Returns the state of the candles of each symbol. */
export const symbolsOf = ({ setup, series }: Pick<Opened, 'setup' | 'series'>) =>
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
export const advanceRecord = async (
  opened: Opened,
  hasTime: () => boolean,
): Promise<TrackRecord | undefined> => {
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
