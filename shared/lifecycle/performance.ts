import { asHistory, historyKey } from '../data/books/equity-history.ts';
import { unpackLedger } from '../data/books/packed-ledger.ts';
import { lastPriceKeys, lastPricesIn, MAX_PRICES } from '../data/candles/last-prices.ts';
import type { TradingDeployment } from '../data/deployments/deployments.ts';
import { type Items, itemWith } from '../data/table/items.ts';
import type { Key } from '../data/table/writes.ts';
import { curveNow } from '../domain/ledger/equity-curve.ts';
import { heldToMark, withLastPrices } from '../domain/ledger/last-prices.ts';
import type { Ledger } from '../domain/ledger/ledger-state.ts';
import { type Metrics, metricsOf, shownMetrics } from '../domain/ledger/metrics.ts';
import { percent } from '../domain/metrics/figures.ts';
import { shownFigure, toMoney } from '../domain/money.ts';
import { figuresEnd } from './figures-end.ts';

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
  readonly equity_curve: { readonly day: string; readonly equity: number; readonly drawdown_pct: number }[];
  readonly by_day: PeriodResult[];
  readonly by_week: PeriodResult[];
  readonly by_month: PeriodResult[];
}

/** History, and at most two items that a caller reads with it. */
const OTHER_ITEMS = 3;

/** Returns the symbols whose last prices mark a deployment; one batch reads them with the other items. */
const symbolsOf = ({ prediction_market }: TradingDeployment, ledger: Ledger): string[] =>
  prediction_market ? [] : heldToMark(ledger).slice(0, MAX_PRICES - OTHER_ITEMS);

/** Returns the keys of the items that {@link performanceOf} needs: equity history and last prices; at most 98. */
export const performanceKeys = (deployment: TradingDeployment): Key[] => [
  historyKey(deployment.deployment_id),
  ...lastPriceKeys(symbolsOf(deployment, unpackLedger(deployment.ledger))),
];

/**
 * Computes the statistics of a deployment, its equity curve and its results by period, from figures that are updated as
 * events arrive and days close. Open positions count at their last prices.
 *
 * @param items read at {@link performanceKeys}; may include others.
 */
export const performanceOf = (deployment: TradingDeployment, items: Items, now: Date): Performance => {
  const { currency } = deployment;
  const stored = unpackLedger(deployment.ledger);
  const ledger = withLastPrices(stored, lastPricesIn(items, symbolsOf(deployment, stored), now));
  const end = figuresEnd(deployment, ledger, now);
  const settled = asHistory(itemWith(items, historyKey(deployment.deployment_id)), ledger);
  const { history, curve } = curveNow(ledger, settled, end);
  const periods = (results: typeof history.days): PeriodResult[] =>
    results.map(([period, net, trades]) => ({ period, pnl: toMoney(net, currency), trades }));
  return {
    metrics: shownMetrics(metricsOf(ledger, end, currency)),
    equity_curve: curve.map(([day, equity, fall]) => ({
      day,
      equity: toMoney(equity, currency),
      drawdown_pct: shownFigure(percent(fall) ?? 0),
    })),
    by_day: periods(history.days),
    by_week: periods(history.weeks),
    by_month: periods(history.months),
  };
};
