import { addDayRecords, fallOf, type History } from '../metrics/equity-history.ts';
import { toText } from '../money.ts';
import { equityNow } from './days.ts';
import { daysOf, type Ledger } from './ledger-state.ts';

/** Equity by day, with the days that are not settled yet. */
export interface EquityCurve {
  readonly history: History;
  /** Last point of each day, with the part of the highest equity before by which it is below. The one of the current day is absent if an open position has no price. */
  readonly curve: readonly (readonly [day: string, equity: string, fall: number])[];
}

/**
 * Returns the equity by day up to an instant: of settled days, of ended days that are not settled yet, and of now.
 *
 * @param end time of the current point.
 */
export const curveNow = (ledger: Ledger, settled: History, end: string): EquityCurve => {
  const { equity, days } = equityNow(ledger, Date.parse(end));
  const history = addDayRecords(settled, days);
  const today = daysOf(ledger).dayOf(Date.parse(end));
  const past = history.curve.filter(([day]) => day < today);
  const shown = past.map(([day, amount, fall]) => [day, amount, fall] as const);
  if (!equity) return { history, curve: shown };
  const current = toText(equity);
  return { history, curve: [...shown, [today, current, fallOf(history.peak, current)]] };
};
