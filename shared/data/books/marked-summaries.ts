import { type LastPrices, markedFigures, symbolsToMark } from '../../domain/ledger/last-prices.ts';
import { totalsAt } from '../../domain/ledger/read-ledger.ts';
import { findLastPrices } from '../candles/last-prices.ts';
import type { Store } from '../table/store.ts';
import type { TradingSummary } from './summary.ts';

/** Returns the symbols whose last prices mark a deployment. The hub has no candles of prediction markets. */
export const symbolsOfSummary = (summary: TradingSummary): string[] =>
  summary.prediction_market ? [] : symbolsToMark(summary);

/** Returns a summary with the result of the day of a moment. A deployment that lives in the time of bars keeps its own. */
export const summaryOn = (summary: TradingSummary, now: Date): TradingSummary => {
  if (summary.began_at !== undefined) return summary;
  const totals = totalsAt(summary.totals, now.getTime(), Date.parse(summary.deployed_at));
  return totals === summary.totals ? summary : { ...summary, totals };
};

/** Marks the open positions of a deployment at the newest of last price, quote and fill, as of now. */
export const markedSummary = (summary: TradingSummary, prices: LastPrices, now: Date): TradingSummary => {
  const current = summaryOn(summary, now);
  return summary.prediction_market ? current : markedFigures(current, prices);
};

/**
 * Marks the open positions of deployments, with one call for all; none without open positions. Positions beyond the
 * first 100 symbols keep their marks.
 */
export const markSummaries = async (
  { store, now }: { readonly store: Store; readonly now: Date },
  summaries: readonly TradingSummary[],
): Promise<TradingSummary[]> => {
  const prices = await findLastPrices(store, summaries.flatMap(symbolsOfSummary), now);
  return summaries.map((summary) => markedSummary(summary, prices, now));
};
