import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { alpaca } from '../../../shared/channels/market-data/alpaca.ts';
import { binance } from '../../../shared/channels/market-data/binance.ts';
import type { BarsRequest, MarketData } from '../../../shared/channels/market-data/market-data.ts';
import { instrumentSchema } from '../../../shared/domain/instruments/instrument-records.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';

const NOW = Date.parse('2026-03-02T15:00Z');
const PATIENCE_MS = 150;

let upstream: Upstream;
const providers = (patienceMs = 5_000): Record<'alpaca' | 'binance', MarketData> => {
  const shared = { url: upstream.url, clock: () => new Date(NOW), patienceMs };
  return {
    alpaca: alpaca({
      ...shared,
      keyId: 'id',
      secretKey: 'secret',
      stockFeed: 'sip',
      symbols: { US500: 'SPY' },
    }),
    binance: binance({ ...shared, symbols: { XBTUSD: 'BTCUSDT' }, quotes: { USD: 'USDT' } }),
  };
};

beforeEach(async () => {
  upstream = await startUpstream((_request, response) => response.writeHead(200).end('[]'));
});
afterEach(() => upstream.close());

const request: BarsRequest = {
  symbols: ['BTC/USD'],
  assetClass: 'crypto',
  timeframe: '1m',
  adjustment: 'none',
  from: NOW - 60_000,
  to: NOW,
};

const STALLS: Readonly<Record<string, Upstream['answer']>> = {
  'does not answer': () => undefined,
  'sends its body slowly': (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  },
};

test.each(Object.entries(STALLS))('a provider that %s is left after the time limit', async (_name, stall) => {
  upstream.answer = stall;
  for (const provider of Object.values(providers(PATIENCE_MS))) {
    await expect(provider.fetchPage(request)).rejects.toMatchObject({
      name: 'ProviderDown',
      message: `no answer within ${PATIENCE_MS} ms`,
      isFinal: false,
    });
  }
});

test('an answer without end and a redirect are not followed', async () => {
  const { alpaca: provider } = providers();
  upstream.answer = (_request, response) => {
    response.writeHead(200);
    for (let part = 0; part < 3; part++) response.write(Buffer.alloc(1024 * 1024, ' '));
  };
  await expect(provider.fetchPage(request)).rejects.toMatchObject({ message: 'no complete answer' });
  upstream.answer = (_request, response) => response.writeHead(302, { location: upstream.url }).end();
  await expect(provider.fetchPage(request)).rejects.toMatchObject({ message: 'no complete answer' });
  expect(upstream.received).toHaveLength(2);
});

test('a limit without Retry-After ends with the window that Alpaca names', async () => {
  upstream.answer = (_request, response) =>
    response.writeHead(429, { 'x-ratelimit-reset': String(NOW / 1000 + 42) }).end('{}');
  await expect(providers().alpaca.fetchPage(request)).rejects.toMatchObject({
    isFinal: true,
    retryAfterMs: 42_000,
  });
});

test('the remaining requests of a window are left to others', async () => {
  upstream.answer = (_request, response) =>
    response
      .writeHead(200, { 'x-ratelimit-limit': '200', 'x-ratelimit-remaining': '20' })
      .end('{"bars":{},"next_page_token":null}');
  expect(await providers().alpaca.fetchPage(request)).toMatchObject({ nearLimit: true, next: undefined });
});

test('shares of Alpaca need a key, crypto assets do not', async () => {
  upstream.answer = (_request, response) => response.writeHead(200).end('{"bars":{}}');
  const provider = alpaca({
    url: upstream.url,
    clock: () => new Date(NOW),
    keyId: '',
    secretKey: '',
    stockFeed: 'iex',
    symbols: {},
  });
  await expect(provider.fetchPage({ ...request, assetClass: 'equity' })).rejects.toMatchObject({
    message: 'no key of Alpaca is in the secret',
    isFinal: true,
  });
  expect(upstream.received).toEqual([]);
  await provider.fetchPage(request);
  expect(Object.keys(upstream.received[0]?.headers ?? {}).join()).not.toContain('apca');
});

test('crypto assets of Alpaca have no feed and no adjustment', async () => {
  upstream.answer = (_request, response) => response.writeHead(200).end('{"bars":null}');
  await providers().alpaca.fetchPage(request);
  const [received] = upstream.received;
  expect(received?.url.pathname).toBe('/v1beta3/crypto/us/bars');
  expect(Object.fromEntries(received?.url.searchParams ?? [])).toEqual({
    symbols: 'BTC/USD',
    timeframe: '1Min',
    start: '2026-03-02T14:59:00.000Z',
    end: '2026-03-02T15:00:00.000Z',
    limit: '5000',
    sort: 'asc',
  });
});

test('symbols follow from the instrument unless they are configured', () => {
  const coin = instrumentSchema.parse({
    symbol: 'BTCUSD',
    name: 'Bitcoin',
    exchange: 'OTC',
    asset_class: 'crypto',
    base_currency: 'BTC',
    quote_currency: 'USD',
    tick_size: 0.01,
    digits: 2,
    contract_size: 1,
    min_volume: 1,
    volume_step: 1,
    tradable: true,
  });
  const share = { ...coin, symbol: 'BRK.B', asset_class: 'equity', base_currency: undefined } as const;
  const { alpaca: shares, binance: coins } = providers();
  expect([coin, share, { ...share, symbol: 'US500' }].map(shares.symbolOf)).toEqual([
    'BTC/USD',
    'BRK.B',
    'SPY',
  ]);
  expect(
    [coin, { ...coin, quote_currency: 'EUR' }, { ...coin, symbol: 'XBTUSD' }, share].map(coins.symbolOf),
  ).toEqual(['BTCUSDT', 'BTCEUR', 'BTCUSDT', undefined]);
});

test.each([
  ['a price as a number', [[NOW, 1, '2', '1', '1', '1', NOW]], '0.1: invalid_type'],
  ['a negative price', [[NOW, '-1', '2', '1', '1', '1', NOW]], '0.1: invalid_format'],
  ['a short kline', [[NOW, '1', '2']], '0.3: invalid_type'],
  ['an object', { code: 0 }, 'the answer: invalid_type'],
])('Binance: %s is a fault of the symbol', async (_name, body, fault) => {
  upstream.answer = (_request, response) => response.writeHead(200).end(JSON.stringify(body));
  const page = await providers().binance.fetchPage({ ...request, symbols: ['BTCUSDT'] });
  expect([...page.faults]).toEqual([['BTCUSDT', expect.stringContaining(fault)]]);
});
