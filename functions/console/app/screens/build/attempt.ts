import type { Market } from './market.ts';

/** Key of the request that makes a strategy, and the market that it is for. A repeat makes no second strategy. */
export interface Attempt {
  readonly of: string;
  readonly key: string;
}

/** Makes the request's key for a market. A repeated request for the same market has the same key. */
export const attemptFor = (market: Market, before: Attempt | undefined, newKey: () => string): Attempt => {
  const of = JSON.stringify([market.name.trim(), market.symbols, market.timeframe]);
  return before?.of === of ? before : { of, key: newKey() };
};
