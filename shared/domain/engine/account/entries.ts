import { HIGH, LOW, OPEN, START } from '../group.ts';
import { at } from '../memory.ts';
import { type EntryPlan, priceAtDistance, type TradingPlan } from '../plan.ts';
import {
  type Account,
  type CancelReason,
  expose,
  nameOfSide,
  type OpenTrade,
  type PendingOrder,
} from './account.ts';
import { closeSteps, fillStops, type MarketFill } from './exits.ts';
import { commissionOf, sizeOf } from './sizing.ts';

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

/** Ends an order. Returns whether it is gone: one at a broker waits until the broker reports its end. */
export const endOrder = (
  account: Account,
  plan: TradingPlan,
  order: PendingOrder,
  reason: CancelReason,
): boolean => {
  if (!account.isReported) {
    cancelOrder(account, plan, order, reason);
    return true;
  }
  if (order.cancelling === undefined) {
    order.cancelling = reason;
    account.journal?.push({ type: 'cancelling', order, reason });
  }
  return false;
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

/** Fills the entry orders that the bar reaches, oldest first, with the stops of market entries. */
export const fillOrders = (
  account: Account,
  plan: TradingPlan,
  bar: Float64Array,
  market: MarketFill,
): void => {
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
