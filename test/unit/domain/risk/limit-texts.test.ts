import { expect, test } from '@jest/globals';
import { exceededText, reachedText, usedText } from '../../../../shared/domain/risk/limit-texts.ts';

test.each([
  ['orders_per_day', '5', '4', 'USD', '5 orders in one day exceed the risk limit of 4 orders a day'],
  ['orders_per_minute', '2', '1', 'USD', '2 orders in one minute exceed the risk limit of 1 order a minute'],
  ['open_positions', '2', '1', 'USD', '2 open positions exceed the risk limit of 1 open position'],
  [
    'order_value',
    '1500',
    '1000.5',
    'USD',
    'An order worth 1,500 USD exceeds the risk limit of 1,000.5 USD an order',
  ],
  [
    'position_value',
    '150000.4',
    '150000',
    'JPY',
    'A position worth 150,000.4 JPY exceeds the risk limit of 150,000 JPY a position',
  ],
  [
    'order_value',
    '0.00012345',
    '0.0001',
    'BTC',
    'An order worth 0.00012345 BTC exceeds the risk limit of 0.0001 BTC an order',
  ],
] as const)('an order beyond %s says by how much', (limit, used, allowed, currency, text) => {
  expect(exceededText({ limit, used, allowed }, currency)).toBe(text);
});

test.each([
  ['symbols', 'The risk limits do not allow positions in this symbol'],
  ['hours', 'The risk limits allow no new positions at this time'],
  ['tripped', 'A risk limit has stopped the deployment'],
] as const)('an order that %s forbid says so', (limit, text) => {
  expect(exceededText({ limit }, 'USD')).toBe(text);
});

test('a loss that stops a deployment, and one that is near, name the loss and the limit', () => {
  const loss = { limit: 'daily_loss', used: '1012.5', allowed: '1000' } as const;
  expect(reachedText(loss, 'USD')).toBe(
    'A loss of 1,012.5 USD in one day reaches the risk limit of 1,000 USD a day',
  );
  expect(reachedText({ limit: 'daily_loss_pct', used: '5.126', allowed: '5' }, 'USD')).toBe(
    'A loss of 5.13 % in one day reaches the risk limit of 5 % a day',
  );
  expect(reachedText({ limit: 'drawdown_pct', used: '10', allowed: '10' }, 'USD')).toBe(
    'A drawdown of 10 % reaches the risk limit of 10 %',
  );
  expect(usedText({ ...loss, used: '812.5' }, 'USD', 81.25)).toBe(
    'A loss of 812.5 USD in one day is 81.25 % of the risk limit of 1,000 USD a day',
  );
  expect(usedText({ limit: 'orders_per_day', used: '4', allowed: '5' }, 'USD', 80)).toBe(
    '4 orders in one day are 80 % of the risk limit of 5 orders a day',
  );
});
