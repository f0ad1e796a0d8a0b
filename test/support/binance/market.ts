import { type Decimal, decimal, toText } from '../../../shared/domain/money.ts';

/** Rules of a pair. */
export interface Pair {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly tick: string;
  readonly step: string;
  readonly minQty: string;
  readonly marketStep: string;
  readonly minNotional: string;
  readonly maxNotional: string;
  readonly maxAlgoOrders: number;
  readonly orderTypes: readonly string[];
  readonly ocoAllowed: boolean;
}

const ALL_TYPES = [
  'LIMIT',
  'LIMIT_MAKER',
  'MARKET',
  'STOP_LOSS',
  'STOP_LOSS_LIMIT',
  'TAKE_PROFIT',
  'TAKE_PROFIT_LIMIT',
];

export const PAIRS: readonly Pair[] = [
  {
    symbol: 'BTCUSDT',
    base: 'BTC',
    quote: 'USDT',
    tick: '0.01',
    step: '0.00001',
    minQty: '0.00001',
    marketStep: '0',
    minNotional: '5',
    maxNotional: '9000000',
    maxAlgoOrders: 5,
    orderTypes: ALL_TYPES,
    ocoAllowed: true,
  },
  {
    symbol: 'ETHUSDT',
    base: 'ETH',
    quote: 'USDT',
    tick: '0.01',
    step: '0.0001',
    minQty: '0.0001',
    marketStep: '0.01',
    minNotional: '5',
    maxNotional: '9000000',
    maxAlgoOrders: 5,
    orderTypes: ALL_TYPES.filter((type) => type !== 'STOP_LOSS'),
    ocoAllowed: false,
  },
];

/** A trade of an order. */
interface Trade {
  readonly id: number;
  readonly orderId: number;
  readonly symbol: string;
  readonly price: Decimal;
  readonly quantity: Decimal;
  readonly commission: Decimal;
  readonly commissionAsset: string;
  readonly isBuyer: boolean;
  readonly time: number;
}

/** An order as the stand-in holds it. */
export interface HeldOrder {
  readonly symbol: string;
  readonly orderId: number;
  readonly orderListId: number;
  readonly clientOrderId: string;
  readonly side: 'BUY' | 'SELL';
  readonly type: string;
  readonly timeInForce: string;
  readonly quantity: Decimal;
  readonly price: Decimal;
  readonly stopPrice: Decimal;
  readonly time: number;
  status: string;
  executed: Decimal;
  value: Decimal;
  updateTime: number;
  /** True once the price has reached its stop. */
  isWorking: boolean;
}

export interface Market {
  readonly clock: () => Date;
  readonly orders: HeldOrder[];
  readonly trades: Trade[];
  /** Balances by asset: all, and of it what open orders hold. */
  readonly totals: Map<string, Decimal>;
  readonly prices: Map<string, Decimal>;
  /** Quantity that a market order finds; undefined for any. */
  liquidity: Decimal | undefined;
  /** Part of the received asset that is charged. */
  feeRate: string;
  /** Asset that fees are paid in, with its price; undefined for the received one. */
  feeAsset: { readonly asset: string; readonly price: string } | undefined;
}

const OPEN = new Set(['NEW', 'PARTIALLY_FILLED', 'PENDING_NEW', 'PENDING_CANCEL']);
export const isOpen = ({ status }: HeldOrder): boolean => OPEN.has(status);

export const ZERO = decimal('0');

const pairOf = (symbol: string): Pair | undefined => PAIRS.find((pair) => pair.symbol === symbol);

const leftOf = ({ quantity, executed }: HeldOrder): Decimal => quantity.minus(executed);

/** Returns what open orders hold of an asset. An OCO holds it once. */
export const lockedOf = ({ orders }: Market, asset: string): Decimal => {
  const seen = new Set<number>();
  let locked = ZERO;
  for (const order of orders.filter(isOpen)) {
    const pair = pairOf(order.symbol);
    const isHeld = order.orderListId !== -1 && seen.has(order.orderListId);
    seen.add(order.orderListId);
    if (isHeld) continue;
    if (order.side === 'SELL' && pair?.base === asset) locked = locked.plus(leftOf(order));
    if (order.side === 'BUY' && pair?.quote === asset) locked = locked.plus(leftOf(order).times(order.price));
  }
  return locked;
};

export const totalOf = ({ totals }: Market, asset: string): Decimal => totals.get(asset) ?? ZERO;

const addTo = (market: Market, asset: string, amount: Decimal): void => {
  market.totals.set(asset, totalOf(market, asset).plus(amount));
};

const expireOthers = (market: Market, { orderListId, orderId }: HeldOrder, now: number): void => {
  if (orderListId === -1) return;
  for (const other of market.orders) {
    if (other.orderListId !== orderListId || other.orderId === orderId || !isOpen(other)) continue;
    other.status = 'EXPIRED';
    other.updateTime = now;
  }
};

/** Fills an order by a quantity, or by what is left of it. */
export const fillBy = (market: Market, order: HeldOrder, quantity: Decimal, price: Decimal): void => {
  const pair = pairOf(order.symbol);
  const now = market.clock().getTime();
  const filled = quantity.gt(leftOf(order)) ? leftOf(order) : quantity;
  if (!pair || filled.eq(0)) return;
  const isBuyer = order.side === 'BUY';
  const value = filled.times(price);
  const received = isBuyer ? pair.base : pair.quote;
  const charged = (isBuyer ? filled : value).times(market.feeRate).round(8, 0);
  const { feeAsset } = market;
  const commission = feeAsset ? value.times(market.feeRate).div(feeAsset.price).round(8, 0) : charged;
  const commissionAsset = feeAsset?.asset ?? received;
  addTo(market, pair.base, isBuyer ? filled : filled.times(-1));
  addTo(market, pair.quote, isBuyer ? value.times(-1) : value);
  addTo(market, commissionAsset, commission.times(-1));
  order.executed = order.executed.plus(filled);
  order.value = order.value.plus(value);
  order.status = leftOf(order).eq(0) ? 'FILLED' : 'PARTIALLY_FILLED';
  order.updateTime = now;
  const { symbol, orderId } = order;
  const id = market.trades.length + 1;
  market.trades.push({
    id,
    orderId,
    symbol,
    price,
    quantity: filled,
    commission,
    commissionAsset,
    isBuyer,
    time: now,
  });
  // The first trade of an order of an OCO ends the other.
  expireOthers(market, order, now);
};

/** Executes an order at the market, as far as there is liquidity. What is left expires. */
const execute = (market: Market, order: HeldOrder, price: Decimal): void => {
  fillBy(market, order, market.liquidity ?? order.quantity, price);
  if (!isOpen(order)) return;
  order.status = 'EXPIRED';
  order.updateTime = market.clock().getTime();
};

const isReached = ({ side, price: limit }: HeldOrder, price: Decimal): boolean =>
  side === 'BUY' ? price.lte(limit) : price.gte(limit);

/** Tells whether a price triggers a stop. */
export const isTriggered = ({ side, stopPrice }: Pick<HeldOrder, 'side' | 'stopPrice'>, price: Decimal) =>
  side === 'BUY' ? price.gte(stopPrice) : price.lte(stopPrice);

/** Lets an order trade at the last price. */
export const tradeOrder = (market: Market, order: HeldOrder): void => {
  const price = market.prices.get(order.symbol);
  if (!price || !isOpen(order)) return;
  if (!order.isWorking && isTriggered(order, price)) order.isWorking = true;
  if (!order.isWorking) return;
  if (order.type === 'MARKET' || order.type === 'STOP_LOSS') execute(market, order, price);
  else if (isReached(order, price)) fillBy(market, order, market.liquidity ?? order.quantity, price);
  if (isOpen(order) && order.timeInForce !== 'GTC') order.status = 'EXPIRED';
};

/** Cancels an order, and the others of its list. */
export const cancelHeld = (market: Market, order: HeldOrder): void => {
  const now = market.clock().getTime();
  const list = market.orders.filter(
    (one) => one === order || (order.orderListId !== -1 && one.orderListId === order.orderListId),
  );
  for (const one of list.filter(isOpen)) {
    one.status = 'CANCELED';
    one.updateTime = now;
  }
};

/** Writes an amount as Binance does, with eight decimals. */
export const shown = (amount: Decimal): string => amount.toFixed(8);

export const textOf = (amount: Decimal): string => toText(amount);

export { pairOf };
