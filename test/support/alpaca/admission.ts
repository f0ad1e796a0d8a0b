import { type OrderRequest, type Refusal, refusal, unprocessable } from './description.ts';
import { availableOf, isWaiting, type Market, openQuantity, positionOf, priceOf } from './market.ts';
import { assetClassOf, type HeldOrder, isOpen, positionSymbol } from './orders.ts';

type Rule = (asked: OrderRequest, market: Market) => Refusal | undefined;

const CENT = 0.01;

const isComplex = ({ order_class: kind }: OrderRequest): boolean =>
  kind === 'oco' || kind === 'oto' || kind === 'bracket';

/** Prices that a type needs, and those that it must not have. */
const prices: Rule = ({ type, limit_price: limit, stop_price: stop, order_class: kind }) => {
  if (kind === 'oco') return undefined;
  const needsLimit = type === 'limit' || type === 'stop_limit';
  const needsStop = type === 'stop' || type === 'stop_limit';
  if (needsLimit !== (limit !== undefined)) {
    return unprocessable(`${type} orders ${needsLimit ? 'require' : 'must not have'} limit_price`);
  }
  if (needsStop !== (stop !== undefined)) {
    return unprocessable(`${type} orders ${needsStop ? 'require' : 'must not have'} stop_price`);
  }
  return undefined;
};

const increments: Rule = ({ symbol, limit_price, stop_price, take_profit, stop_loss }) => {
  if (assetClassOf(symbol) === 'crypto') return undefined;
  const all = [
    limit_price,
    stop_price,
    take_profit?.limit_price,
    stop_loss?.stop_price,
    stop_loss?.limit_price,
  ];
  const wrong = all.find((price) => {
    const digits = price?.split('.')[1]?.length ?? 0;
    return digits > (Number(price) < 1 ? 4 : 2);
  });
  return wrong === undefined
    ? undefined
    : unprocessable(
        `invalid limit_price ${wrong}. sub-penny increment does not fulfill minimum pricing criteria`,
      );
};

const crypto: Rule = (asked) => {
  if (assetClassOf(asked.symbol) !== 'crypto') return undefined;
  const { type, time_in_force: tif } = asked;
  if (isComplex(asked)) {
    return unprocessable(`crypto orders not allowed for advanced order_class: ${asked.order_class}`);
  }
  if (type === 'stop') return unprocessable('invalid order type for crypto order');
  if (tif !== 'gtc' && tif !== 'ioc') return unprocessable('invalid crypto time_in_force');
  return tif === 'ioc' && type === 'stop_limit' ? unprocessable('invalid crypto time_in_force') : undefined;
};

const equity: Rule = (asked) => {
  if (assetClassOf(asked.symbol) === 'crypto') return undefined;
  const { qty, type, time_in_force: tif } = asked;
  if (!Number.isInteger(Number(qty))) {
    if (isComplex(asked)) return unprocessable('fractional orders must be simple orders');
    if (tif !== 'day') return unprocessable('fractional orders must be DAY orders');
  }
  const isAtOnce = tif === 'ioc' || tif === 'fok';
  if (isAtOnce && type !== 'market' && type !== 'limit') {
    return unprocessable(`invalid time_in_force for ${type} orders`);
  }
  return isAtOnce && isComplex(asked)
    ? unprocessable('complex orders only support day and gtc time_in_force')
    : undefined;
};

/** Requires of exits what their class needs, on the right sides of the price. */
const exits: Rule = (asked, market) => {
  const { order_class: kind, take_profit: target, stop_loss: stop, side, type } = asked;
  if (!isComplex(asked)) {
    return target || stop ? unprocessable('simple orders must not have take_profit or stop_loss') : undefined;
  }
  if (kind === 'oco' && type !== 'limit') return unprocessable('oco orders must be limit orders');
  const limit = target?.limit_price ?? (kind === 'oco' ? asked.limit_price : undefined);
  if (kind !== 'oto' && (limit === undefined || !stop)) {
    return unprocessable(`${kind} orders require take_profit.limit_price and stop_loss.stop_price`);
  }
  if (kind === 'oto' && (limit === undefined) === (stop === undefined)) {
    return unprocessable('oto orders require either take_profit or stop_loss');
  }
  const price = priceOf(market, asked.symbol);
  const base = kind !== 'oco' && asked.limit_price !== undefined ? Number(asked.limit_price) : price;
  if (base === undefined) return undefined;
  const exitsDown = (kind === 'oco') === (side === 'buy');
  const [above, below] = exitsDown ? [stop?.stop_price, limit] : [limit, stop?.stop_price];
  const [aboveName, belowName] = exitsDown
    ? ['stop_loss.stop_price', 'take_profit.limit_price']
    : ['take_profit.limit_price', 'stop_loss.stop_price'];
  if (above !== undefined && Number(above) < base + CENT) {
    return unprocessable(`${aboveName} must be >= base_price + 0.01`);
  }
  return below !== undefined && Number(below) > base - CENT
    ? unprocessable(`${belowName} must be <= base_price - 0.01`)
    : undefined;
};

/** True if the price has reached a stop. */
export const isPassed = (side: HeldOrder['side'], stop: number, price: number): boolean =>
  side === 'sell' ? price <= stop : price >= stop;

const passedStop: Rule = ({ symbol, side, stop_price: stop }, market) => {
  const price = priceOf(market, symbol);
  if (!market.refusesPassedStops || stop === undefined || price === undefined) return undefined;
  return isPassed(side, Number(stop), price)
    ? unprocessable(`stop price must be ${side === 'sell' ? 'less' : 'greater'} than current price`)
    : undefined;
};

/** Refuses orders for more than the position that no other order holds. */
const availability: Rule = (asked, market) => {
  const { symbol, side, qty, order_class: kind } = asked;
  const held = positionOf(market, symbol);
  const closes = held !== 0 && side === (held > 0 ? 'sell' : 'buy');
  const available = closes ? availableOf(market, symbol) : 0;
  const wanted = Number(qty);
  const isCrypto = assetClassOf(symbol) === 'crypto';
  const opensShort = !closes && side === 'sell';
  if (opensShort && kind !== 'oco' && !isCrypto && !Number.isInteger(wanted)) {
    return unprocessable('fractional orders cannot be sold short');
  }
  const needs = kind === 'oco' || closes || (opensShort && isCrypto);
  if (!needs || wanted <= available || !market.checksAvailability) return undefined;
  const more = {
    symbol: positionSymbol(symbol),
    existing_qty: String(held),
    held_for_orders: String(openQuantity(market, symbol, side)),
    available: String(available),
  };
  const text = `(requested: ${qty}, available: ${available})`;
  const message = isCrypto
    ? `insufficient balance for ${symbol.split('/')[0]} ${text}`
    : `insufficient qty available for order ${text}`;
  return refusal(403, 40310000, message, more);
};

const isLimit = ({ type }: Pick<HeldOrder, 'type'>): boolean => type === 'limit' || type === 'stop_limit';

/** Refuses orders that could trade with an open one of the other side. Complex orders are exempt. */
const washTrade: Rule = (asked, market) => {
  if (isComplex(asked)) return undefined;
  const own = positionSymbol(asked.symbol);
  const met = market.orders.find((order) => {
    if (!isOpen(order) || order.side === asked.side || positionSymbol(order.symbol) !== own) return false;
    if (isWaiting(order) && order.group?.entry !== order) return false;
    if (!isLimit(asked) || !isLimit(order)) return true;
    const [buy, sell] =
      asked.side === 'buy' ? [asked.limit_price, order.limit_price] : [order.limit_price, asked.limit_price];
    return Number(buy) >= Number(sell);
  });
  if (!met) return undefined;
  return refusal(403, 40310000, 'potential wash trade detected. use complex orders', {
    existing_order_id: met.id,
    reject_reason: `opposite side ${isLimit(met) ? 'limit' : 'market/stop'} order exists`,
  });
};

const unique: Rule = ({ client_order_id: id }, { orders }) =>
  id !== undefined && orders.some((order) => order.client_order_id === id)
    ? refusal(422, 40010001, 'client_order_id must be unique')
    : undefined;

const RULES: readonly Rule[] = [
  unique,
  prices,
  increments,
  crypto,
  equity,
  exits,
  passedStop,
  washTrade,
  availability,
];

/** Returns the documented refusal of an order; undefined if Alpaca takes it. */
export const admit = (asked: OrderRequest, market: Market): Refusal | undefined => {
  for (const rule of RULES) {
    const refused = rule(asked, market);
    if (refused) return refused;
  }
  return Number(asked.qty) > 0 ? undefined : unprocessable('qty must be > 0');
};
