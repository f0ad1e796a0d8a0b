import { isPassed } from './admission.ts';
import { depthOf, isWaiting, type Market, priceOf, trades } from './market.ts';
import { type HeldOrder, isOpen, leftOf, positionSymbol, rounded } from './orders.ts';

const timeOf = ({ clock }: Market): string => clock().toISOString().replace('Z', '000000Z');

/** Gives an order a status. */
export const setStatus = (market: Market, order: HeldOrder, status: string): void => {
  order.status = status;
  order.updated_at = timeOf(market);
};

const endOthers = (market: Market, order: HeldOrder): void => {
  for (const exit of order.group?.exits ?? []) {
    if (exit !== order && isOpen(exit)) setStatus(market, exit, 'canceled');
  }
};

/** Cancels an order with those that depend on it. */
export const endOrder = (market: Market, order: HeldOrder, status: 'canceled' | 'expired'): void => {
  setStatus(market, order, status);
  for (const exit of order.group?.exits ?? []) if (isOpen(exit)) setStatus(market, exit, status);
};

const isStop = ({ type }: HeldOrder): boolean => type === 'stop' || type === 'stop_limit';

/** Starts the exits of a filled entry: the target works, the stop below it is held. */
const startExits = (market: Market, { group }: HeldOrder): void => {
  for (const exit of group?.exits ?? []) {
    setStatus(market, exit, isStop(exit) && group?.kind === 'bracket' ? 'held' : 'new');
  }
};

/** Fills an order up to a cumulative quantity, with what follows for its group and the position. */
export const fillOrder = (market: Market, order: HeldOrder, quantity: number, price: number): void => {
  const before = Number(order.filled_qty);
  const more = rounded(quantity - before);
  const value = before * Number(order.filled_avg_price ?? '0') + more * price;
  order.filled_qty = String(rounded(quantity));
  order.filled_avg_price = String(Number((value / quantity).toFixed(6)));
  const isDone = leftOf(order) === 0;
  if (isDone || order.status !== 'pending_cancel')
    setStatus(market, order, isDone ? 'filled' : 'partially_filled');
  const symbol = positionSymbol(order.symbol);
  const kept = order.asset_class === 'crypto' && order.side === 'buy' ? 1 - market.cryptoFee : 1;
  const held = market.positions.get(symbol) ?? 0;
  market.positions.set(symbol, rounded(held + (order.side === 'buy' ? more * kept : -more)));
  if (market.liquidity !== undefined) {
    market.traded.set(symbol, rounded((market.traded.get(symbol) ?? 0) + more));
  }
  const { group } = order;
  if (!group) return;
  if (order === group.entry) {
    if (isDone) startExits(market, order);
    return;
  }
  if (isDone || isStop(order)) {
    endOthers(market, order);
    return;
  }
  // The stop protects what the target has not sold.
  for (const exit of group.exits) if (exit !== order && isOpen(exit)) exit.qty = String(leftOf(order));
};

const WORKING = new Set(['new', 'partially_filled', 'pending_cancel', 'pending_replace']);

/** Lets a stop begin to work once its price is reached. Returns whether the order may trade. */
const trigger = (market: Market, order: HeldOrder, price: number): boolean => {
  if (!isStop(order) || order.isTriggered) return true;
  if (!isPassed(order.side, Number(order.stop_price), price)) return false;
  order.isTriggered = true;
  if (order.status === 'held') setStatus(market, order, 'new');
  endOthers(market, order);
  return true;
};

const isReached = ({ side, type, limit_price: limit }: HeldOrder, price: number): boolean => {
  if (type === 'market' || type === 'stop') return true;
  return side === 'buy' ? price <= Number(limit) : price >= Number(limit);
};

const tradeOrder = (market: Market, order: HeldOrder): void => {
  const price = priceOf(market, order.symbol);
  const mayWork = WORKING.has(order.status) || (order.status === 'held' && !isWaiting(order));
  if (!mayWork || price === undefined || !trades(market, order) || !trigger(market, order, price)) return;
  if (order.status === 'held') return;
  const isAtOnce = order.time_in_force === 'ioc' || order.time_in_force === 'fok';
  const depth = isReached(order, price) ? Math.min(leftOf(order), depthOf(market, order.symbol)) : 0;
  const isTooLittle = order.time_in_force === 'fok' && depth < leftOf(order);
  if (depth > 0 && !isTooLittle) fillOrder(market, order, rounded(Number(order.filled_qty) + depth), price);
  if (isAtOnce && isOpen(order)) endOrder(market, order, 'canceled');
};

/** Finishes cancels and replacements whose time has come. */
const finishPending = (market: Market, order: HeldOrder): void => {
  if (order.pendingUntil === undefined || order.pendingUntil > market.clock().getTime()) return;
  order.pendingUntil = undefined;
  if (order.status === 'pending_cancel') endOrder(market, order, 'canceled');
  if (order.status !== 'pending_new' || order.replaces === null) return;
  const old = market.orders.find(({ id }) => id === order.replaces);
  if (!old) return;
  if (!isOpen(old) || market.rejectsReplacements) {
    setStatus(market, order, 'rejected');
    if (old.status === 'pending_replace')
      setStatus(market, old, old.filled_qty === '0' ? 'new' : 'partially_filled');
    return;
  }
  takeOver(market, old, order);
};

/** Puts a replacement in the place of its order. */
export const takeOver = (market: Market, old: HeldOrder, order: HeldOrder): void => {
  const isHeld = old.group !== undefined && isStop(old) && !old.isTriggered;
  setStatus(market, old, 'replaced');
  old.replaced_by = order.id;
  // Fills remain with the replaced order.
  order.qty = String(rounded(Number(order.qty) - Number(old.filled_qty)));
  setStatus(market, order, isHeld && old.group?.kind !== 'oto' ? 'held' : 'new');
  const { group } = old;
  if (!group) return;
  order.group = group;
  group.exits = group.exits.map((exit) => (exit === old ? order : exit));
};

/** Lets the market go on to the present time and price. */
export const settle = (market: Market): void => {
  const now = market.clock().getTime();
  for (const order of [...market.orders]) {
    finishPending(market, order);
    if (isOpen(order) && order.expiresAt <= now) endOrder(market, order, 'expired');
    if (order.status === 'accepted' && trades(market, order)) setStatus(market, order, 'new');
    tradeOrder(market, order);
  }
};
