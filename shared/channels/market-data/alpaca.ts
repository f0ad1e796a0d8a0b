import * as z from 'zod';
import type { Bar } from '../../domain/candles/bars.ts';
import type { SourceTimeframe } from '../../domain/candles/timeframes.ts';
import type { AssetClass } from '../../domain/instruments/instruments.ts';
import { momentInput } from '../../domain/time-inputs.ts';
import { getJson, MARKET_DATA_PATIENCE_MS } from './get-json.ts';
import {
  type Adjustment,
  type BarsPage,
  type BarsRequest,
  type MarketData,
  ProviderDownError,
} from './market-data.ts';
import { readAnswer, readBars } from './read-bars.ts';

interface AlpacaOptions {
  readonly url: string;
  readonly keyId: string;
  readonly secretKey: string;
  /** `sip` covers all exchanges and needs a subscription for the last 15 minutes, `iex` is one exchange. */
  readonly stockFeed: 'iex' | 'sip';
  /** Symbols that do not follow from the fields of the instrument. */
  readonly symbols: Readonly<Record<string, string>>;
  readonly clock: () => Date;
  readonly patienceMs?: number;
}

const TIMEFRAMES: Readonly<Record<SourceTimeframe, string>> = {
  '1m': '1Min',
  '3m': '3Min',
  '5m': '5Min',
  '15m': '15Min',
  '30m': '30Min',
  '1h': '1Hour',
  '4h': '4Hour',
  '1d': '1Day',
};

const ADJUSTMENTS: Readonly<Record<Adjustment, string>> = {
  none: 'raw',
  splits: 'split',
  splits_dividends: 'all',
};

/** Hourly bars of shares hold trades before and after the session: half-hour bars are the largest without. */
const STOCK_HOURS: ReadonlySet<string> = new Set(['1h', '4h']);
/** Bars of crypto assets of more than an hour do not start at midnight UTC. */
const CRYPTO_LARGE: ReadonlySet<string> = new Set(['4h', '1d']);

/** Alpaca computes a minute again half a minute later, with trades that were reported late. */
const STOCK_SETTLE_MS = 35_000;
/** The official close is published some minutes after the session. */
const STOCK_DAY_SETTLE_MS = 20 * 60_000;
const CRYPTO_SETTLE_MS = 5_000;

const PAGE_BARS = 5_000;
/** Documented limit of the free plan: 200 requests a minute. */
const MAX_REQUESTS = 150;
/** Share of the limit of a minute that is left for others with the same key. */
const RESERVE = 0.1;

const bar = z
  .object({
    t: momentInput,
    o: z.number(),
    h: z.number(),
    l: z.number(),
    c: z.number(),
    v: z.number(),
  })
  .transform(({ t, o, h, l, c, v }): Bar => ({ start: t, open: o, high: h, low: l, close: c, volume: v }));

const answer = z.object({
  bars: z.record(z.string(), z.unknown()).nullable(),
  next_page_token: z.string().min(1).nullish(),
});

const isNearLimit = (headers: Headers): boolean => {
  const limit = Number(headers.get('x-ratelimit-limit') ?? Number.NaN);
  const remaining = Number(headers.get('x-ratelimit-remaining') ?? Number.NaN);
  return remaining <= RESERVE * limit;
};

/** Returns the time until the limit of requests begins again. */
const untilReset = (headers: Headers, now: Date): number | undefined => {
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN) * 1000 - now.getTime();
  return reset > 0 ? reset : undefined;
};

const isCrypto = (assetClass: AssetClass): boolean => assetClass === 'crypto';

/** Alpaca Market Data: shares of the United States (v2) and crypto assets (v1beta3). */
export const alpaca = (options: AlpacaOptions): MarketData => {
  const { keyId, secretKey, stockFeed, symbols, clock, patienceMs = MARKET_DATA_PATIENCE_MS } = options;
  const hasKey = keyId !== '' && secretKey !== '';
  const headers = hasKey ? { 'apca-api-key-id': keyId, 'apca-api-secret-key': secretKey } : {};

  const urlOf = ({ symbols: asked, assetClass, timeframe, adjustment, from, to, page }: BarsRequest): URL => {
    const url = new URL(isCrypto(assetClass) ? '/v1beta3/crypto/us/bars' : '/v2/stocks/bars', options.url);
    url.search = new URLSearchParams({
      symbols: asked.join(','),
      timeframe: TIMEFRAMES[timeframe],
      start: new Date(from).toISOString(),
      end: new Date(to).toISOString(),
      limit: String(PAGE_BARS),
      sort: 'asc',
      ...(!isCrypto(assetClass) && { feed: stockFeed, adjustment: ADJUSTMENTS[adjustment] }),
      ...(page !== undefined && { page_token: page }),
    }).toString();
    return url;
  };

  return {
    maxSymbols: 100,
    pageBars: PAGE_BARS,
    maxRequests: MAX_REQUESTS,
    symbolOf: ({ symbol, asset_class: assetClass, base_currency: base, quote_currency: quote }) => {
      const mapped = symbols[symbol];
      if (mapped !== undefined) return mapped;
      if (!isCrypto(assetClass)) return symbol;
      return base === undefined ? undefined : `${base}/${quote}`;
    },
    timeframeFor: (assetClass, timeframe) => {
      if (timeframe === '1w') return undefined;
      if (isCrypto(assetClass)) return CRYPTO_LARGE.has(timeframe) ? '1h' : timeframe;
      return STOCK_HOURS.has(timeframe) ? '30m' : timeframe;
    },
    settleMs: (assetClass, timeframe) => {
      if (isCrypto(assetClass)) return CRYPTO_SETTLE_MS;
      return timeframe === '1d' ? STOCK_DAY_SETTLE_MS : STOCK_SETTLE_MS;
    },
    fetchPage: async (request): Promise<BarsPage> => {
      // Bars of crypto assets need no key.
      if (!hasKey && !isCrypto(request.assetClass)) {
        throw new ProviderDownError('no key of Alpaca is in the secret', { isFinal: true });
      }
      const now = clock();
      const got = await getJson({
        url: urlOf(request),
        headers,
        now,
        patienceMs,
        waitMs: (received) => untilReset(received, now),
      });
      const { bars, next_page_token: next } = readAnswer(answer, got.body);
      const kept = new Map<string, readonly Bar[]>();
      const faults = new Map<string, string>();
      for (const symbol of request.symbols) {
        const read = readBars(bar, bars?.[symbol] ?? []);
        if (typeof read === 'string') faults.set(symbol, read);
        else kept.set(symbol, read);
      }
      return { bars: kept, faults, next: next ?? undefined, nearLimit: isNearLimit(got.headers) };
    },
  };
};
