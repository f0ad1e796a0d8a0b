import { bounded } from '../table/keys.ts';

/** Begins the symbols of private series. No symbol of the catalogue begins so. */
const MARK = '~';

/** Returns the symbol under which a user's own candles of a symbol are stored. */
export const ownSymbol = (userId: string, symbol: string): string =>
  `${MARK}${bounded(userId)}${MARK}${symbol}`;

/** Returns whether a series is a user's own: it gives no last price, and nothing but its owner's tests reads it. */
export const isOwnSymbol = (symbol: string): boolean => symbol.startsWith(MARK);
