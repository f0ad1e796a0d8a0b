import type { ExecutionAdapter } from '../../../shared/channels/execution/execution-adapter.ts';
import type { ExecutionBroker } from '../../../shared/channels/execution/execution-broker.ts';
import type { AdapterName } from '../../../shared/domain/deployments/event-source.ts';
import type { OrderStatus } from '../../../shared/domain/orders/order-states.ts';
import type { Reply, Trouble } from '../alpaca/faults.ts';
import type { Received } from '../upstream.ts';

/** Outcome of a refused call. `refused` is for good; `unknown` may have been done; `later` has changed nothing. */
export type Outcome = 'access' | 'later' | 'unknown' | 'duplicate' | 'refused';

/** An answer of the broker's published list, and what it means for an order that is being placed. */
export interface Refused {
  readonly name: string;
  readonly reply: Reply;
  readonly placing: Outcome;
}

/** An order as the broker has it. */
interface Placed {
  readonly clientOrderId: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  readonly filled: string;
  readonly isOpen: boolean;
  readonly isLimit: boolean;
  /** Status in the broker's words. */
  readonly status: string;
}

/** A broker on loopback, in words that all adapters share. It begins with a price of 100. */
export interface BrokerStand {
  readonly adapter: AdapterName;
  readonly code: ExecutionAdapter;
  readonly keys: { keyId: string; secret: string };
  readonly currency: string;
  /** Settings for the functions. */
  readonly environment: Readonly<Record<string, string>>;
  /** Symbol of the catalogue, and that of the broker. */
  readonly symbol: string;
  readonly brokerSymbol: string;
  readonly assetClass: 'equity' | 'crypto';
  /** Price between two steps, and those on both sides of it. */
  readonly betweenSteps: { readonly price: string; readonly below: string; readonly above: string };
  /** Quantity that is smaller than the smallest. */
  readonly dust: string;
  /** Statuses of the broker's published list. */
  readonly statuses: Readonly<Record<string, OrderStatus>>;
  readonly refusals: readonly Refused[];
  /** Open orders of the owner, in forms that the adapter may not know. */
  readonly foreign: readonly unknown[];
  /** Opens the account. */
  readonly open: () => Promise<ExecutionBroker>;
  readonly received: readonly Received[];
  readonly isPlacing: (request: Received) => boolean;
  setTrouble: (trouble: (request: Received) => Trouble | undefined) => void;
  /** Answers every placed order with this. */
  setRefusal: (reply: Reply | undefined) => void;
  setForeign: (orders: readonly unknown[]) => void;
  /** Sets the part of a purchase that the broker takes from the position as fees. Shares have none. */
  setFeeRate: (rate: string) => void;
  /** Sets the clock of the broker ahead of that of the hub. */
  setAhead: (ms: number) => void;
  /** Lets lookups find an order only after a time. */
  setLag: (ms: number) => void;
  setPrice: (price: string) => void;
  /** Gives the account a position. */
  hold: (quantity: string) => void;
  readonly position: () => string;
  /** Orders, oldest first. */
  readonly placed: () => readonly Placed[];
  /** Fills an order up to a quantity. */
  readonly fill: (clientOrderId: string, quantity: string, price: string) => void;
  /** Gives an order a status in the broker's words. */
  readonly setStatus: (clientOrderId: string, status: string) => void;
  /** Answers that are not of the published form. */
  readonly faults: () => readonly string[];
  readonly reset: () => void;
  readonly close: () => Promise<void>;
}
