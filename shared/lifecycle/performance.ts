import { asHistory } from '../data/books/equity-history.ts';
import { unpackLedger } from '../data/books/packed-ledger.ts';
import type { TradingDeployment } from '../data/deployments/deployments.ts';
import type { Item } from '../data/table/attributes.ts';
import { equityNow } from '../domain/ledger/days.ts';
import { type LastPrices, withLastPrices } from '../domain/ledger/last-prices.ts';
import { type Metrics, metricsOf, shownMetrics } from '../domain/ledger/metrics.ts';
import { addDayRecords } from '../domain/metrics/equity-history.ts';
import { toMoney, toText } from '../domain/money.ts';
import { figuresEnd } from './equity-days.ts';

interface PeriodResult {
  /** First day of the period; a month as `2026-03`. */
  readonly period: string;
  readonly pnl: number;
  readonly trades: number;
}

/** Performance of a deployment. Amounts are rounded to its currency. */
export interface Performance {
  readonly metrics: Metrics;
  /** At most 500 points. The last one is current, unless an open position has no price. */
  readonly equity_curve: { readonly day: string; readonly equity: number }[];
  readonly by_day: PeriodResult[];
  readonly by_week: PeriodResult[];
  readonly by_month: PeriodResult[];
}

/**
 * Computes the statistics of a deployment, its equity curve and its results by period, from figures that are updated as
 * events arrive and days close.
 *
 * @param historyItem the item at `historyKey`.
 * @param prices last prices for open positions.
 */
export const performanceOf = (
  deployment: TradingDeployment,
  historyItem: Item | undefined,
  prices: LastPrices,
  now: Date,
): Performance => {
  const { currency } = deployment;
  const ledger = withLastPrices(unpackLedger(deployment.ledger), prices);
  const end = figuresEnd(deployment, ledger, now);
  const { equity, days } = equityNow(ledger, Date.parse(end));
  const history = addDayRecords(asHistory(historyItem, ledger), days);
  const periods = (results: typeof history.days): PeriodResult[] =>
    results.map(([period, net, trades]) => ({ period, pnl: toMoney(net, currency), trades }));
  const today = end.slice(0, 10);
  const past = history.curve.filter(([day]) => day < today);
  return {
    metrics: shownMetrics(metricsOf(ledger, end, currency)),
    equity_curve: [...past, ...(equity ? [[today, toText(equity)] as const] : [])].map(([day, amount]) => ({
      day,
      equity: toMoney(amount, currency),
    })),
    by_day: periods(history.days),
    by_week: periods(history.weeks),
    by_month: periods(history.months),
  };
};
