import { OrderRefusedError, type OrderToPlace } from '../execution-broker.ts';
import { type SymbolRules, withAcceptedAmounts } from './symbol-rules.ts';

const TYPES = {
  market: 'MARKET',
  limit: 'LIMIT',
  stop: 'STOP_LOSS',
  stop_limit: 'STOP_LOSS_LIMIT',
} as const satisfies Record<OrderToPlace['type'], string>;

const WORDS: Readonly<Record<OrderToPlace['type'], string>> = {
  market: 'market orders',
  limit: 'limit orders',
  stop: 'stop orders',
  stop_limit: 'stop-limit orders',
};

/** Returns the time in force to send. Orders at the market have none. @throws OrderRefusedError */
const timeInForceOf = ({ type, timeInForce }: OrderToPlace): string | undefined => {
  if (type === 'market' || type === 'stop') return undefined;
  if (timeInForce === 'day') {
    throw new OrderRefusedError(`Binance takes no ${WORDS[type]} with the time in force "day".`);
  }
  return timeInForce.toUpperCase();
};

/** Returns the parameters of a new order, with amounts that the symbol takes. @throws OrderRefusedError */
export const paramsOf = (rules: SymbolRules, order: OrderToPlace): Readonly<Record<string, string>> => {
  const type = TYPES[order.type];
  if (!rules.orderTypes.includes(type)) {
    throw new OrderRefusedError(`Binance takes no ${WORDS[order.type]} of ${rules.symbol}.`);
  }
  const { quantity, limitPrice, stopPrice } = withAcceptedAmounts(rules, order);
  const timeInForce = timeInForceOf(order);
  return {
    symbol: order.symbol,
    side: order.side.toUpperCase(),
    type,
    quantity,
    newClientOrderId: order.clientOrderId,
    newOrderRespType: 'FULL',
    ...(timeInForce !== undefined && { timeInForce }),
    ...(limitPrice !== undefined && { price: limitPrice }),
    ...(stopPrice !== undefined && { stopPrice }),
  };
};
