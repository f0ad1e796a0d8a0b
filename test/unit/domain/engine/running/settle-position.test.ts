import { expect, test } from '@jest/globals';
import { settlePosition, settlingId } from '../../../../../shared/domain/engine/running/settle-position.ts';
import { decimal } from '../../../../../shared/domain/money.ts';
import type { Order } from '../../../../../shared/domain/orders/order-record.ts';

type Known = Pick<
  Order,
  'client_order_id' | 'side' | 'status' | 'quantity' | 'filled_quantity' | 'updated_at'
>;

const order = (more: Partial<Known>): Known => ({
  client_order_id: 'BTCUSD:1:x1',
  side: 'sell',
  status: 'open',
  quantity: '5',
  filled_quantity: '0',
  updated_at: 100,
  ...more,
});
const entry = order({ client_order_id: 'BTCUSD:1:e0', side: 'buy' });

const settle = (held: string, orders: readonly Known[], flatten = true) => {
  const found = settlePosition({
    held: decimal(held),
    orders,
    flatten,
    answersFrom: 50,
    retriesFrom: 90,
  });
  return [found.cancels, found.close.toString(), found.isDone];
};

test('entries are cancelled, and a position is closed only if it is to be', () => {
  expect(settle('0', [])).toEqual([[], '0', true]);
  expect(settle('5', [], false)).toEqual([[], '0', true]);
  expect(settle('-5', [])).toEqual([[], '5', false]);
  expect(settle('0', [entry])).toEqual([['BTCUSD:1:e0'], '0', false]);
  expect(settle('2', [entry], false)).toEqual([['BTCUSD:1:e0'], '0', false]);
});

test('a close counts until its end is reported, and goes on unless it is lost or closes too much', () => {
  expect(settle('7', [order({ filled_quantity: '1' })])).toEqual([[], '3', false]);
  expect(settle('5', [order({})])).toEqual([[], '0', false]);
  expect(settle('4', [order({})])).toEqual([['BTCUSD:1:x1'], '0', false]);
  expect(settle('-5', [order({})])).toEqual([['BTCUSD:1:x1'], '0', false]);
  expect(settle('5', [order({ status: 'pending', updated_at: 49 })])).toEqual([['BTCUSD:1:x1'], '0', false]);
  expect(settle('5', [order({ status: 'pending' })])).toEqual([[], '0', false]);
});

test('a close by the books that failed is requested again after a while; other closes that failed do not count', () => {
  const failed = { status: 'rejected', client_order_id: settlingId('BTCUSD', 7) } as const;
  expect(settle('5', [order({ ...failed, updated_at: 91 })])).toEqual([[], '0', false]);
  expect(settle('5', [order({ ...failed, updated_at: 90 })])).toEqual([[], '5', false]);
  expect(settle('5', [order({ status: 'cancelled', updated_at: 91 })])).toEqual([[], '5', false]);
});
