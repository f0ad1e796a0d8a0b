import { admit } from './admission.ts';
import { type OrderRequest, type PatchRequest, type Refusal, refusal, unprocessable } from './description.ts';
import { availableOf, type Market, trades } from './market.ts';
import { assetClassOf, type Group, type HeldOrder, isOpen, makeOrder } from './orders.ts';
import { endOrder, setStatus, settle, takeOver } from './trading.ts';

const classOf = ({ order_class: kind }: OrderRequest): HeldOrder['order_class'] =>
  kind === undefined || kind === '' ? 'simple' : kind;

const other = (side: HeldOrder['side']): HeldOrder['side'] => (side === 'buy' ? 'sell' : 'buy');

/** Makes the exits of a complex order. In an OCO the order itself is the target. */
const exitsOf = (market: Market, asked: OrderRequest, order: HeldOrder): HeldOrder[] => {
  const { take_profit: target, stop_loss: stop } = asked;
  const isOco = order.order_class === 'oco';
  const common = {
    symbol: order.symbol,
    side: isOco ? order.side : other(order.side),
    time_in_force: order.time_in_force,
    order_class: order.order_class,
    qty: order.qty,
    status: 'held',
    expiresAt: order.expiresAt,
  };
  const exits: HeldOrder[] = isOco ? [order] : [];
  if (target && !isOco) {
    exits.push(makeOrder(market.clock(), { ...common, type: 'limit', limit_price: target.limit_price }));
  }
  if (stop) {
    const { stop_price, limit_price = null } = stop;
    const type = limit_price === null ? 'stop' : 'stop_limit';
    exits.push(makeOrder(market.clock(), { ...common, type, stop_price, limit_price }));
  }
  return exits;
};

/** Takes an order, or refuses it as documented. */
export const placeOrder = (market: Market, asked: OrderRequest): HeldOrder | Refusal => {
  settle(market);
  const refused = admit(asked, market);
  if (refused) return refused;
  const now = market.clock().getTime();
  const kind = classOf(asked);
  const order = makeOrder(market.clock(), {
    symbol: asked.symbol,
    side: asked.side,
    type: asked.type,
    time_in_force: asked.time_in_force,
    order_class: kind,
    qty: asked.qty,
    limit_price: asked.limit_price ?? (kind === 'oco' ? (asked.take_profit?.limit_price ?? null) : null),
    stop_price: asked.stop_price ?? null,
    status: trades(market, { asset_class: assetClassOf(asked.symbol) }) ? 'new' : 'accepted',
    expiresAt: asked.time_in_force === 'day' ? market.sessions.closeAfter(now) : Number.POSITIVE_INFINITY,
    ...(asked.client_order_id !== undefined && { client_order_id: asked.client_order_id }),
  });
  market.orders.push(order);
  if (kind !== 'simple') {
    const exits = exitsOf(market, asked, order);
    const group: Group = { kind, entry: kind === 'oco' ? undefined : order, exits };
    order.group = group;
    for (const exit of exits) exit.group = group;
    market.orders.push(...exits.filter((exit) => exit !== order));
  }
  settle(market);
  return order;
};

/** Cancels an open order, with those that depend on it. Returns undefined if it is done. */
export const cancelOrder = (market: Market, id: string): Refusal | undefined => {
  settle(market);
  const order = market.orders.find((one) => one.id === id);
  if (!order) return refusal(404, 40410000, 'order not found');
  if (!isOpen(order)) return unprocessable(`order is already in "${order.status}" state`);
  if (order.status === 'pending_replace') return unprocessable('order is pending replace');
  if (order.status === 'pending_cancel') return unprocessable('order pending cancel');
  if (market.pendingMs === 0) {
    endOrder(market, order, 'canceled');
    return undefined;
  }
  const until = market.clock().getTime() + market.pendingMs;
  for (const one of new Set([order, ...(order.group?.exits ?? [])])) {
    if (!isOpen(one)) continue;
    setStatus(market, one, 'pending_cancel');
    one.pendingUntil = until;
  }
  return undefined;
};

const UNREPLACEABLE = new Set(['accepted', 'pending_new', 'pending_cancel', 'pending_replace']);

const refuseReplacing = (market: Market, order: HeldOrder, asked: PatchRequest): Refusal | undefined => {
  const { qty, limit_price: limit, stop_price: stop, client_order_id: id } = asked;
  if (!isOpen(order)) return unprocessable('order is not open');
  if (UNREPLACEABLE.has(order.status)) return unprocessable(`cannot replace order in ${order.status} status`);
  if (id !== undefined && market.orders.some((one) => one.client_order_id === id)) {
    return refusal(422, 40010001, 'client_order_id must be unique');
  }
  if (limit !== undefined && order.limit_price === null) {
    return unprocessable(`${order.type} orders must not have limit_price`);
  }
  if (stop !== undefined && order.stop_price === null) {
    return unprocessable(`${order.type} orders must not have stop_price`);
  }
  const changes = [
    [qty, order.qty],
    [limit, order.limit_price],
    [stop, order.stop_price],
    [asked.time_in_force, order.time_in_force],
  ].some(([next, now]) => next !== undefined && next !== now);
  if (!changes) return unprocessable('order parameters are not changed');
  if (qty === undefined || qty === order.qty) return undefined;
  if (order.group) return unprocessable('only limit_price and stop_price of complex orders can be replaced');
  if (!Number.isInteger(Number(qty)) || !Number.isInteger(Number(order.qty))) {
    return unprocessable('qty of fractional orders cannot be replaced');
  }
  const more = Number(qty) - Number(order.qty);
  return market.checksAvailability && more > availableOf(market, order.symbol)
    ? refusal(403, 40310000, `insufficient qty available for order (requested: ${qty})`)
    : undefined;
};

/** Replaces an order by one with another id, or refuses to as documented. */
export const replaceOrder = (market: Market, id: string, asked: PatchRequest): HeldOrder | Refusal => {
  settle(market);
  const old = market.orders.find((one) => one.id === id);
  if (!old) return refusal(404, 40410000, 'order not found');
  const refused = refuseReplacing(market, old, asked);
  if (refused) return refused;
  const order = makeOrder(market.clock(), {
    symbol: old.symbol,
    side: old.side,
    type: old.type,
    order_class: old.order_class,
    time_in_force: asked.time_in_force ?? old.time_in_force,
    qty: asked.qty ?? old.qty,
    limit_price: asked.limit_price ?? old.limit_price,
    stop_price: asked.stop_price ?? old.stop_price,
    replaces: old.id,
    status: 'pending_new',
    expiresAt: old.expiresAt,
    pendingUntil: market.clock().getTime() + market.pendingMs,
    ...(asked.client_order_id !== undefined && { client_order_id: asked.client_order_id }),
  });
  market.orders.push(order);
  if (market.pendingMs === 0 && !market.rejectsReplacements) {
    order.pendingUntil = undefined;
    takeOver(market, old, order);
  } else setStatus(market, old, 'pending_replace');
  settle(market);
  return order;
};

/** Closes a position at the market, as the owner does by hand. */
export const closePosition = (market: Market, symbol: string, held: number): HeldOrder | Refusal =>
  placeOrder(market, {
    symbol,
    qty: String(Math.abs(held)),
    side: held > 0 ? 'sell' : 'buy',
    type: 'market',
    time_in_force: assetClassOf(symbol) === 'crypto' ? 'gtc' : 'day',
  });
