import { describe, expect, test } from '@jest/globals';
import { readCatalogue } from '../../../infra/catalogue/load.ts';
import { completeInstrument } from '../../../shared/domain/instruments/instrument-completion.ts';
import { linkStatus, maskAccount } from '../../../shared/domain/instruments/instrument-links.ts';
import type { Instrument } from '../../../shared/domain/instruments/instrument-records.ts';
import { ASSET_CLASSES, digitsOf, normaliseSymbol } from '../../../shared/domain/instruments/instruments.ts';

describe('a symbol', () => {
  test.each([
    [' eurusd ', 'EURUSD'],
    ['brk.b', 'BRK.B'],
    ['Novo-b.co', 'NOVO-B.CO'],
    ['binance:btceur', 'BINANCE:BTCEUR'],
  ])('%j is stored as %j', (text, symbol) => {
    expect(normaliseSymbol(text)).toBe(symbol);
  });

  test.each(['', ' ', '[*]', 'A,B', 'A#B', 'É', '😀', '-A', 'A'.repeat(33)])('%j is not a symbol', (text) => {
    expect(normaliseSymbol(text)).toBeUndefined();
  });
});

test.each([
  [1, 0],
  [5, 0],
  [0.5, 1],
  [0.01, 2],
  [0.0025, 4],
  [0.00001, 5],
  [1e-8, 8],
  [2.5e-7, 8],
  [1e21, 0],
])('a price in steps of %d has %d decimals', (tick, digits) => {
  expect(digitsOf(tick)).toBe(digits);
});

describe('data that a list omits', () => {
  const facts = { symbol: 'EURUSD', exchange: 'OTC', asset_class: 'forex', quote_currency: 'USD' } as const;

  test('gets the default of its class', () => {
    expect(completeInstrument(facts, undefined).data).toEqual({
      ...facts,
      name: 'EURUSD',
      base_currency: 'EUR',
      tick_size: 0.00001,
      digits: 5,
      contract_size: 100_000,
      min_volume: 0.01,
      volume_step: 0.01,
      tradable: true,
      listings: {},
    });
  });

  test('keeps its stored value', () => {
    const stored: Instrument = {
      ...facts,
      name: 'Euro',
      base_currency: 'EUR',
      tick_size: 0.0005,
      digits: 5,
      contract_size: 1000,
      min_volume: 1,
      volume_step: 1,
      swap_long: -1,
      tradable: false,
      listings: { north: { broker_id: 7, symbol: 'EURUSD.m', servers: [] } },
    };
    expect(completeInstrument({ symbol: 'EURUSD' }, stored).data).toEqual(stored);
    expect(completeInstrument({ symbol: 'EURUSD', name: 'Euro / Dollar' }, stored).data).toEqual({
      ...stored,
      name: 'Euro / Dollar',
    });
    expect(completeInstrument({ symbol: 'EURUSD', tick_size: 0.01 }, stored).data).toMatchObject({
      digits: 2,
    });
  });

  test('is reported missing without a default', () => {
    const { problems } = completeInstrument({ symbol: 'X', tick_size: -1 }, undefined);
    expect(problems).toEqual(
      expect.arrayContaining([
        'exchange: field required',
        'asset_class: field required',
        'quote_currency: field required',
        'tick_size: ensure this value is greater than or equal to 1e-18',
      ]),
    );
  });
});

describe('a link to a broker', () => {
  const now = new Date('2026-03-02T10:00:00.000Z');

  test.each([
    [{ connected: true }, 'connected'],
    [{ connected: true, token_expires_at: '2026-03-02T10:00:01.000Z' }, 'connected'],
    [{ connected: true, token_expires_at: '2026-03-02T10:00:00.000Z' }, 'expired'],
    [{ connected: false, token_expires_at: '2026-03-02T10:00:01.000Z' }, 'disconnected'],
  ])('%j is %s', (link, status) => {
    expect(linkStatus(link, now)).toBe(status);
  });

  test.each([
    ['12345678', '****5678'],
    ['12345', '****2345'],
    ['1234', '****'],
    ['', '****'],
  ])('masks the account %j as %j', (account, shown) => {
    expect(maskAccount(account)).toBe(shown);
  });
});

describe('the catalogue', () => {
  const { instruments, brokers, universes } = readCatalogue();
  const bySymbol = new Map(instruments.map((one) => [one.symbol, one]));

  test('holds at least 150 instruments, each once, of every class', () => {
    expect(instruments.length).toBeGreaterThanOrEqual(150);
    expect(bySymbol.size).toBe(instruments.length);
    expect(new Set(instruments.map((one) => one.asset_class))).toEqual(new Set(ASSET_CLASSES));
  });

  test('is consistent', () => {
    for (const one of instruments) {
      expect({ symbol: one.symbol, digits: one.digits }).toEqual({
        symbol: one.symbol,
        digits: digitsOf(one.tick_size),
      });
      expect(one.max_volume ?? Number.POSITIVE_INFINITY).toBeGreaterThan(one.min_volume);
      expect(one.name).not.toBe(one.symbol);
      if (one.asset_class === 'forex') expect(`${one.base_currency}${one.quote_currency}`).toBe(one.symbol);
    }
  });

  test.each([
    ['EURUSD', { digits: 5, contract_size: 100_000 }],
    ['USDJPY', { digits: 3, contract_size: 100_000 }],
    ['XAUUSD', { contract_size: 100, base_currency: 'XAU' }],
    ['XAGUSD', { contract_size: 5000 }],
    ['WTI', { contract_size: 1000, tick_size: 0.01 }],
    ['7203.T', { quote_currency: 'JPY', min_volume: 100, volume_step: 100 }],
    ['VIX', { tradable: false }],
  ])('has the contract data of %s', (symbol, contract) => {
    expect(bySymbol.get(symbol)).toMatchObject(contract);
  });

  test('has universes of its own instruments, each once', () => {
    expect(universes.length).toBeGreaterThanOrEqual(10);
    for (const { universe_id: id, symbols } of universes) {
      expect({ id, unknown: symbols.filter((symbol) => !bySymbol.has(symbol)) }).toEqual({ id, unknown: [] });
      expect(new Set(symbols).size).toBe(symbols.length);
    }
    expect(universes.find((one) => one.universe_id === 'dow-30')?.symbols).toHaveLength(30);
  });

  test('has brokers that offer instruments of their classes under distinct tickers', () => {
    expect(new Set(brokers.map((one) => one.broker_id)).size).toBe(brokers.length);
    for (const broker of brokers) {
      const offered = instruments.filter((one) => one.listings[broker.slug]);
      const tickers = offered.map((one) => one.listings[broker.slug]?.symbol);
      expect(new Set(offered.map((one) => one.asset_class))).toEqual(new Set(broker.asset_classes));
      expect(new Set(tickers).size).toBe(offered.length);
      const servers = offered.flatMap((one) => one.listings[broker.slug]?.servers ?? []);
      expect(new Set(servers)).toEqual(new Set(broker.servers));
    }
  });
});
