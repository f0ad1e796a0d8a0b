import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Instrument } from '../../../shared/domain/instruments/instrument-records.ts';
import {
  MAX_SYMBOL_TEXTS,
  MAX_WORDS,
  nameText,
  RANKS,
  searchEntriesOf,
  symbolText,
} from '../../../shared/domain/instruments/instrument-search.ts';

const instrument = (more: Partial<Instrument>): Instrument => ({
  symbol: 'AAPL',
  name: 'Apple Inc.',
  exchange: 'NASDAQ',
  asset_class: 'equity',
  quote_currency: 'USD',
  tick_size: 0.01,
  digits: 2,
  contract_size: 1,
  min_volume: 1,
  volume_step: 1,
  tradable: true,
  listings: {},
  ...more,
});

const texts = (one: Instrument, rank: number, scope = 'all'): string[] =>
  searchEntriesOf(one)
    .filter((entry) => entry.rank === rank && entry.scope === scope)
    .map(({ text }) => text);

describe('search texts', () => {
  test.each([
    ['Nestlé S.A.', 'nestle sa'],
    ['NESTLE\u0301 s.a.', 'nestle sa'],
    ["L'Oréal", 'loreal'],
    ['A.P. Møller - Mærsk', 'ap moller maersk'],
    ['Straße', 'strasse'],
    ['Polish Złoty', 'polish zloty'],
    ['S&P 500', 's p 500'],
    ['İstanbul', 'istanbul'],
    ['ＡＢＣ', 'abc'],
    ['Газпром', 'газпром'],
    ['  ', ''],
    ['&', ''],
  ])('%j is normalised to %j', (name, text) => {
    expect(nameText(name)).toBe(text);
  });

  test.each(['BTCUSD', 'btc/usd', 'Btc-Usd', 'btc usd'])('%s is one symbol', (symbol) => {
    expect(symbolText(symbol)).toBe('btcusd');
  });
});

describe('an instrument is found', () => {
  test('by its symbol, and by its name from each word on', () => {
    const one = instrument({ symbol: 'BRK.B', name: 'Berkshire Hathaway Inc. Class B' });
    expect(texts(one, RANKS.symbol)).toEqual(['brkb']);
    expect(texts(one, RANKS.name)).toEqual([
      'berkshire hathaway inc class b',
      'hathaway inc class b',
      'inc class b',
      'class b',
      'b',
    ]);
  });

  test('with or without the exchange prefix of its symbol', () => {
    expect(texts(instrument({ symbol: 'BINANCE:BTCEUR' }), RANKS.symbol)).toEqual([
      'binancebtceur',
      'btceur',
    ]);
  });

  test('also by the ticker of a broker that offers it', () => {
    const listings = { north: { broker_id: 7, symbol: 'GOLD.m', servers: ['north-live'] } };
    const one = instrument({ symbol: 'XAUUSD', name: 'Gold Spot', listings });
    expect(texts(one, RANKS.symbol)).toEqual(['xauusd']);
    for (const scope of ['broker:7', 'server:north-live']) {
      expect(texts(one, RANKS.symbol, scope)).toEqual(['xauusd', 'goldm']);
      expect(texts(one, RANKS.name, scope)).toEqual(['gold spot', 'spot']);
    }
  });

  test('by a bounded number of distinct, normalised texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
        const entries = searchEntriesOf(instrument({ name }));
        const ranked = entries.map(({ rank, text }) => `${rank} ${text}`);
        expect(new Set(ranked).size).toBe(ranked.length);
        expect(texts(instrument({ name }), RANKS.name).length).toBeLessThanOrEqual(MAX_WORDS);
        expect(texts(instrument({ name }), RANKS.symbol).length).toBeLessThanOrEqual(MAX_SYMBOL_TEXTS);
        for (const { text } of entries) expect(nameText(text)).toBe(text);
      }),
    );
  });
});
