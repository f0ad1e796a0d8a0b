import { describe, expect, test } from '@jest/globals';
import {
  priceWords,
  type StoredCandles,
  spanTexts,
  testableFirst,
} from '../../functions/console/app/instruments/candle-words.ts';

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
