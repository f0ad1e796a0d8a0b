import type { Account, AccountEvent, CancelReason } from '../account/account.ts';
import { bookEntries } from '../account/entries.ts';
import { closeSteps, dropClosed, type MarketFill } from '../account/exits.ts';
import { chargeRollovers } from '../account/financing.ts';
import { movedPrice } from '../account/moved-price.ts';
import type { SignalOrder } from '../account/signal-order.ts';
import { wholeSteps } from '../account/sizing.ts';
import { OPEN, START } from '../group.ts';
import { at } from '../memory.ts';
import type { TradingPlan } from '../plan.ts';
import type { PaperAccount } from './paper-account.ts';
import type { NumberedInput } from './paper-inputs.ts';

/** Market order that a signal from outside placed. Recorded, so that the same bars and orders give the same trades. */
export interface PaperSignal extends NumberedInput {
  readonly type: 'order';
  /** Undefined for an order in another symbol of the deployment. */
  readonly order: SignalOrder | undefined;
}

/** End of an order of a signal, which the books have recorded. */
export interface PaperWithdrawal extends NumberedInput {
  readonly type: 'withdraw';
  readonly client_order_id: string;
}

type Signalled = Extract<AccountEvent, { type: 'signalled' }>;

const NOTHING_DONE = { closed: 0, opened: 0, price: Number.NaN, fee: 0 } as const;

/** Ends orders of signals that wait, without a fill. */
const endSignals = (
  paper: PaperAccount,
  ended: readonly SignalOrder[],
  reason: CancelReason,
  time: number,
): void => {
  paper.signals = paper.signals.filter((order) => !ended.includes(order));
  for (const order of ended) {
    paper.account.journal?.push({ type: 'signalled', order, at: time, ...NOTHING_DONE, reason });
  }
};

/** Ends the orders of signals that wait. @param before only those that would fill at a bar before this moment. */
export const cancelSignals = (
  paper: PaperAccount,
  reason: CancelReason,
  before = Number.POSITIVE_INFINITY,
): void =>
  endSignals(
    paper,
    paper.signals.filter(({ from }) => from < before),
    reason,
    paper.at,
  );

/** Takes an order of a signal, which waits for the first bar from its time on. */
export const takeSignal = (paper: PaperAccount, order: SignalOrder): void => {
  paper.signals = [...paper.signals, order];
  if (paper.account.isRuined) endSignals(paper, [order], 'ruin', paper.at);
};

/** Drops an order of a signal whose end the books have recorded. */
export const withdrawSignal = (paper: PaperAccount, clientOrderId: string): void => {
  paper.signals = paper.signals.filter((order) => order.client_order_id !== clientOrderId);
};

/** Runs steps of an account and returns their events, apart from those before. */
const eventsOf = (account: Account, run: () => void): readonly AccountEvent[] => {
  const before = account.journal;
  const own: AccountEvent[] = [];
  account.journal = own;
  run();
  account.journal = before;
  return own;
};

/** Closes what is held against an order, oldest first, and returns the steps that are left of it. */
const closeAgainst = (account: Account, order: SignalOrder, steps: number, market: MarketFill): number => {
  let left = steps;
  for (const trade of account.trades) {
    if (trade.side === order.side || left === 0) continue;
    const price = movedPrice(market.price, order.side, account.settings.slippage_rate);
    const part = Math.min(left, trade.steps);
    closeSteps(account, trade, part, { ...market, price }, 'exit');
    left -= part;
  }
  dropClosed(account);
  return left;
};

/** Cause for which nothing is opened by an order; undefined if it may be. */
const blockOf = ({ isPaused, settings }: Account, { side }: SignalOrder): CancelReason | undefined => {
  if (isPaused) return 'paused';
  const own = side === 1 ? 'long' : 'short';
  return settings.direction === 'both' || settings.direction === own ? undefined : 'direction';
};

/** Opens a trade at the open of a bar, as far as the account pays for it. */
const open = (
  account: Account,
  plan: TradingPlan,
  { side, steps }: { readonly side: SignalOrder['side']; readonly steps: number },
  { bar, market }: { readonly bar: Float64Array; readonly market: MarketFill },
): void => {
  const units = steps * account.settings.size_step;
  const entries = plan.entries.map((entry) => ({ ...entry, size: { type: 'units', units } as const }));
  account.orders.push({
    entry: entries.findIndex((entry) => entry.side === side),
    placedBar: account.bar - 1,
    placedAt: account.at,
    signalClose: account.close,
    price: Number.NaN,
    stopPoints: 0,
    targetPoints: 0,
  });
  bookEntries(account, { ...plan, entries }, bar, market);
};

/** Fills an order at the open of a bar: closes what is held against it, then opens the rest. */
const fillSignal = (
  paper: PaperAccount,
  plan: TradingPlan,
  order: SignalOrder,
  bar: Float64Array,
): Signalled => {
  const { account } = paper;
  const time = at(bar, START);
  const market = { price: at(bar, OPEN), bar: account.bar, at: time, expected: account.close };
  const done = { type: 'signalled', order, at: time, ...NOTHING_DONE } as const;
  if (time > order.until) return { ...done, reason: 'unpriced' };
  const { size_step } = account.settings;
  const wanted = order.closes ? Number.POSITIVE_INFINITY : wholeSteps(Number(order.quantity) / size_step);
  let left = wanted;
  let reason: CancelReason | undefined;
  const events = eventsOf(account, () => {
    left = closeAgainst(account, order, wanted, market);
    if (order.closes || left === 0) return;
    reason = blockOf(account, order);
    if (!reason) open(account, plan, { side: order.side, steps: left }, { bar, market });
  });
  let [closed, opened, value, fee] = [0, 0, 0, 0];
  for (const event of events) {
    if (event.type === 'exited') {
      closed += event.steps;
      value += event.steps * event.closed.exit_price;
      fee += event.fee;
    } else if (event.type === 'entered') {
      opened += event.steps;
      value += event.steps * event.trade.entryPrice;
      fee += event.fee;
      paper.entryIds.set(event.trade, order.client_order_id);
    } else if (event.type === 'cancelled') {
      reason = event.reason;
    }
  }
  if (order.closes && closed === 0) reason = 'no_position';
  return { ...done, closed, opened, price: value / (closed + opened), fee, ...(reason && { reason }) };
};

/** Fills the orders of signals at the open of a bar, oldest first, ahead of all that the bar decides. */
export const fillSignals = (paper: PaperAccount, plan: TradingPlan, bar: Float64Array): void => {
  const { account } = paper;
  const start = at(bar, START);
  const due = paper.signals.filter(({ from }) => start >= from);
  if (due.length === 0 || account.isRuined) return;
  paper.signals = paper.signals.filter((order) => !due.includes(order));
  // The trades that were held at the rollover are charged, also those that close now.
  chargeRollovers(account, start);
  for (const order of due) account.journal?.push(fillSignal(paper, plan, order, bar));
};
