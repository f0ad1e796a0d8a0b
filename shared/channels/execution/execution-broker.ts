import type { OrderStatus } from '../../domain/orders/order-states.ts';

type OrderSide = 'buy' | 'sell';
type OrderType = 'market' | 'limit' | 'stop' | 'stop_limit';

/** Environments of a broker: `paper` fills orders against live prices without money. */
export const EXECUTION_ENVIRONMENTS = ['paper', 'live'] as const;
export type ExecutionEnvironment = (typeof EXECUTION_ENVIRONMENTS)[number];

/** API keys of an account. */
export interface BrokerKeys {
  readonly keyId: string;
  readonly secret: string;
}

/** Order to place. Quantities and prices are decimal text. */
export interface OrderToPlace {
  /** Id that the broker accepts once only, so that a repeated call cannot place a second order. */
  readonly clientOrderId: string;
  /** Symbol of the broker. */
  readonly symbol: string;
  readonly assetClass: 'equity' | 'crypto';
  readonly side: OrderSide;
  readonly type: OrderType;
  readonly quantity: string;
  readonly limitPrice?: string | undefined;
  readonly stopPrice?: string | undefined;
  readonly timeInForce: 'day' | 'gtc' | 'ioc' | 'fok';
}

/** Order as the broker reports it. Quantities and prices are decimal text. */
export interface BrokerOrder {
  readonly clientOrderId: string;
  readonly brokerOrderId: string;
  /** Symbol of the broker. */
  readonly symbol: string;
  readonly status: OrderStatus;
  /** Status in the broker's own words. */
  readonly brokerStatus: string;
  readonly quantity: string;
  readonly filledQuantity: string;
  readonly averagePrice: string | null;
  /** Fees so far in the currency of the price; absent if the broker does not report them with its orders. */
  readonly fees?: string;
  /** Time of the last change, in milliseconds. */
  readonly updatedAt: number;
}

/** Open orders of an account. */
interface OpenOrders {
  readonly orders: readonly BrokerOrder[];
  /** Ids of orders in a form that this version does not know. */
  readonly unreadable: readonly string[];
}

/** Position of an account. */
export interface BrokerPosition {
  /** Symbol of the broker. */
  readonly symbol: string;
  readonly side: 'long' | 'short';
  /** Size that no open order holds. Decimal text, never negative. */
  readonly available: string;
}

export interface BrokerAccount {
  /** Account number. */
  readonly accountId: string;
  readonly currency: string;
  /** Reason why the account cannot trade; undefined if it can. */
  readonly blocked: string | undefined;
}

/**
 * Broker that executes orders of one account. Every call has a time limit.
 *
 * Errors of all calls: {@link AccessRefusedError}, {@link BrokerLaterError}.
 */
export interface ExecutionBroker {
  /**
   * Time after an attempt without an answer in which a lookup may not find the order yet, in milliseconds; absent if the
   * broker takes no second order with the same id. Until then an order is not placed again.
   */
  readonly appearsWithinMs?: number;
  /** Lookups of one order that cost as much as the list of all; absent if the list costs no more than a lookup. */
  readonly lookupsPerList?: number;
  /**
   * Places an order.
   *
   * @throws OrderRefusedError if the broker did not take the order and never will.
   * @throws DuplicateOrderError if an order with this id exists.
   * @throws OutcomeUnknownError if the order may have been placed.
   */
  readonly place: (order: OrderToPlace) => Promise<BrokerOrder>;
  /** Requests the end of an order. Returns false if the order cannot be cancelled any more. */
  readonly cancel: (brokerOrderId: string, symbol: string) => Promise<boolean>;
  /** Finds an order by the id that it was placed with. */
  readonly findOrder: (clientOrderId: string, symbol: string) => Promise<BrokerOrder | undefined>;
  /**
   * Lists open orders of the account, oldest first: those whose id `isOwn` takes. Others may be of any form. An own order
   * in an unknown form does not block the others.
   */
  readonly listOpenOrders: (isOwn: (clientOrderId: string) => boolean) => Promise<OpenOrders>;
  readonly findPosition: (symbol: string) => Promise<BrokerPosition | undefined>;
  readonly account: () => Promise<BrokerAccount>;
}

/** The broker refuses the keys, or they may not trade. */
export class AccessRefusedError extends Error {
  constructor(status: number) {
    super(`the broker refuses the keys with status ${status}`);
    this.name = 'AccessRefusedError';
  }
}

/** The broker refuses an order. `reason` is a sentence for the owner. */
export class OrderRefusedError extends Error {
  readonly reason: string;
  /** True if an open order against it is the cause: the same order may be accepted once that one is cancelled. */
  readonly isBlocked: boolean;
  constructor(reason: string, { isBlocked = false } = {}) {
    super('the broker refuses the order');
    this.name = 'OrderRefusedError';
    this.reason = reason;
    this.isBlocked = isBlocked;
  }
}

/** The broker has an order with this id. */
export class DuplicateOrderError extends Error {
  constructor() {
    super('the broker has an order with this id');
    this.name = 'DuplicateOrderError';
  }
}

/** The broker sent no complete answer, so the order may or may not be placed. */
export class OutcomeUnknownError extends Error {
  constructor(reason: string) {
    super(`the outcome of the call is unknown: ${reason}`);
    this.name = 'OutcomeUnknownError';
  }
}

/** The broker limits requests, is down or slow. The call changed nothing. */
export class BrokerLaterError extends Error {
  readonly retryAfterMs: number | undefined;
  constructor(reason: string, retryAfterMs?: number) {
    super(`the broker does not answer now: ${reason}`);
    this.name = 'BrokerLaterError';
    this.retryAfterMs = retryAfterMs;
  }
}
