import { type Ratio, splitPrice, splitQuantityText } from '../../splits/ratio.ts';
import { closeSteps, dropClosed } from '../account/exits.ts';
import { equityAt } from '../account/sizing.ts';
import type { TradingPlan } from '../plan.ts';
import { takeSteps } from './advance.ts';
import type { AccountReport } from './order-report.ts';
import type { PaperAccount } from './paper-account.ts';
import { reportsOf, restatedReports } from './reports.ts';

/**
 * Pays out what makes no whole steps after a split, at the last close and without costs: three of 23 steps at 1:10. So
 * a trade has whole steps before and after the split, and its quantity is exact.
 */
const payFractions = ({ account }: PaperAccount, { of }: Ratio): void => {
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
 * Restates an account on paper in new units, after its last bar in old ones: trades with their stops and targets, orders
 * that wait, and the last closes. Cash and fees stay as they are. So does the equity, but for the rounding of doubles.
 *
 * @returns reports of the fractions that were paid out, in old units: book them before the split; and of the orders that
 *   wait, in new ones.
 */
export const splitPaper = (paper: PaperAccount, plan: TradingPlan, ratio: Ratio): AccountReport[] => {
  const { account } = paper;
  const { units, of } = ratio;
  account.journal = [];
  payFractions(paper, ratio);
  const reports = reportsOf(paper, plan, takeSteps(account), paper.at);
  for (const trade of account.trades) {
    trade.steps = (trade.steps / of) * units;
    trade.closing = Math.min(trade.steps, Math.ceil((trade.closing * units) / of));
    trade.entryPrice = splitPrice(trade.entryPrice, ratio);
    trade.stop = splitPrice(trade.stop, ratio);
    trade.target = splitPrice(trade.target, ratio);
  }
  for (const order of account.orders) {
    order.signalClose = splitPrice(order.signalClose, ratio);
    order.price = splitPrice(order.price, ratio);
    order.stopPoints = splitPrice(order.stopPoints, ratio);
    order.targetPoints = splitPrice(order.targetPoints, ratio);
    order.splits = (order.splits ?? 0) + 1;
  }
  for (const [id, quantity] of paper.waiting) paper.waiting.set(id, splitQuantityText(quantity, ratio));
  account.liquidatedBelow = Number.POSITIVE_INFINITY;
  account.close = splitPrice(account.close, ratio);
  account.closeBefore = splitPrice(account.closeBefore, ratio);
  account.equity = account.trades.length === 0 ? account.cash : equityAt(account, account.close);
  return [...reports, ...restatedReports(paper, plan)];
};
