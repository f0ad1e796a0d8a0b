import { HIGH, LOW, OPEN, START } from '../group.ts';
import { at } from '../memory.ts';
import { type EntryPlan, priceAtDistance, type TradingPlan } from '../plan.ts';
import {
  type Account,
  type CancelReason,
  type ClosedTrade,
  type ExitReason,
  expose,
  nameOfSide,
  type OpenTrade,
  type PendingOrder,
} from './account.ts';
import { chargeRollovers } from './financing.ts';
import { commissionOf, sizeOf } from './sizing.ts';

/** Price and bar of market fills. */
export interface MarketFill {
  readonly price: number;
  readonly bar: number;
  readonly at: number;
  /** Price that the decision or the order named, to which slippage is compared. */
  readonly expected: number;
}

const PERCENT = 100;

/** Ends an order without a fill. The caller takes it out of the list. */
export const cancelOrder = (
  account: Account,
  plan: TradingPlan,
  order: PendingOrder,
  reason: CancelReason,
): void => {
  account.cancelled.push({
    side: nameOfSide(plan.entries[order.entry]?.side ?? 1),
    placed_bar: order.placedBar,
    placed_at: order.placedAt,
    bar: account.bar,
    reason,
  });
  account.journal?.push({ type: 'cancelled', order, reason });
};

/** Closes steps of a trade at a price. The caller takes a trade without steps out of the list. */
const closeSteps = (
  account: Account,
  trade: OpenTrade,
  steps: number,
  { price, bar, at: exitAt, expected }: MarketFill,
  reason: ExitReason,
): void => {
  const { settings } = account;
  const quantity = steps * settings.size_step;
  const part = steps / trade.steps;
  const entryFee = trade.entryFee * part;
  const swap = trade.swap * part;
  // The owner's price of a manual close is net.
  const exitFee = reason === 'manual' ? 0 : commissionOf(settings, quantity, price);
  const gross = trade.side * (quantity * settings.contract_size) * (price - trade.entryPrice);
  account.cash += gross - exitFee;
  trade.steps -= steps;
  trade.entryFee -= entryFee;
  trade.swap -= swap;
  trade.closing = 0;
  const fees = entryFee + exitFee;
  const pnl = gross - fees + swap;
  const value = Math.abs(trade.entryPrice) * quantity * settings.contract_size;
  const closed: ClosedTrade = {
    side: nameOfSide(trade.side),
    quantity,
    entry_bar: trade.entryBar,
    entry_at: trade.entryAt,
    entry_price: trade.entryPrice,
    exit_bar: bar,
    exit_at: exitAt,
    exit_price: price,
    exit_reason: reason,
    pnl,
    fees,
    swap,
    return_pct: value === 0 ? 0 : (pnl / value) * PERCENT,
  };
  account.closed.push(closed);
  account.journal?.push({ type: 'exited', trade, steps, fee: exitFee, expected, closed });
  account.exitBar = bar;
  expose(account, bar);
};

/** Takes closed trades out of the list, in place. */
const dropClosed = ({ trades }: Account): void => {
  let kept = 0;
  for (const trade of trades) {
    if (trade.steps > 0) {
      trades[kept] = trade;
      kept += 1;
    }
  }
  trades.length = kept;
};

/** Closes all open trades at once. */
export const closeAll = (account: Account, fill: MarketFill, reason: ExitReason): void => {
  for (const trade of account.trades) closeSteps(account, trade, trade.steps, fill, reason);
  account.trades.length = 0;
  account.isClosing = false;
};

/** Closes one trade at once, at the owner's request. */
export const closeManually = (account: Account, trade: OpenTrade, fill: MarketFill): void => {
  closeSteps(account, trade, trade.steps, fill, 'manual');
  dropClosed(account);
  account.isClosing = account.trades.some(({ closing }) => closing > 0);
};

/** Fills the closes that were requested. */
export const fillCloses = (account: Account, market: MarketFill): void => {
  const { slippage_rate } = account.settings;
  for (const trade of account.trades) {
    if (trade.closing === 0) continue;
    const price = market.price * (1 - trade.side * slippage_rate);
    closeSteps(account, trade, trade.closing, { ...market, price }, trade.closingReason);
  }
  dropClosed(account);
  account.isClosing = false;
};

/** Fills the stop of a trade, else its target. A bar that holds both counts as stopped. */
const fillStop = (account: Account, trade: OpenTrade, bar: Float64Array): boolean => {
  const { side, stop, target } = trade;
  const adverse = side === 1 ? at(bar, LOW) : at(bar, HIGH);
  const favourable = side === 1 ? at(bar, HIGH) : at(bar, LOW);
  const isStopped = side === 1 ? adverse <= stop : adverse >= stop;
  const isTarget = side === 1 ? favourable >= target : favourable <= target;
  if (!isStopped && !isTarget) return false;
  const open = at(bar, OPEN);
  const fill = { bar: account.bar, at: at(bar, START) };
  if (isStopped) {
    if (isTarget) account.ambiguousBars += 1;
    const touched = side === 1 ? Math.min(open, stop) : Math.max(open, stop);
    const price = touched * (1 - side * account.settings.slippage_rate);
    closeSteps(
      account,
      trade,
      trade.steps,
      { ...fill, price, expected: stop },
      trade.isTrailed ? 'trailing_stop' : 'stop_loss',
    );
  } else {
    const price = side === 1 ? Math.max(open, target) : Math.min(open, target);
    closeSteps(account, trade, trade.steps, { ...fill, price, expected: target }, 'take_profit');
  }
  return true;
};

/** Fills stops and targets of the trades from an index on. */
export const fillStops = (account: Account, bar: Float64Array, from: number): void => {
  const { trades } = account;
  let isClosed = false;
  for (let index = from; index < trades.length; index += 1) {
    const trade = trades[index];
    if (trade && trade.stopsFrom <= account.bar && fillStop(account, trade, bar)) isClosed = true;
  }
  if (isClosed) dropClosed(account);
};

/** Returns the price of an order's fill before spread and slippage; NaN if it does not fill. */
const touchedPrice = (
  entry: EntryPlan,
  order: PendingOrder,
  bar: Float64Array,
  market: MarketFill,
): number => {
  const open = at(bar, OPEN);
  const { price } = order;
  if (entry.kind === 'market') return market.price;
  if (entry.kind === 'limit') {
    if (entry.side === 1) return at(bar, LOW) <= price ? Math.min(open, price) : Number.NaN;
    return at(bar, HIGH) >= price ? Math.max(open, price) : Number.NaN;
  }
  if (entry.side === 1) return at(bar, HIGH) >= price ? Math.max(open, price) : Number.NaN;
  return at(bar, LOW) <= price ? Math.min(open, price) : Number.NaN;
};

const basisOf = (account: Account, entry: EntryPlan, order: PendingOrder, entryPrice: number): number => {
  if (account.settings.stop_basis === 'fill') return entryPrice;
  return entry.kind === 'market' ? order.signalClose : order.price;
};

/** Returns whether a stop entry's target fills in the entry bar: the bar reaches it and does not touch the stop. */
const reachesTarget = (trade: OpenTrade, bar: Float64Array): boolean =>
  trade.side === 1
    ? at(bar, HIGH) >= trade.target && !(at(bar, LOW) <= trade.stop)
    : at(bar, LOW) <= trade.target && !(at(bar, HIGH) >= trade.stop);

/** Fills an entry order if the bar reaches it. Returns whether the order is done. */
const fillOrder = (
  account: Account,
  plan: TradingPlan,
  order: PendingOrder,
  bar: Float64Array,
  market: MarketFill,
): boolean => {
  const entry = plan.entries[order.entry];
  if (!entry) return true;
  const touched = touchedPrice(entry, order, bar, market);
  if (Number.isNaN(touched)) return false;
  const { settings, trades } = account;
  const { side, kind, stopLoss, takeProfit } = entry;
  if (trades.some((trade) => trade.side !== side)) {
    cancelOrder(account, plan, order, 'opposite_trade');
    return true;
  }
  const price = kind === 'limit' ? touched : touched * (1 + side * settings.slippage_rate);
  const entryPrice = price * (1 + side * settings.spread_rate);
  const basis = basisOf(account, entry, order, entryPrice);
  const stop = stopLoss ? priceAtDistance(stopLoss, order.stopPoints, basis, -side) : Number.NaN;
  const target = takeProfit ? priceAtDistance(takeProfit, order.targetPoints, basis, side) : Number.NaN;
  const steps = sizeOf(account, entry, {
    price,
    entryPrice,
    stopDistance: Math.abs(basis - stop),
    open: at(bar, OPEN),
  });
  if (typeof steps === 'string') {
    cancelOrder(account, plan, order, steps);
    return true;
  }
  const isMarket = kind === 'market';
  const entryFee = commissionOf(settings, steps * settings.size_step, entryPrice);
  const entryBar = isMarket ? market.bar : account.bar;
  const trade: OpenTrade = {
    side,
    steps,
    entryPrice,
    entryBar,
    entryAt: isMarket ? market.at : at(bar, START),
    entryFee,
    swap: 0,
    stop,
    target,
    isTrailed: false,
    stopsFrom: isMarket ? account.bar : account.bar + 1,
    entry: order.entry,
    closing: 0,
    closingReason: 'exit',
  };
  account.cash -= entryFee;
  // Bars without a trade are not counted.
  if (trades.length === 0) account.exposedTo = Math.max(account.exposedTo, entryBar - 1);
  expose(account, entryBar);
  trades.push(trade);
  account.journal?.push({ type: 'entered', order, trade, steps, fee: entryFee, stop });
  if (kind === 'stop' && reachesTarget(trade, bar)) {
    const exit = side === 1 ? Math.max(at(bar, OPEN), target) : Math.min(at(bar, OPEN), target);
    const fill = { price: exit, bar: account.bar, at: at(bar, START), expected: target };
    closeSteps(account, trade, steps, fill, 'take_profit');
    trades.pop();
  }
  return true;
};

const fillOrders = (account: Account, plan: TradingPlan, bar: Float64Array, market: MarketFill): void => {
  const { orders, trades } = account;
  const before = trades.length;
  let kept = 0;
  for (const order of orders) {
    if (!fillOrder(account, plan, order, bar, market)) {
      orders[kept] = order;
      kept += 1;
    }
  }
  orders.length = kept;
  if (trades.length > before) fillStops(account, bar, before);
};

/**
 * Fills the closes that were requested at the bar before. Swap is charged to the trades that were held at the rollover:
 * with fills at the signal's close, those are known after the closes.
 */
export const fillRequested = (account: Account, bar: Float64Array, market: MarketFill): void => {
  const start = at(bar, START);
  const isBooked = market.bar < account.bar;
  if (!isBooked) chargeRollovers(account, start);
  if (account.isClosing) fillCloses(account, market);
  if (isBooked) chargeRollovers(account, start);
};

/**
 * Fills what was placed before: requested closes, then stops and targets, then entries, oldest first, with the stops
 * of market entries.
 */
export const fillBar = (account: Account, plan: TradingPlan, bar: Float64Array, market: MarketFill): void => {
  fillRequested(account, bar, market);
  if (account.trades.length > 0) fillStops(account, bar, 0);
  if (account.orders.length > 0) fillOrders(account, plan, bar, market);
};
