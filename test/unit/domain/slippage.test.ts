import { describe, expect, test } from '@jest/globals';
import { slippageOf, summariseSlippage } from '../../../shared/domain/orders/slippage.ts';

const order = {
  side: 'buy',
  expected_price: '100',
  average_price: '100.1',
  filled_quantity: '2',
  contract_size: '10',
  currency: 'USD',
} as const;

describe('slippage', () => {
  test('is positive if adverse for either side, in price, basis points and money', () => {
    expect(slippageOf(order)).toEqual({
      expected_price: 100,
      fill_price: 100.1,
      slippage: 0.1,
      slippage_bps: 10,
      slippage_amount: 2,
    });
    expect(slippageOf({ ...order, side: 'sell' })).toMatchObject({ slippage_bps: -10, slippage_amount: -2 });
  });

  test('needs an expected price and a fill', () => {
    expect(slippageOf({ ...order, expected_price: null })).toBeUndefined();
    expect(slippageOf({ ...order, average_price: null, filled_quantity: '0' })).toBeUndefined();
  });

  test('is positive if adverse at negative prices too', () => {
    // Bought at -30 instead of -37: 7 worse.
    const dear = { ...order, expected_price: '-37', average_price: '-30' };
    const worse = { slippage: 7, slippage_bps: 1891.8919, slippage_amount: 140 };
    expect(slippageOf(dear)).toMatchObject({ expected_price: -37, fill_price: -30, ...worse });
    expect(slippageOf({ ...dear, side: 'sell' })).toMatchObject({ slippage_bps: -1891.8919 });
    expect(slippageOf({ ...dear, expected_price: '1' })).toMatchObject({
      slippage: -31,
      slippage_bps: -310_000,
      slippage_amount: -620,
    });
  });

  test('has no basis points if zero was expected, and has an amount at a fill of zero', () => {
    expect(slippageOf({ ...order, expected_price: '0' })).toMatchObject({
      expected_price: 0,
      slippage_bps: null,
      slippage_amount: 2002,
    });
    const worthless = { ...order, side: 'sell', average_price: '0' } as const;
    expect(slippageOf(worthless)).toMatchObject({
      fill_price: 0,
      slippage_bps: 10_000,
      slippage_amount: 2000,
    });
    const records = [
      { slippage_bps: null, slippage_amount: 7, currency: 'USD' },
      { slippage_bps: 3, slippage_amount: 1, currency: 'USD' },
    ];
    expect(summariseSlippage(records)).toMatchObject({
      count: 2,
      mean_bps: 3,
      worst_bps: 3,
      total_amount: 8,
    });
    expect(summariseSlippage(records.slice(0, 1))).toMatchObject({ count: 1, mean_bps: null, p95_bps: null });
  });

  test('is summarised by mean, median, nearest rank and the worst', () => {
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
