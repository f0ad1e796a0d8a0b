import { expect, test } from '@jest/globals';
import {
  amountInput,
  decimal,
  isRounded,
  minorDigitsOf,
  share,
  shownAmount,
  toMoney,
  toText,
} from '../../../shared/domain/money.ts';

test.each([
  [1e-8, '0.00000001'],
  [0.1, '0.1'],
  [-0, '0'],
  ['100.500', '100.5'],
  ['-0.0', '0'],
  ['00012', '12'],
  [0.1 + 0.2, '0.3'],
  [1e-7, '0.0000001'],
  [1_234_567_890_123_456, '1234567890123456'],
  [-9_007_199_254_740_991, '-9007199254740991'],
  [123_456_789_012_345.67, '123456789012346'],
  ['0.30000000000000004', '0.30000000000000004'],
  [' +1.05e-05 ', '0.0000105'],
  ['1E3', '1000'],
  ['1.', '1'],
  ['.5', '0.5'],
  ['0.0036000000000000003', '0.0036'],
  ['0.1000000000000000055511151231257827021181583404541015625', '0.100000000000000006'],
  ['-1e-9999', '0'],
])('%j is stored as %s', (amount, text) => {
  expect(amountInput.parse(amount)).toBe(text);
});

test.each([
  '',
  '.',
  '1,5',
  '0x10',
  '1e',
  '1e20',
  '1e99999',
  'NaN',
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e20,
  '9'.repeat(25),
  `0.${'1'.repeat(1100)}`,
])('%j is not an amount', (amount) => {
  expect(amountInput.safeParse(amount).success).toBe(false);
});

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

test.each([
  [0.1 + 0.2, false],
  [1e-18, false],
  [1.23e-18, true],
  ['0.123456789012345678', false],
  ['0.1234567890123456789', true],
  ['1e-19', true],
  ['1.0000000000000000000000', false],
  [' 1e3 ', false],
  ['no number', false],
  [null, false],
])('%j is rounded when it enters: %j', (amount, rounded) => {
  expect(isRounded(amount)).toBe(rounded);
});

test('people read 15 digits of an amount', () => {
  expect(shownAmount('33.333333333333333333')).toBe('33.3333333333333');
  expect(shownAmount('0.000000000000000001')).toBe('0.000000000000000001');
});
