import { expect, test } from '@jest/globals';
import { amountInput, decimal, minorDigitsOf, share, toMoney, toText } from '../../../shared/domain/money.ts';

test.each([
  [1e-8, '0.00000001'],
  [0.1, '0.1'],
  [-0, '0'],
  ['100.500', '100.5'],
  ['-0.0', '0'],
  ['00012', '12'],
])('%j is stored as %s', (amount, text) => {
  expect(amountInput.parse(amount)).toBe(text);
});

test.each(['', '1e5', 'NaN', '1.', '.5', Number.NaN, Number.POSITIVE_INFINITY, 1e20, '9'.repeat(25)])(
  '%j is not an amount',
  (amount) => {
    expect(amountInput.safeParse(amount).success).toBe(false);
  },
);

test.each([
  ['0.125', 'USD', 0.12],
  ['0.135', 'EUR', 0.14],
  ['-2.5', 'JPY', -2],
  ['1.23456', 'KWD', 1.235],
  ['0.123456785', 'BTC', 0.12345678],
  ['1.000000001', 'USDT', 1],
])('%s %s is %d on the wire', (amount, currency, money) => {
  expect(toMoney(amount, currency)).toBe(money);
});

test('knows minor units', () => {
  expect(['USD', 'JPY', 'BHD', 'ETH'].map(minorDigitsOf)).toEqual([2, 0, 3, 8]);
  expect(toMoney(null, 'USD')).toBeNull();
});

test('shares add up', () => {
  const whole = decimal('10');
  const third = share(whole, decimal(1), decimal(3));
  expect(toText(third)).toBe('3.333333333333333333');
  expect(toText(share(whole.minus(third), decimal(2), decimal(2)))).toBe('6.666666666666666667');
});
