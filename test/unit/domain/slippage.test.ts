import { describe, expect, test } from '@jest/globals';
import { slippageOf, summariseSlippage } from '../../../shared/domain/slippage.ts';

const order = {
  side: 'buy',
  expected_price: '100',
  average_price: '100.1',
  filled_quantity: '2',
  // Two lots of 10 units at 100.1.
  filled_value: '2002',
  currency: 'USD',
} as const;

describe('slippage', () => {
  test('is positive to the disadvantage of either side, in price, basis points and money', () => {
    expect(slippageOf(order)).toEqual({
      expected_price: 100,
      fill_price: 100.1,
      slippage: 0.1,
      slippage_bps: 10,
      slippage_amount: 2,
    });
    expect(slippageOf({ ...order, side: 'sell' })).toMatchObject({ slippage_bps: -10, slippage_amount: -2 });
  });

  test('needs an expectation and a fill', () => {
    expect(slippageOf({ ...order, expected_price: null })).toBeUndefined();
    expect(slippageOf({ ...order, average_price: null, filled_quantity: '0' })).toBeUndefined();
  });

  test('is summed up by mean, median, nearest rank and the worst', () => {
    const records = Array.from({ length: 40 }, (_, index) => ({
      slippage_bps: 40 - index,
      slippage_amount: 0.1,
      currency: 'USD',
    }));
    expect(summariseSlippage(records)).toEqual({
      count: 40,
      mean_bps: 20.5,
      median_bps: 20.5,
      p95_bps: 38,
      worst_bps: 40,
      total_amount: 4,
      currency: 'USD',
    });
    const mixed = [...records, { slippage_bps: 1, slippage_amount: 1, currency: 'EUR' }];
    expect(summariseSlippage(mixed)).toMatchObject({ count: 41, total_amount: null, currency: null });
    expect(summariseSlippage([])).toMatchObject({ count: 0, mean_bps: null, worst_bps: null });
  });
});
