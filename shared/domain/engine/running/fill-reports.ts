import { decimal } from '../../money.ts';
import { isFinalOrderStatus, type OrderStatus } from '../../orders/order-states.ts';
import { protectiveOf } from '../../orders/protective-ids.ts';
import { expose, type OpenTrade } from '../account/account.ts';
import { cancelOrder } from '../account/entries.ts';
import { closeSteps, dropClosed } from '../account/exits.ts';
import { type EntryPlan, priceAtDistance, type TradingPlan } from '../plan.ts';
import { AccountFaultError } from './account-fault.ts';
import { entryOf, levelsOf } from './entry-orders.ts';
import type { PaperAccount } from './paper-account.ts';
import {
  type RealAccount,
  type RealClose,
  type RealEntry,
  type RealExit,
  roundSteps,
} from './real-account.ts';

/** Report of a broker on an order of an account. Cumulative: a repeat changes nothing. */
export interface FillReport {
  readonly client_order_id: string;
  readonly status: OrderStatus;
  /** Amounts are decimal text. */
  readonly filled_quantity: string;
  readonly average_price: string | null;
  readonly fees: string;
}

/** A part of an order that was filled. */
interface Part {
  readonly steps: number;
  readonly price: number;
  readonly fee: number;
}

/**
 * Returns the part that a report adds to an order, and notes it; undefined without one. Fees may follow the fills.
 *
 * @throws AccountFaultError if the broker took a fill back: nobody can tell which decisions would have been others.
 */
const takePart = (
  { account }: PaperAccount,
  order: RealEntry | RealClose | RealExit,
  report: FillReport,
): Part | undefined => {
  const filled = roundSteps(decimal(report.filled_quantity).div(account.settings.size_step).toNumber());
  const fees = Number(report.fees);
  if (filled < order.filled) throw new AccountFaultError('the broker took a fill back');
  if (filled === order.filled) {
    account.cash -= fees - order.fees;
    order.fees = fees;
    return undefined;
  }
  const average = Number(report.average_price);
  const steps = roundSteps(filled - order.filled);
  const value = average * filled;
  const part = {
    steps,
    price: order.filled === 0 ? average : (value - order.value) / steps,
    fee: fees - order.fees,
  };
  order.filled = filled;
  order.value = value;
  order.fees = fees;
  return part;
};

const basisOf = (
  { paper: { account } }: RealAccount,
  { kind }: EntryPlan,
  { order }: RealEntry,
  price: number,
): number => {
  if (account.settings.stop_basis === 'fill') return price;
  return kind === 'market' ? order.signalClose : order.price;
};

/** Notes the levels of a trade as known to the adapter, which computes them from the same fills. */
const noteLevels = (real: RealAccount, trade: OpenTrade): void => {
  const { stop, target } = trade;
  const known = real.levels.find((levels) => levels.trade === trade);
  if (!known) real.levels.push({ trade, stop, target, number: 0 });
  else {
    if (!trade.isTrailed) known.stop = stop;
    known.target = target;
  }
};

/** Sets the stop and the target of a trade by its entry price. A stop that was trailed stays. */
const protect = (real: RealAccount, plan: EntryPlan, entry: RealEntry, trade: OpenTrade): void => {
  const { stopLoss, takeProfit, side } = plan;
  const basis = basisOf(real, plan, entry, trade.entryPrice);
  if (entry.order.signal) Object.assign(trade, levelsOf(entry.order.signal));
  if (stopLoss && !trade.isTrailed) {
    trade.stop = priceAtDistance(stopLoss, entry.order.stopPoints, basis, -side);
  }
  if (takeProfit) trade.target = priceAtDistance(takeProfit, entry.order.targetPoints, basis, side);
  noteLevels(real, trade);
};

/** Opens the trade of an entry without quantity. A market order counts to the signal bar, as in backtests. */
const openTrade = (real: RealAccount, { side, kind }: EntryPlan, entry: RealEntry): OpenTrade => {
  const { account, entryIds } = real.paper;
  const isMarket = kind === 'market';
  const entryBar = isMarket ? account.bar - 1 : account.bar;
  const trade: OpenTrade = {
    side,
    steps: 0,
    entryPrice: 0,
    low: Number.POSITIVE_INFINITY,
    high: Number.NEGATIVE_INFINITY,
    entryBar,
    entryAt: account.at,
    entryFee: 0,
    swap: 0,
    stop: Number.NaN,
    target: Number.NaN,
    isTrailed: false,
    place: kind === 'market' ? 'open' : kind,
    entry: entry.order.entry,
    closing: 0,
    closingReason: 'exit',
  };
  if (account.trades.length === 0) account.exposedTo = Math.max(account.exposedTo, entryBar - 1);
  expose(account, entryBar);
  account.trades.push(trade);
  entryIds.set(trade, entry.id);
  entry.trade = trade;
  return trade;
};

const fillEntry = (real: RealAccount, plan: TradingPlan, entry: RealEntry, part: Part): void => {
  const { account } = real.paper;
  const entryPlan = entryOf(plan, entry.order);
  const known = entry.trade && entry.trade.steps > 0 ? entry.trade : undefined;
  const trade = known ?? openTrade(real, entryPlan, entry);
  const steps = roundSteps(trade.steps + part.steps);
  trade.entryPrice = known ? (trade.entryPrice * trade.steps + part.price * part.steps) / steps : part.price;
  trade.steps = steps;
  trade.entryFee += part.fee;
  account.cash -= part.fee;
  protect(real, entryPlan, entry, trade);
  account.journal?.push({
    type: 'entered',
    order: entry.order,
    trade,
    steps: part.steps,
    fee: part.fee,
    stop: trade.stop,
  });
};

/** @throws AccountFaultError if more is closed than the trade holds. */
const fillClose = (
  real: RealAccount,
  close: Pick<RealClose, 'trade' | 'reason' | 'expected'>,
  { steps, price, fee }: Part,
): void => {
  const { account, entryIds } = real.paper;
  const { trade, reason, expected } = close;
  if (!trade || trade.steps < steps)
    throw new AccountFaultError('the broker closed more than the account holds');
  const left = roundSteps(trade.closing - steps);
  closeSteps(account, trade, steps, { price, bar: account.bar - 1, at: account.at, expected, fee }, reason);
  trade.steps = roundSteps(trade.steps);
  if (trade.steps > 0) trade.closing = Math.min(trade.steps, Math.max(0, left));
  else entryIds.delete(trade);
  dropClosed(account);
  account.isClosing = account.trades.some(({ closing }) => closing > 0);
};

/** Takes an entry order that has ended out of the account. */
const endEntry = ({ paper }: RealAccount, plan: TradingPlan, entry: RealEntry): void => {
  const { account, waiting } = paper;
  const place = account.orders.indexOf(entry.order);
  if (place >= 0) account.orders.splice(place, 1);
  waiting.delete(entry.id);
  if (entry.filled === 0) cancelOrder(account, plan, entry.order, 'broker');
};

/** Returns the protective order of a report, which its first one makes known; undefined for the id of another order. */
const exitOf = (real: RealAccount, { client_order_id: id }: FillReport): RealExit | undefined => {
  const known = real.exits.find((exit) => exit.id === id);
  const protective = known ? undefined : protectiveOf(id);
  if (!protective) return known;
  const { account, entryIds } = real.paper;
  const made: RealExit = {
    id,
    level: protective.level,
    filled: 0,
    value: 0,
    fees: 0,
    isOver: false,
    isResting: false,
    trade: account.trades.find((trade) => entryIds.get(trade) === protective.entry),
  };
  real.exits.push(made);
  return made;
};

/** Returns the cause and the expected price of a fill of a protective order. */
const causeOf = (
  { account }: PaperAccount,
  { level, trade }: RealExit,
): Pick<RealClose, 'reason' | 'expected'> => {
  if (level === 'close' || !trade) return { reason: 'unprotected', expected: account.close };
  if (level === 'target') return { reason: 'take_profit', expected: trade.target };
  return { reason: trade.isTrailed ? 'trailing_stop' : 'stop_loss', expected: trade.stop };
};

const RESTING: ReadonlySet<OrderStatus> = new Set(['open', 'partially_filled']);

/** Applies a report on a protective order. What it fills is the exit of its trade. */
const applyExit = (real: RealAccount, exit: RealExit, report: FillReport): void => {
  const part = takePart(real.paper, exit, report);
  if (part) fillClose(real, { trade: exit.trade, ...causeOf(real.paper, exit) }, part);
  exit.isResting = RESTING.has(report.status);
  if (isFinalOrderStatus(report.status)) exit.isOver = true;
};

/**
 * Applies a report of the broker. Also after the order has ended: a late fill is a fact.
 *
 * @throws AccountFaultError for fills that cannot be: of unknown orders, taken back, or of more than is held.
 */
export const applyReport = (real: RealAccount, plan: TradingPlan, report: FillReport): void => {
  const isEnd = isFinalOrderStatus(report.status);
  const exit = exitOf(real, report);
  if (exit) {
    applyExit(real, exit, report);
    return;
  }
  const entry = real.entries.find(({ id }) => id === report.client_order_id);
  const close = real.closes.find(({ id }) => id === report.client_order_id);
  const order = entry ?? close;
  if (!order) {
    if (report.filled_quantity === '0') return;
    throw new AccountFaultError('the broker filled an order that the account does not know');
  }
  const part = takePart(real.paper, order, report);
  if (entry) {
    if (part) fillEntry(real, plan, entry, part);
    if (isEnd && !entry.isOver) endEntry(real, plan, entry);
  } else if (close) {
    if (part) fillClose(real, close, part);
    if (isEnd && !close.isOver) close.endedAt = real.paper.index;
  }
  if (isEnd) order.isOver = true;
};
