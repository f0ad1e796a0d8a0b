import { type Decimal, decimal } from '../../../shared/domain/money.ts';
import { type Params, type Refusal, refusal } from './description.ts';
import {
  type HeldOrder,
  isOpen,
  isTriggered,
  lockedOf,
  type Market,
  type Pair,
  totalOf,
  ZERO,
} from './market.ts';

const filtered = (name: string): Refusal => refusal(-1013, `Filter failure: ${name}`);
const rejected = (msg: string): Refusal => refusal(-2010, msg);

/** Parameters that a type of orders needs. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  LIMIT: ['timeInForce', 'quantity', 'price'],
  MARKET: ['quantity'],
  STOP_LOSS: ['quantity', 'stopPrice'],
  STOP_LOSS_LIMIT: ['timeInForce', 'quantity', 'price', 'stopPrice'],
  LIMIT_MAKER: ['quantity', 'price'],
};
const OPTIONAL = ['timeInForce', 'quantity', 'price', 'stopPrice'];
const MAX_DECIMALS = 8;
const ALGO = new Set(['STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT']);

/** An order that is asked for. */
export type AskedOrder = Pick<
  HeldOrder,
  'symbol' | 'side' | 'type' | 'quantity' | 'price' | 'stopPrice' | 'timeInForce' | 'clientOrderId'
>;

/** Returns the refusal of parameters that the type needs or must not have. */
export const refusedForm = (params: Params): Refusal | undefined => {
  const needed = NEEDED[params.type ?? ''];
  if (!needed) return refusal(-1116, 'Invalid orderType.');
  for (const name of OPTIONAL) {
    const value = params[name];
    if (needed.includes(name) && value === undefined) {
      return refusal(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`);
    }
    if (!needed.includes(name) && value !== undefined) {
      return refusal(-1106, `Parameter '${name}' sent when not required.`);
    }
    if (name !== 'timeInForce' && (value?.split('.')[1]?.length ?? 0) > MAX_DECIMALS) {
      return refusal(-1111, `Parameter '${name}' has too much precision.`);
    }
  }
  return undefined;
};

const isBetween = (amount: Decimal, step: string): boolean => !decimal(step).eq(0) && !amount.mod(step).eq(0);

const PERCENT_UP = '5';
const PERCENT_DOWN = '0.2';

/** Returns the filter that an order fails. */
export const failedFilter = (market: Market, pair: Pair, order: AskedOrder): Refusal | undefined => {
  const { quantity, price, stopPrice, type } = order;
  const last = market.prices.get(pair.symbol);
  if ([price, stopPrice].some((one) => isBetween(one, pair.tick))) return filtered('PRICE_FILTER');
  if (price.gt(0) && last && (price.gt(last.times(PERCENT_UP)) || price.lt(last.times(PERCENT_DOWN)))) {
    return filtered('PERCENT_PRICE_BY_SIDE');
  }
  if (quantity.lt(pair.minQty) || isBetween(quantity, pair.step)) return filtered('LOT_SIZE');
  const isMarket = type === 'MARKET' || type === 'STOP_LOSS';
  if (isMarket && isBetween(quantity, pair.marketStep)) return filtered('MARKET_LOT_SIZE');
  const value = quantity.times(price.gt(0) ? price : stopPrice.gt(0) ? stopPrice : (last ?? ZERO));
  if (value.lt(pair.minNotional) || value.gt(pair.maxNotional)) return filtered('NOTIONAL');
  const algo = market.orders.filter((one) => one.symbol === pair.symbol && ALGO.has(one.type) && isOpen(one));
  return ALGO.has(type) && algo.length >= pair.maxAlgoOrders ? filtered('MAX_NUM_ALGO_ORDERS') : undefined;
};

/** Returns why the matching engine refuses an order. */
export const rejectedOrder = (market: Market, pair: Pair, order: AskedOrder): Refusal | undefined => {
  const { side, type, quantity, price, clientOrderId } = order;
  if (market.orders.some((one) => one.clientOrderId === clientOrderId && isOpen(one))) {
    return rejected('Duplicate order sent.');
  }
  if (!pair.orderTypes.includes(type)) {
    const words = type.toLowerCase().replaceAll('_', ' ');
    return rejected(`${words[0]?.toUpperCase()}${words.slice(1)} orders are not supported for this symbol.`);
  }
  const last = market.prices.get(pair.symbol);
  if (ALGO.has(type) && last && isTriggered(order, last)) {
    return rejected('Order would trigger immediately.');
  }
  const isTaking = last && (side === 'BUY' ? last.lte(price) : last.gte(price));
  if (type === 'LIMIT_MAKER' && isTaking) return rejected('Order would immediately match and take.');
  const asset = side === 'BUY' ? pair.quote : pair.base;
  const needed = side === 'BUY' ? quantity.times(price.gt(0) ? price : (last ?? ZERO)) : quantity;
  const free = totalOf(market, asset).minus(lockedOf(market, asset));
  return free.lt(needed) ? rejected('Account has insufficient balance for requested action.') : undefined;
};
