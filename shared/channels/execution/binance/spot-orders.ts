import type { BrokerOrder } from '../execution-broker.ts';
import { UnreadableAnswerError } from '../execution-broker.ts';
import {
  averagePriceOf,
  openOrdersSchema,
  orderListSchema,
  orderSchema,
  type SpotOrder,
} from './binance-fields.ts';
import { readRules } from './known-rules.ts';
import type { SpotCalls } from './spot-calls.ts';
import { readFees, readFills } from './spot-fees.ts';

/** Types of orders in the words of the other adapters. */
const TYPES: Readonly<Record<string, string>> = {
  MARKET: 'market',
  LIMIT: 'limit',
  LIMIT_MAKER: 'limit',
  STOP_LOSS: 'stop',
  STOP_LOSS_LIMIT: 'stop_limit',
};

/** The order of an OCO that it is named by: its target. */
const HEAD = 'LIMIT_MAKER';
const NO_LIST = -1;

/** Returns the id of an order of the account. Those of Binance are of a symbol. */
const idOf = ({ symbol, orderId }: Pick<SpotOrder, 'symbol' | 'orderId'>): string => `${symbol}:${orderId}`;

/** Returns symbol and number of an id of {@link idOf}. */
export const partsOf = (brokerOrderId: string): { readonly symbol: string; readonly orderId: string } => {
  const [symbol = '', orderId = ''] = brokerOrderId.split(':');
  return { symbol, orderId };
};

const priceOf = (price: string | undefined): string | null =>
  price === undefined || price === '0' ? null : price;

/** Reads the orders of an account. */
export const spotOrders = (calls: SpotCalls, now: () => number) => {
  /** Returns an order with its fees. @param clientOrderId it was placed with; a cancel may have given it another */
  const present = async (
    order: SpotOrder,
    clientOrderId = order.clientOrderId,
    legs: readonly BrokerOrder[] = [],
  ): Promise<BrokerOrder> => {
    const fills = await readFills(calls, order, now());
    const averagePrice = averagePriceOf(order, fills);
    if (order.executedQty !== '0' && averagePrice === null) {
      throw new UnreadableAnswerError('the price of a fill is not known yet');
    }
    const rules = fills.length > 0 ? await readRules(calls, order.symbol, now()) : undefined;
    return {
      clientOrderId,
      brokerOrderId: idOf(order),
      symbol: order.symbol,
      status: order.status,
      brokerStatus: order.brokerStatus,
      quantity: order.origQty,
      filledQuantity: order.executedQty,
      averagePrice,
      ...(rules && { fees: await readFees(calls, order, fills, rules) }),
      updatedAt: order.updatedAt,
      side: order.side === 'BUY' ? 'buy' : 'sell',
      type: TYPES[order.type] ?? order.type,
      limitPrice: priceOf(order.price),
      stopPrice: priceOf(order.stopPrice),
      replacedBy: null,
      legs,
    };
  };

  const readOrder = (params: Readonly<Record<string, string | number>>): Promise<SpotOrder | undefined> =>
    calls.read(orderSchema, { api: 'private', method: 'GET', path: 'order', params });

  /** Returns an order with the other one of its OCO. */
  const withLegs = async (order: SpotOrder, clientOrderId?: string): Promise<BrokerOrder> => {
    const { symbol, type, orderId, orderListId } = order;
    if (type !== HEAD || orderListId === NO_LIST) return present(order, clientOrderId);
    const params = { orderListId };
    const list = await calls.read(orderListSchema, {
      api: 'private',
      method: 'GET',
      path: 'orderList',
      params,
    });
    if (!list) throw new UnreadableAnswerError('an order list is not found yet');
    const legs: BrokerOrder[] = [];
    for (const other of list.orders.filter((one) => one.orderId !== orderId)) {
      const leg = await readOrder({ symbol, orderId: other.orderId });
      if (!leg) throw new UnreadableAnswerError('an order of a list is not found yet');
      legs.push(await present(leg));
    }
    return present(order, clientOrderId, legs);
  };

  return {
    present,
    /** Presents the orders of a new list. */
    presentList: async (reports: readonly SpotOrder[]): Promise<BrokerOrder | undefined> => {
      const head = reports.find(({ type }) => type === HEAD);
      const others = reports.filter((one) => one !== head);
      return head && present(head, head.clientOrderId, await Promise.all(others.map((one) => present(one))));
    },
    find: async (clientOrderId: string, symbol: string): Promise<BrokerOrder | undefined> => {
      const found = await readOrder({ symbol, origClientOrderId: clientOrderId });
      return found && withLegs(found, clientOrderId);
    },
    findById: async (brokerOrderId: string): Promise<BrokerOrder | undefined> => {
      const found = await readOrder(partsOf(brokerOrderId));
      return found && withLegs(found);
    },
    listOpen: async (isOwn: (clientOrderId: string) => boolean) => {
      const bodies =
        (await calls.read(openOrdersSchema, { api: 'private', method: 'GET', path: 'openOrders' })) ?? [];
      const readable: SpotOrder[] = [];
      const unreadable: string[] = [];
      for (const body of bodies) {
        if (!body) continue;
        const { data } = orderSchema.safeParse(body);
        if (data) readable.push(data);
        else if (isOwn(body.clientOrderId)) unreadable.push(body.clientOrderId);
      }
      const orders: BrokerOrder[] = [];
      const own = readable
        .filter(({ clientOrderId }) => isOwn(clientOrderId))
        .sort((one, other) => one.orderId - other.orderId);
      for (const order of own) {
        const isHead = order.type === HEAD && order.orderListId !== NO_LIST;
        const others = readable.filter(
          (one) => isHead && one !== order && one.orderListId === order.orderListId,
        );
        try {
          const legs = await Promise.all(others.map((one) => present(one)));
          // A leg that is not open any more is looked up.
          orders.push(
            isHead && legs.length === 0 ? await withLegs(order) : await present(order, undefined, legs),
          );
        } catch (error) {
          // It is looked up by itself.
          if (!(error instanceof UnreadableAnswerError)) throw error;
        }
      }
      return { orders, unreadable };
    },
  };
};
