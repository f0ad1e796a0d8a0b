import type { PageChoice } from '../../../shared/api/pages.ts';
import { chunkKeys, tradesIn } from '../../../shared/data/backtests/trades.ts';
import type { TrackRecord } from '../../../shared/data/strategies/track-records.ts';
import type { OnDamaged } from '../../../shared/data/table/damaged-items.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { daysIn, monthKey, monthsBetween } from '../../../shared/data/track-records/record-days.ts';
import type { ReportTrade } from '../../../shared/domain/engine/backtest/report.ts';
import { dayOf } from '../../../shared/domain/periods.ts';

const DAY_MS = 86_400_000;
/** Time for which trades of closed rules are withheld. */
const WITHHELD_MS = 30 * DAY_MS;

/** Returns the last day whose trades of closed rules are shown. */
export const lastShownDay = (now: Date): string => dayOf(now.getTime() - WITHHELD_MS);

/** Counts the trades that ended up to a day. */
export const tradesUntil = async (
  store: Store,
  { record_id, start, first_day: first, day: last }: TrackRecord,
  until: string,
): Promise<number> => {
  if (first === undefined || last === undefined) return 0;
  const end = Math.min(last, Date.parse(until) / DAY_MS);
  for (const month of monthsBetween(first, end).toReversed()) {
    const [item] = await store.getMany([monthKey(record_id, start, month)], { consistent: true });
    const count = daysIn(item).findLast(({ day }) => day <= until)?.trades_count;
    if (count !== undefined) return count;
  }
  return 0;
};

/** Reads the trades of a record from one to another, oldest first. */
export const readTrades = async (
  store: Store,
  { record_id, start, trades: stored }: TrackRecord,
  { skip, count }: { readonly skip: number; readonly count: number },
  onDamaged: OnDamaged,
): Promise<ReportTrade[]> => {
  const most = Math.min(count, stored - skip);
  if (most <= 0) return [];
  const chunks = await store.getMany(chunkKeys(record_id, start, skip, most), { consistent: true });
  return tradesIn(chunks, skip, most, onDamaged);
};

/** Reads a page of the trades of a record, with those after the stored ones. */
export const pageOfTrades = async (
  store: Store,
  record: TrackRecord,
  newest: readonly ReportTrade[],
  { page, size }: PageChoice,
  onDamaged: OnDamaged,
): Promise<ReportTrade[]> => {
  const skip = (page - 1) * size;
  const stored = await readTrades(store, record, { skip, count: size }, onDamaged);
  const from = Math.max(0, skip - record.trades);
  const room = size - stored.length;
  return [...stored, ...(skip + size > record.trades ? newest.slice(from, from + room) : [])];
};
