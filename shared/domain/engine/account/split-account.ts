import { type Ratio, splitPrice } from '../../splits/ratio.ts';
import type { Account } from './account.ts';
import { closeSteps, dropClosed } from './exits.ts';
import { equityAt } from './sizing.ts';

/**
 * Pays out what makes no whole steps after a split, at the last close and without costs: three of 23 steps at 1:10. So
 * a trade has whole steps before and after the split, and its quantity is exact.
 */
export const payFractions = (account: Account, { of }: Ratio): void => {
  const { close: price, at, bar } = account;
  for (const trade of account.trades) {
    const rest = trade.steps % of;
    if (rest === 0) continue;
    const { closing } = trade;
    closeSteps(account, trade, rest, { price, bar: bar - 1, at, expected: price, fee: 0 }, 'split');
    trade.closing = Math.min(closing, trade.steps);
  }
  dropClosed(account);
  account.isClosing = account.trades.some(({ closing }) => closing > 0);
};

/**
 * Restates an account in new units, after its last bar in old ones and without fractions: trades with their stops and
 * targets, orders that wait, and the last closes. Cash and fees stay as they are. So does the equity, but for the
 * rounding of doubles.
 */
export const restateAccount = (account: Account, ratio: Ratio): void => {
  const { units, of } = ratio;
  for (const trade of account.trades) {
    trade.steps = (trade.steps / of) * units;
    trade.closing = Math.min(trade.steps, Math.ceil((trade.closing * units) / of));
    trade.entryPrice = splitPrice(trade.entryPrice, ratio);
    trade.low = splitPrice(trade.low, ratio);
    trade.high = splitPrice(trade.high, ratio);
    trade.stop = splitPrice(trade.stop, ratio);
    trade.target = splitPrice(trade.target, ratio);
  }
  for (const order of account.orders) {
    order.signalClose = splitPrice(order.signalClose, ratio);
    order.price = splitPrice(order.price, ratio);
    order.stopPoints = splitPrice(order.stopPoints, ratio);
    order.targetPoints = splitPrice(order.targetPoints, ratio);
    order.splits = (order.splits ?? 0) + 1;
    // Its amounts are in old units.
    if (order.signal) order.signal = { ...order.signal, until: 0 };
  }
  account.liquidatedBelow = Number.POSITIVE_INFINITY;
  account.close = splitPrice(account.close, ratio);
  account.closeBefore = splitPrice(account.closeBefore, ratio);
  account.equity = account.trades.length === 0 ? account.cash : equityAt(account, account.close);
};
