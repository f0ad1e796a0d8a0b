import { decimal } from '../../../shared/domain/money.ts';
import { type AskedOrder, failedFilter, refusedForm, rejectedOrder } from './admission.ts';
import { type Params, type Refusal, refusal } from './description.ts';
import { cancelHeld, type HeldOrder, isOpen, type Market, pairOf, tradeOrder, ZERO } from './market.ts';

const INVALID_SYMBOL = refusal(-1121, 'Invalid symbol.');
const NOT_SENT = "Mandatory parameter 'orderId' was not sent, was empty/null, or malformed.";

const asked = (params: Params): AskedOrder => ({
  symbol: params.symbol ?? '',
  side: params.side === 'BUY' ? 'BUY' : 'SELL',
  type: params.type ?? '',
  quantity: decimal(params.quantity ?? '0'),
  price: decimal(params.price ?? '0'),
  stopPrice: decimal(params.stopPrice ?? '0'),
  timeInForce: params.timeInForce ?? 'GTC',
  clientOrderId: params.newClientOrderId ?? `x-${Math.random().toString(36).slice(2)}`,
});

const hold = (market: Market, order: AskedOrder, orderListId: number): HeldOrder => {
  const time = market.clock().getTime();
  const held: HeldOrder = {
    ...order,
    orderId: market.orders.length + 1,
    orderListId,
    status: 'NEW',
    executed: ZERO,
    value: ZERO,
    time,
    updateTime: time,
    isWorking: order.stopPrice.eq(0),
  };
  market.orders.push(held);
  return held;
};

export const isRefusal = (answer: object): answer is Refusal => 'body' in answer;

/** Places an order. */
export const placeOrder = (market: Market, params: Params): HeldOrder | Refusal => {
  const pair = pairOf(params.symbol ?? '');
  if (!pair) return INVALID_SYMBOL;
  const refused = refusedForm(params);
  if (refused) return refused;
  const order = asked(params);
  const failed = failedFilter(market, pair, order) ?? rejectedOrder(market, pair, order);
  if (failed) return failed;
  const held = hold(market, order, -1);
  tradeOrder(market, held);
  return held;
};

/** Places an OCO of a sale: a target above the price and a stop below it. */
export const placeOco = (market: Market, params: Params): readonly HeldOrder[] | Refusal => {
  const pair = pairOf(params.symbol ?? '');
  if (!pair) return INVALID_SYMBOL;
  if (!pair.ocoAllowed) return refusal(-2010, 'OCO orders are not supported for this symbol');
  const { symbol = '', side = '', quantity = '' } = params;
  const legs = (['above', 'below'] as const).map((place) => {
    const of = (name: string) => params[`${place}${name}`];
    const [price, stopPrice, timeInForce] = [of('Price'), of('StopPrice'), of('TimeInForce')];
    return {
      symbol,
      side,
      quantity,
      type: of('Type') ?? '',
      newClientOrderId: of('ClientOrderId') ?? '',
      ...(price !== undefined && { price }),
      ...(stopPrice !== undefined && { stopPrice }),
      ...(timeInForce !== undefined && { timeInForce }),
    };
  });
  const [above, below] = legs;
  if (above?.type !== 'LIMIT_MAKER' || !below?.type.startsWith('STOP_LOSS')) {
    return refusal(-1158, 'Order type not supported in OCO.');
  }
  const last = market.prices.get(symbol);
  const isApart = last?.lt(above.price ?? '0') && last.gt(below.stopPrice ?? '0');
  if (last && !isApart) {
    return refusal(-2010, 'The relationship of the prices for the orders is not correct.');
  }
  for (const leg of legs) {
    const order = asked(leg);
    const failed =
      refusedForm(leg) ?? failedFilter(market, pair, order) ?? rejectedOrder(market, pair, order);
    if (failed) return failed;
  }
  const list = market.orders.length + 1_000;
  return legs.map((leg) => hold(market, asked(leg), list));
};

/** Finds an order by its number, or the last one with an id. */
export const findHeld = (market: Market, { symbol, orderId, origClientOrderId }: Params) => {
  if (orderId === undefined && origClientOrderId === undefined) return refusal(-1102, NOT_SENT);
  const found = market.orders.findLast(
    (order) =>
      order.symbol === symbol &&
      (orderId === undefined || order.orderId === Number(orderId)) &&
      (origClientOrderId === undefined || order.clientOrderId === origClientOrderId),
  );
  return found ?? refusal(-2013, 'Order does not exist.');
};

/** Cancels an order, and those of its list. */
export const cancelOrder = (market: Market, params: Params): HeldOrder | Refusal => {
  const found = findHeld(market, params);
  if (isRefusal(found)) return found.body.code === -2013 ? refusal(-2011, 'Unknown order sent.') : found;
  if (!isOpen(found)) return refusal(-2011, 'Unknown order sent.');
  cancelHeld(market, found);
  return found;
};
