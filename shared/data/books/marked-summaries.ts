import { type LastPrices, markedFigures, symbolsToMark } from '../../domain/ledger/last-prices.ts';
import { findLastPrices } from '../candles/last-prices.ts';
import type { Store } from '../table/store.ts';
import type { TradingSummary } from './summary.ts';

/** Returns the symbols whose last prices mark a deployment. The hub has no candles of prediction markets. */
export const symbolsOfSummary = (summary: TradingSummary): string[] =>
  summary.prediction_market ? [] : symbolsToMark(summary);

/** Marks the open positions of a deployment at the newest of last price, quote and fill. */
export const markedSummary = (summary: TradingSummary, prices: LastPrices): TradingSummary =>
  summary.prediction_market ? summary : markedFigures(summary, prices);

/**
 * Marks the open positions of deployments, with one call for all; none without open positions. Positions beyond the
 * first 100 symbols keep their marks.
 */
export const markSummaries = async (
  { store, now }: { readonly store: Store; readonly now: Date },
  summaries: readonly TradingSummary[],
): Promise<TradingSummary[]> => {
  const prices = await findLastPrices(store, summaries.flatMap(symbolsOfSummary), now);
  return summaries.map((summary) => markedSummary(summary, prices));
};
