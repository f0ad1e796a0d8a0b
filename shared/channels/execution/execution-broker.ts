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
  readonly side: OrderSide | undefined;
  readonly type: string;
  readonly limitPrice: string | null;
  readonly stopPrice: string | null;
  /** Id at the broker of the order that replaced it. */
  readonly replacedBy: string | null;
  /** Further orders of an OCO, whose first order is its target. */
  readonly legs: readonly BrokerOrder[];
}

/** Exit to keep at the broker until a price is reached. Its side is that of the exit. Prices are decimal text. */
export interface ExitToPlace {
  /** Id that the broker accepts once only. Of an `oco`, that of its target: the broker names the stop itself. */
  readonly clientOrderId: string;
  /** Symbol of the broker. */
  readonly symbol: string;
  readonly assetClass: 'equity' | 'crypto';
  readonly side: OrderSide;
  readonly quantity: string;
  /** An `oco` has both prices, a `target` only that of a target; the others have a stop. */
  readonly kind: 'oco' | 'stop' | 'stop_limit' | 'target';
  readonly stopPrice?: string | undefined;
  readonly targetPrice?: string | undefined;
  /** Limit of a `stop_limit`. */
  readonly limitPrice?: string | undefined;
  readonly timeInForce: 'day' | 'gtc';
}

/** New price of an order of an exit. */
export interface ExitMove {
  /** Id at the broker of the order that moves. */
  readonly brokerOrderId: string;
  /** Id of the order that replaces it, which the broker accepts once only. */
  readonly clientOrderId: string;
  readonly assetClass: 'equity' | 'crypto';
  readonly side: OrderSide;
  /** Price of a stop, with the limit of a `stop_limit`; or that of a target. */
  readonly stopPrice?: string | undefined;
  readonly limitPrice?: string | undefined;
  readonly targetPrice?: string | undefined;
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
  /** Size. Decimal text, never negative. */
  readonly quantity: string;
  /** Part of the size that the broker takes as an order: less than all of it, if it ends between two steps. */
  readonly sellable: string;
  /** Part of it that no open order holds. Decimal text, never negative. */
  readonly available: string;
  /** Last price of the broker; undefined if it names none. */
  readonly price: string | undefined;
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
   * Places an order.
   *
   * @throws OrderRefusedError if the broker did not take the order and never will.
   * @throws DuplicateOrderError if an order with this id exists.
   * @throws OutcomeUnknownError if the order may have been placed.
   */
  readonly place: (order: OrderToPlace) => Promise<BrokerOrder>;
  /** Requests the end of an order. Returns false if the order cannot be cancelled any more. */
  readonly cancel: (brokerOrderId: string) => Promise<boolean>;
  /** Finds an order by the id that it was placed with. */
  readonly findOrder: (clientOrderId: string, symbol: string) => Promise<BrokerOrder | undefined>;
  /**
   * Lists open orders of the account, oldest first: those whose id `isOwn` takes. Others may be of any form. An own order
   * in an unknown form does not block the others.
   */
  readonly listOpenOrders: (isOwn: (clientOrderId: string) => boolean) => Promise<OpenOrders>;
  readonly findPosition: (symbol: string) => Promise<BrokerPosition | undefined>;
  /** Lists all positions of the account. */
  readonly listPositions: () => Promise<readonly BrokerPosition[]>;
  /**
   * Places an exit. Errors as of `place`.
   *
   * @throws OrderRefusedError with `passed` if the price has passed a level, so that it cannot rest.
   */
  readonly placeExit: (exit: ExitToPlace) => Promise<BrokerOrder>;
  /** Finds an order by its id at the broker. */
  readonly findByBrokerId: (brokerOrderId: string) => Promise<BrokerOrder | undefined>;
  /**
   * Moves an order of an exit to another price by replacing it. One that fails leaves the order as it is.
   *
   * @throws OrderRefusedError, DuplicateOrderError, OutcomeUnknownError
   */
  readonly moveExit: (move: ExitMove) => Promise<BrokerOrder>;
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
  /** Level of an exit that the price has passed. */
  readonly passed: 'stop' | 'target' | undefined;
  /** True if the account holds less than the order, or other orders hold it. */
  readonly isUnavailable: boolean;
  constructor(
    reason: string,
    {
      isBlocked = false,
      passed,
      isUnavailable = false,
    }: {
      readonly isBlocked?: boolean;
      readonly passed?: 'stop' | 'target' | undefined;
      readonly isUnavailable?: boolean;
    } = {},
  ) {
    super('the broker refuses the order');
    this.name = 'OrderRefusedError';
    this.reason = reason;
    this.isBlocked = isBlocked;
    this.passed = passed;
    this.isUnavailable = isUnavailable;
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

/** The broker's word on one order, or on one position, cannot be read now. Calls about others go on. */
export class UnreadableAnswerError extends BrokerLaterError {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnreadableAnswerError';
  }
}
