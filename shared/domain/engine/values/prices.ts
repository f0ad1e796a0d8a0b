/** Prices of a bar. `hl2`, `hlc3` and `ohlc4` are means. */
export const PRICES = ['open', 'high', 'low', 'close', 'volume', 'hl2', 'hlc3', 'ohlc4'] as const;
export type PriceName = (typeof PRICES)[number];
