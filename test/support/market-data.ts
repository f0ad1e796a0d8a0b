import { type Received, startUpstream, type Upstream } from './upstream.ts';

/** A bar as the stand-ins hold it. */
export interface StoredBar {
  readonly start: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

const MINUTE_MS = 60_000;

/** Makes minute bars from a time on. */
export const minutesFrom = (start: number, count: number, stepMs = MINUTE_MS): StoredBar[] =>
  Array.from({ length: count }, (_, index) => {
    const open = 100 + (index % 7);
    return {
      start: start + index * stepMs,
      open,
      high: open + 2,
      low: open - 1,
      close: open + 1,
      volume: 10 + index,
    };
  });

/** A provider on loopback. */
export interface FakeProvider extends Upstream {
  /** Bars by symbol and timeframe of the provider, such as `AAPL 1Min`. */
  readonly bars: Map<string, StoredBar[]>;
  /** Answers instead of the documented one while it returns true. */
  intercept: (...args: Parameters<Upstream['answer']>) => boolean;
}

const provider = async (
  answer: (request: Received, fake: FakeProvider) => { status: number; body: unknown; headers?: object },
): Promise<FakeProvider> => {
  const upstream = await startUpstream((request, response) => {
    if (fake.intercept(request, response)) return;
    const { status, body, headers } = answer(request, fake);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  const fake: FakeProvider = { ...upstream, bars: new Map(), intercept: () => false };
  return fake;
};

const numberOf = ({ url }: Received, name: string, or: number): number =>
  Number(url.searchParams.get(name) ?? or);

/**
 * Starts a stand-in for Alpaca Market Data, by its reference: bars sorted by symbol and time, `start` and `end`
 * inclusive, `limit` over all symbols, the page token points behind the last bar, 403 without a valid key.
 */
export const fakeAlpaca = (key: { id: string; secret: string }): Promise<FakeProvider> =>
  provider((request, { bars }) => {
    const { url, headers } = request;
    if (headers['apca-api-key-id'] !== key.id || headers['apca-api-secret-key'] !== key.secret) {
      return { status: 403, body: { message: 'forbidden.' } };
    }
    if (!['/v2/stocks/bars', '/v1beta3/crypto/us/bars'].includes(url.pathname)) {
      return { status: 404, body: { message: 'endpoint not found.' } };
    }
    const symbols = (url.searchParams.get('symbols') ?? '').split(',').sort();
    const timeframe = url.searchParams.get('timeframe') ?? '';
    const unknown = symbols.find((symbol) => symbol.startsWith('BAD'));
    if (unknown) return { status: 400, body: { message: `invalid symbol: ${unknown}` } };
    const from = Date.parse(url.searchParams.get('start') ?? '');
    const to = Date.parse(url.searchParams.get('end') ?? '');
    const all = symbols.flatMap((symbol) =>
      (bars.get(`${symbol} ${timeframe}`) ?? [])
        .filter(({ start }) => start >= from && start <= to)
        .map((bar) => ({ symbol, bar })),
    );
    const token = url.searchParams.get('page_token');
    const begin = token === null ? 0 : Number(Buffer.from(token, 'base64').toString());
    const end = begin + numberOf(request, 'limit', 1000);
    const page: Record<string, unknown[]> = {};
    for (const { symbol, bar } of all.slice(begin, end)) {
      const { start, open: o, high: h, low: l, close: c, volume: v } = bar;
      const own = page[symbol] ?? [];
      own.push({ t: new Date(start).toISOString().replace('.000Z', 'Z'), o, h, l, c, v, n: 1, vw: c });
      page[symbol] = own;
    }
    const next = end < all.length ? Buffer.from(String(end)).toString('base64') : null;
    return {
      status: 200,
      body: { bars: page, next_page_token: next },
      headers: { 'x-ratelimit-limit': '200', 'x-ratelimit-remaining': '199' },
    };
  });

/**
 * Starts a stand-in for Binance spot klines, by their reference: oldest first, `startTime` and `endTime` compare with
 * the open time, 500 bars by default and 1,000 at most, prices as text, an error -1121 for an unknown symbol.
 */
export const fakeBinance = (): Promise<FakeProvider> =>
  provider((request, { bars }) => {
    const { url } = request;
    const symbol = url.searchParams.get('symbol') ?? '';
    const interval = url.searchParams.get('interval') ?? '';
    const stored = bars.get(`${symbol} ${interval}`);
    if (url.pathname !== '/api/v3/klines' || !stored) {
      return { status: 400, body: { code: -1121, msg: 'Invalid symbol.' } };
    }
    const from = numberOf(request, 'startTime', 0);
    const to = numberOf(request, 'endTime', Number.MAX_SAFE_INTEGER);
    const limit = Math.min(1000, numberOf(request, 'limit', 500));
    const found = stored.filter(({ start }) => start >= from && start <= to).slice(0, limit);
    return {
      status: 200,
      body: found.map(({ start, open, high, low, close, volume }) => [
        start,
        ...[open, high, low, close, volume].map((value) => value.toFixed(8)),
        start + MINUTE_MS - 1,
        '0.0',
        1,
        '0.0',
        '0.0',
        '0',
      ]),
      headers: { 'x-mbx-used-weight-1m': '2' },
    };
  });
