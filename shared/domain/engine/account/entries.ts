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
import type { MarketFill } from './exits.ts';
import { movedPrice } from './moved-price.ts';
import { commissionOf, sizeOf } from './sizing.ts';
import { type Entered, fillNextBar, fillStops } from './stops.ts';
import { isBetter, isWorse, throughLimit } from './within-bar.ts';

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

/** Returns whether a price reaches a limit or stop order. */
const reaches = (
  { settings }: Account,
  { side, kind }: EntryPlan,
  price: number,
  order: PendingOrder,
): boolean =>
  kind === 'limit'
    ? isWorse(side, price, throughLimit(settings, -side, order.price))
    : isBetter(side, price, order.price);

/** Returns the price of an order's fill before spread and slippage; NaN if it does not fill. */
const touchedPrice = (
  account: Account,
  entry: EntryPlan,
  order: PendingOrder,
  bar: Float64Array,
  market: MarketFill,
): number => {
  if (entry.kind === 'market') return market.price;
  const open = at(bar, OPEN);
  if (reaches(account, entry, open, order)) return open;
  const isLow = (entry.kind === 'limit') === (entry.side === 1);
  return reaches(account, entry, at(bar, isLow ? LOW : HIGH), order) ? order.price : Number.NaN;
};

const basisOf = (account: Account, entry: EntryPlan, order: PendingOrder, entryPrice: number): number => {
  if (account.settings.stop_basis === 'fill') return entryPrice;
  return entry.kind === 'market' ? order.signalClose : order.price;
};

/** Fills of entry orders. */
interface Fills {
  readonly bar: Float64Array;
  readonly market: MarketFill;
  /** Trades whose stops the bar decides about. */
  readonly entered: Entered[];
}

/** Fills an entry order if the bar reaches it. Returns whether the order is done. */
const fillOrder = (
  account: Account,
  plan: TradingPlan,
  order: PendingOrder,
  { bar, market, entered }: Fills,
): boolean => {
  const entry = plan.entries[order.entry];
  if (!entry) return true;
  const touched = touchedPrice(account, entry, order, bar, market);
  if (Number.isNaN(touched)) return false;
  const { settings, trades } = account;
  const { side, kind, stopLoss, takeProfit } = entry;
  const isMarket = kind === 'market';
  const isWorst = settings.entry_bar === 'worst';
  const isAtOpen = isMarket || reaches(account, entry, at(bar, OPEN), order);
  if (!isAtOpen) account.isTouchedBar = true;
  if (trades.some((trade) => trade.side !== side)) {
    cancelOrder(account, plan, order, 'opposite_trade');
    return true;
  }
  const price = kind === 'limit' ? touched : movedPrice(touched, side, settings.slippage_rate);
  const entryPrice = movedPrice(price, side, settings.spread_rate);
  const basis = basisOf(account, entry, order, entryPrice);
  const stop = stopLoss ? priceAtDistance(stopLoss, order.stopPoints, basis, -side) : Number.NaN;
  const target = takeProfit ? priceAtDistance(takeProfit, order.targetPoints, basis, side) : Number.NaN;
  const isBooked = isMarket && market.bar < account.bar;
  const steps = sizeOf(account, entry, {
    price,
    entryPrice,
    stopDistance: Math.abs(basis - stop),
    open: isBooked && isWorst ? market.price : at(bar, OPEN),
  });
  if (typeof steps === 'string') {
    cancelOrder(account, plan, order, steps);
    return true;
  }
  const entryFee = commissionOf(settings, steps * settings.size_step, entryPrice);
  const entryBar = isMarket ? market.bar : account.bar;
  const trade: OpenTrade = {
    side,
    steps,
    entryPrice,
    low: Number.POSITIVE_INFINITY,
    high: Number.NEGATIVE_INFINITY,
    entryBar,
    entryAt: isMarket ? market.at : at(bar, START),
    entryFee,
    swap: 0,
    stop,
    target,
    isTrailed: false,
    place: isMarket || (isWorst && isAtOpen && market.at === at(bar, START)) ? 'open' : kind,
    entry: order.entry,
    closing: 0,
    closingReason: 'exit',
  };
  account.cash -= entryFee;
  account.liquidatedBelow = Number.POSITIVE_INFINITY;
  // Bars without a trade are not counted.
  if (trades.length === 0) account.exposedTo = Math.max(account.exposedTo, entryBar - 1);
  expose(account, entryBar);
  trades.push(trade);
  account.filledAt = trade.entryAt;
  account.journal?.push({ type: 'entered', order, trade, steps, fee: entryFee, stop });
  if (isWorst || isMarket) {
    entered.push({ trade, place: isAtOpen ? 'open' : kind, begin: isMarket ? at(bar, OPEN) : touched });
  } else {
    fillNextBar(account, trade, kind, bar);
    if (trade.steps === 0) trades.pop();
  }
  return true;
};

/** Fills the entry orders that the bar reaches, oldest first. Returns the trades whose stops the bar decides about. */
const fillReached = (
  account: Account,
  plan: TradingPlan,
  bar: Float64Array,
  market: MarketFill,
  isConcerned: (order: PendingOrder) => boolean,
): Entered[] => {
  const { orders } = account;
  const fills = { bar, market, entered: [] };
  let kept = 0;
  for (const order of orders) {
    if (isConcerned(order) && fillOrder(account, plan, order, fills)) continue;
    orders[kept] = order;
    kept += 1;
  }
  orders.length = kept;
  return fills.entered;
};

/** Books the market entries without their stops. */
export const bookEntries = (
  account: Account,
  plan: TradingPlan,
  bar: Float64Array,
  market: MarketFill,
): void => {
  const isMarket = ({ entry }: PendingOrder) => plan.entries[entry]?.kind === 'market';
  fillReached(account, plan, bar, market, isMarket);
};

/** Fills the entry orders that the bar reaches, oldest first, with their stops. */
export const fillOrders = (
  account: Account,
  plan: TradingPlan,
  bar: Float64Array,
  market: MarketFill,
): void => {
  const entered = fillReached(account, plan, bar, market, () => true);
  if (entered.length > 0) fillStops(account, bar, entered);
};
