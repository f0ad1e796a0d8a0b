import { acceptedTimeInForce } from './alpaca-combinations.ts';
import { acceptedQuantity, withAcceptedExit, withAcceptedPrices } from './alpaca-prices.ts';
import { type ExitMove, type ExitToPlace, OrderRefusedError, type OrderToPlace } from './execution-broker.ts';

/** Body of a request. */
type Body = Readonly<Record<string, unknown>>;

const tooSmall = (): OrderRefusedError =>
  new OrderRefusedError('The quantity is smaller than the smallest that Alpaca takes.');

const simpleBodyOf = (order: OrderToPlace): Body => ({
  symbol: order.symbol,
  qty: order.quantity,
  side: order.side,
  type: order.type,
  time_in_force: acceptedTimeInForce(order),
  client_order_id: order.clientOrderId,
  ...(order.limitPrice !== undefined && { limit_price: order.limitPrice }),
  ...(order.stopPrice !== undefined && { stop_price: order.stopPrice }),
});

/** Returns the body of an order as Alpaca accepts it. @throws OrderRefusedError */
export const orderBodyOf = (order: OrderToPlace): Body => {
  const accepted = withAcceptedPrices(order);
  if (accepted.quantity === '0') throw tooSmall();
  return simpleBodyOf(accepted);
};

/** Returns the body of an exit. An OCO is a limit order at its target with the class `oco`. @throws OrderRefusedError */
export const exitBodyOf = (given: ExitToPlace): Body => {
  const exit = { ...withAcceptedExit(given), quantity: acceptedQuantity(given.quantity) };
  if (exit.quantity === '0') throw tooSmall();
  const common = {
    symbol: exit.symbol,
    qty: exit.quantity,
    side: exit.side,
    time_in_force: exit.timeInForce,
    client_order_id: exit.clientOrderId,
  };
  const stop = { stop_price: exit.stopPrice };
  switch (exit.kind) {
    case 'oco':
      return {
        ...common,
        type: 'limit',
        order_class: 'oco',
        take_profit: { limit_price: exit.targetPrice },
        stop_loss: stop,
      };
    case 'target':
      return { ...common, type: 'limit', limit_price: exit.targetPrice };
    case 'stop_limit':
      return { ...common, type: 'stop_limit', ...stop, limit_price: exit.limitPrice };
    case 'stop':
      return { ...common, type: 'stop', ...stop };
    default:
      return exit.kind satisfies never;
  }
};

/** Returns the body that moves an order of an exit. */
export const moveBodyOf = (move: ExitMove): Body => {
  const { stopPrice, limitPrice, targetPrice } = withAcceptedExit(move);
  const limit = targetPrice ?? limitPrice;
  return {
    client_order_id: move.clientOrderId,
    ...(stopPrice !== undefined && { stop_price: stopPrice }),
    ...(limit !== undefined && { limit_price: limit }),
  };
};
