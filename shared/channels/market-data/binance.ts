import * as z from 'zod';
import type { Bar } from '../../domain/candles/bars.ts';
import { getJson, MARKET_DATA_PATIENCE_MS } from './get-json.ts';
import type { BarsPage, MarketData } from './market-data.ts';
import { readBars } from './read-bars.ts';

interface BinanceOptions {
  readonly url: string;
  /** Symbols that do not follow from the fields of the instrument. */
  readonly symbols: Readonly<Record<string, string>>;
  /** Quote assets that replace others, such as USDT for USD. */
  readonly quotes: Readonly<Record<string, string>>;
  readonly clock: () => Date;
  readonly patienceMs?: number;
}

/** Documented maximum of a page is 1,000 bars. */
const PAGE_BARS = 1_000;
/** Documented limit of weight in a minute, for all callers with the same address. A page of klines weighs 2. */
const MAX_WEIGHT = 6_000;
const MAX_REQUESTS = 1_000;
const RESERVE = 0.2;

/** Bars are final when they close; the rest is for the spread of the provider's servers. */
const SETTLE_MS = 5_000;

const price = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform(Number);

/** Kline: open time, open, high, low, close, volume, close time and six more. */
const kline = z
  .tuple([z.int(), price, price, price, price, price, z.int()], z.unknown())
  .transform(([start, open, high, low, close, volume]): Bar => ({ start, open, high, low, close, volume }));

const isNearLimit = (headers: Headers): boolean =>
  Number(headers.get('x-mbx-used-weight-1m') ?? 0) >= (1 - RESERVE) * MAX_WEIGHT;

/** Binance spot klines. They need no key. */
export const binance = (options: BinanceOptions): MarketData => {
  const { symbols, quotes, clock, patienceMs = MARKET_DATA_PATIENCE_MS } = options;
  return {
    maxSymbols: 1,
    pageBars: PAGE_BARS,
    maxRequests: MAX_REQUESTS,
    symbolOf: ({ symbol, base_currency: base, quote_currency: quote }) =>
      symbols[symbol] ?? (base === undefined ? undefined : `${base}${quotes[quote] ?? quote}`),
    timeframeFor: (_assetClass, timeframe) => (timeframe === '1w' ? undefined : timeframe),
    settleMs: () => SETTLE_MS,
    fetchPage: async ({ symbols: [symbol = ''], timeframe, from, to, page }): Promise<BarsPage> => {
      const url = new URL('/api/v3/klines', options.url);
      url.search = new URLSearchParams({
        symbol,
        interval: timeframe,
        startTime: page ?? String(from),
        endTime: String(to),
        limit: String(PAGE_BARS),
      }).toString();
      const { body, headers } = await getJson({ url, now: clock(), patienceMs });
      const nearLimit = isNearLimit(headers);
      const read = readBars(kline, body);
      if (typeof read === 'string') {
        return { bars: new Map(), faults: new Map([[symbol, read]]), next: undefined, nearLimit };
      }
      const last = read.at(-1);
      // A page that is not full is the last one.
      const next = last && read.length >= PAGE_BARS ? String(last.start + 1) : undefined;
      return { bars: new Map([[symbol, read]]), faults: new Map(), next, nearLimit };
    },
  };
};
