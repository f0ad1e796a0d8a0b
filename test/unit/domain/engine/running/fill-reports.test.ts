import { expect, test } from '@jest/globals';
import { calendarById } from '../../../../../shared/domain/candles/calendar.ts';
import { plainSettings } from '../../../../../shared/domain/engine/account/settings.ts';
import { compile } from '../../../../../shared/domain/engine/compile.ts';
import { marketTimeOf } from '../../../../../shared/domain/engine/market-time.ts';
import { applyReport } from '../../../../../shared/domain/engine/running/fill-reports.ts';
import { applyInput } from '../../../../../shared/domain/engine/running/paper-inputs.ts';
import { isRealActive, openRealAccount } from '../../../../../shared/domain/engine/running/real-account.ts';
import type { OrderStatus } from '../../../../../shared/domain/orders/order-states.ts';
import { crossRules, plainRules } from '../../../../support/rules.ts';

const ORDER = { steps: 100, filled: 0, value: 0, fees: 0, isOver: false, isCancelled: false, askedAt: 0 };
const { trading: PLAN } = compile(plainRules(crossRules(2, 5)), '1d', marketTimeOf(calendarById('always')));

const PENDING = {
  entry: 0,
  placedBar: 0,
  placedAt: 0,
  signalClose: 100,
  price: 100,
  stopPoints: Number.NaN,
  targetPoints: Number.NaN,
};

test('fills of parts of a step open and close a trade whole', () => {
  const own = openRealAccount(plainSettings(100_000), PLAN, 'BTCUSD', { at: 0, index: 0 });
  const { account } = own.paper;
  const report = (client_order_id: string, status: OrderStatus, filled_quantity: string) =>
    applyReport(own, PLAN, { client_order_id, status, filled_quantity, average_price: '100', fees: '0' });
  own.entries.push({ ...ORDER, id: 'e', trade: undefined, order: PENDING });
  report('e', 'partially_filled', '18.9');
  report('e', 'partially_filled', '98.3');
  report('e', 'filled', '100');
  const [trade] = account.trades;
  expect(trade?.steps).toBe(100);
  own.closes.push({ ...ORDER, id: 'x', trade, side: 1, reason: 'exit', expected: 100, endedAt: -1 });
  report('x', 'partially_filled', '13.4');
  report('x', 'partially_filled', '25.8');
  report('x', 'filled', '100');
  expect(account.trades).toEqual([]);
  expect(account.cash).toBeCloseTo(100_000, 6);
});

test('an account without equity sees every bar after a late fill', () => {
  const own = openRealAccount(plainSettings(10_000), PLAN, 'BTCUSD', { at: 0, index: 0 });
  const report = (client_order_id: string, status: OrderStatus, filled_quantity: string) =>
    applyReport(own, PLAN, { client_order_id, status, filled_quantity, average_price: '100', fees: '0' });
  for (const id of ['e', 'late']) own.entries.push({ ...ORDER, id, trade: undefined, order: PENDING });
  report('late', 'cancelled', '0');
  report('e', 'filled', '100');
  applyInput(own.paper, { type: 'close', number: 1, after: 0, order: 'e', price: 0, client_order_id: 'm' });
  expect([own.paper.account.isRuined, isRealActive(own)]).toEqual([true, false]);
  report('late', 'filled', '10');
  expect(isRealActive(own)).toBe(true);
});
