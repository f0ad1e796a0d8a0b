import type { Account, OpenTrade } from '../account/account.ts';
import { requestSteps } from '../account/decisions.ts';
import { endOrder } from '../account/entries.ts';
import type { SignalEntry } from '../account/signal-order.ts';
import { wholeSteps } from '../account/sizing.ts';
import type { Direction, TradingPlan } from '../plan.ts';
import { entryOf } from './entry-orders.ts';
import { type RealAccount, roundSteps } from './real-account.ts';

/** A signal for an account with real orders. */
export interface RealSignal extends Pick<SignalEntry, 'client_order_id' | 'received_at' | 'until'> {
  readonly type: 'signal';
  readonly number: number;
  /** Side of the order; of the positions that are closed, if it only closes: 0 for both. */
  readonly side: Direction | 0;
  /** Quantity of the order. Absent: it only closes, all that is held. */
  readonly quantity?: string | undefined;
  /** Newest price that the hub knew at its arrival. */
  readonly expected: string;
  readonly stop?: string | undefined;
  readonly target?: string | undefined;
}

/** Requests the close of trades, oldest first. @returns the steps that are left */
const closeTrades = (
  account: Account,
  isMeant: (trade: OpenTrade) => boolean,
  steps: number,
  receivedAt: number,
): number => {
  let left = steps;
  for (const trade of account.trades) {
    const part = Math.min(left, roundSteps(trade.steps - trade.closing));
    if (!isMeant(trade) || !(part > 0)) continue;
    requestSteps(account, trade, roundSteps(trade.closing + part), 'exit');
    trade.alertedAt = receivedAt;
    left = roundSteps(left - part);
  }
  return left;
};

/** Forgets closes that failed since the last bar: the account waits for a bar to repeat them, and the signal is newer. */
const forgetFailed = ({ paper, closes }: RealAccount): void => {
  for (const close of closes) {
    const { trade, steps, filled, isOver, endedAt } = close;
    if (!trade || !isOver || endedAt !== paper.index) continue;
    close.endedAt = -1;
    trade.closing = Math.max(0, roundSteps(trade.closing - (steps - filled)));
  }
};

/** Ends the entries that wait, here or at the broker. What they still fill is closed. */
const endEntries = ({ paper, entries }: RealAccount, plan: TradingPlan, side: Direction | 0): void => {
  const { account } = paper;
  const isMeant = ({ order }: { readonly order: Account['orders'][number] }): boolean =>
    side === 0 || entryOf(plan, order).side === side;
  for (const order of account.orders) {
    if (isMeant({ order })) endOrder(account, plan, order, 'signal');
  }
  for (const { order, isOver } of entries) {
    if (!isOver && order.signal && isMeant({ order })) order.signal = { ...order.signal, is_ended: true };
  }
};

/** Requests the close of what an entry filled after a later signal had ended it. */
export const closeEnded = ({ paper, entries }: RealAccount): void => {
  for (const { order, trade } of entries) {
    if (trade && order.signal?.is_ended) requestSteps(paper.account, trade, trade.steps, 'exit');
  }
};

/** Applies a signal: ends entries and closes trades of the other side, and places an entry for the rest. */
export const takeRealSignal = (
  real: RealAccount,
  plan: TradingPlan,
  { side, quantity, client_order_id, received_at, until, expected, stop, target }: RealSignal,
): void => {
  const { account, at } = real.paper;
  if (Number.isNaN(account.at)) {
    account.at = at;
    account.close = Number(expected);
  }
  forgetFailed(real);
  if (quantity === undefined || side === 0) {
    endEntries(real, plan, side);
    closeTrades(account, (trade) => side === 0 || trade.side === side, Number.POSITIVE_INFINITY, received_at);
    return;
  }
  // An entry of each side would be two trades that the broker nets to none.
  endEntries(real, plan, side === 1 ? -1 : 1);
  const { size_step } = account.settings;
  const wanted = wholeSteps(Number(quantity) / size_step);
  const left = closeTrades(account, (trade) => trade.side !== side, wanted, received_at);
  const entry = plan.entries.findIndex((each) => each.side === side);
  if (!(left > 0) || entry < 0) return;
  account.orders.push({
    entry,
    placedBar: account.bar - 1,
    placedAt: account.at,
    signalClose: Number(expected),
    price: Number.NaN,
    stopPoints: 0,
    targetPoints: 0,
    signal: {
      client_order_id,
      quantity: left === wanted ? quantity : String(roundSteps(left * size_step)),
      received_at,
      until,
      ...(stop !== undefined && { stop }),
      ...(target !== undefined && { target }),
    },
  });
};
