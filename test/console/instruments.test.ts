import { describe, expect, test } from '@jest/globals';
import { replayableOf, replayDays, unpricedOf } from '../../functions/console/app/deploy/prices.ts';
import {
  priceWords,
  type StoredCandles,
  spanTexts,
  testableFirst,
} from '../../functions/console/app/instruments/candle-words.ts';
import { reasonText } from '../../functions/console/app/screens/prices/reasons.ts';
import type { InstrumentSuggestion } from '../../infra/client/package/src/index.ts';

const day = (start: string): string => start.slice(0, 10);

const candles = (more: Partial<StoredCandles> = {}): StoredCandles => ({
  timeframe: '1d',
  from: '1998-01-02T05:00:00.000Z',
  to: '2021-03-31T04:00:00.000Z',
  prices: 'ended',
  ...more,
});

describe('Prices of an instrument', () => {
  test('that arrive now are named by where they are from', () => {
    const labels = (['live', 'demo', 'replay'] as const).map(
      (prices) => priceWords([candles({ prices })]).label,
    );
    expect(labels).toEqual(['Live', 'Demo market', 'Replay']);
  });

  test('that ended say when, by the newest series', () => {
    const older = candles({ timeframe: '1h', to: '2009-03-31T14:30:00.000Z' });
    expect(priceWords([older, candles()], undefined, day)).toEqual({
      state: 'ended',
      label: 'Ends 2021-03-31',
      tone: 'warn',
      end: '2021-03-31',
    });
  });

  test('are those of the timeframe that is wanted', () => {
    const live = candles({ timeframe: '1m', prices: 'live' });
    expect(priceWords([live, candles()]).state).toBe('live');
    expect(priceWords([live, candles()], '1d').state).toBe('ended');
    expect(priceWords([live, candles()], '1h').state).toBe('live');
    expect(priceWords([candles()], '1h')).toMatchObject({ state: 'none', label: 'No candles here' });
  });

  test('have the spans of their candles', () => {
    expect(spanTexts([candles({ timeframe: '1h' }), candles()], day)).toEqual([
      '1h 1998-01-02 – 2021-03-31',
      '1d 1998-01-02 – 2021-03-31',
    ]);
  });
});

test('Instruments that can be tested come first, after the one that was typed', () => {
  const found = [{ symbol: 'AB' }, { symbol: 'AC', candles: [candles()] }, { symbol: 'A' }, { symbol: 'AD' }];
  expect(testableFirst(found, 'a').map(({ symbol }) => symbol)).toEqual(['A', 'AC', 'AB', 'AD']);
});

describe('A deployment', () => {
  const instrument = (symbol: string, all: readonly StoredCandles[]): InstrumentSuggestion => ({
    symbol,
    broker_symbol: null,
    name: symbol,
    exchange: 'NASDAQ',
    asset_class: 'equity',
    base_currency: null,
    quote_currency: 'USD',
    tick_size: 0.01,
    digits: 2,
    contract_size: 1,
    min_volume: 1,
    max_volume: null,
    volume_step: 1,
    swap_long: null,
    swap_short: null,
    swap_calculation: null,
    triple_swap_weekday: null,
    tradable: true,
    candles: [...all],
  });
  const instruments = new Map([
    ['AAPL', instrument('AAPL', [candles()])],
    ['NOVA.DEMO', instrument('NOVA.DEMO', [candles({ prices: 'demo' })])],
    ['MSFT', instrument('MSFT', [])],
  ]);

  test('lacks prices of instruments whose candles ended, or that have none', () => {
    const symbols = ['AAPL', 'NOVA.DEMO', 'MSFT', 'UNKNOWN'];
    expect(unpricedOf(symbols, instruments, '1d').map(({ symbol }) => symbol)).toEqual(['AAPL', 'MSFT']);
  });

  test('replays candles of one instrument of a real market, by rules', () => {
    const strategy = { symbols: ['AAPL'], timeframe: '1d', rules_hash: 'hash' } as const;
    expect(replayableOf(strategy, instruments)).toEqual(candles());
    expect(replayableOf({ ...strategy, rules_hash: null }, instruments)).toBeUndefined();
    expect(replayableOf({ ...strategy, symbols: ['NOVA.DEMO'] }, instruments)).toBeUndefined();
    expect(replayableOf({ ...strategy, symbols: ['MSFT'] }, instruments)).toBeUndefined();
    expect(replayableOf({ ...strategy, symbols: ['AAPL', 'MSFT'] }, instruments)).toBeUndefined();
  });

  test('replays the last year by default, or all of a shorter span', () => {
    expect(replayDays(candles())).toEqual({ first: '1998-01-02', last: '2021-03-31', usual: '2020-03-31' });
    expect(replayDays(candles({ from: '2021-01-04T05:00:00.000Z' })).usual).toBe('2021-01-04');
  });
});

test('Reasons of a provider that gives no prices are plain words', () => {
  expect(reasonText('status 451')).toContain('not available in your country');
  expect(reasonText('status 503')).toBe('The provider answers with an error (503).');
  expect(reasonText('no answer within 5000 ms')).toContain('online');
});
