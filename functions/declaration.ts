import type { Caller, Operation, TableAccess } from '../shared/api/operation.ts';
import type { RelayedLane } from '../shared/data/outbox/lanes.ts';
import type { AdapterName } from '../shared/domain/deployments/event-source.ts';
import type { Capability } from '../shared/settings.ts';

/** `rate(1 minute)` or `cron(0 17 ? * MON-FRI *)`: EventBridge Scheduler's expressions. */
export interface Schedule {
  /** The job's name: the scheduled event is `{"job": "<name>"}`. */
  readonly job: string;
  readonly expression: string;
  readonly timeZone: string;
}

/** Selects the new items of the table's stream that reach a function. */
export interface StreamSource {
  /** Values of the item attribute `entity`; only inserted items are delivered. */
  readonly entities: readonly string[];
  readonly batchSize: number;
  readonly maxRetries: number;
}

/** Selects the messages of the outbox that reach a function: those of a lane, from its queue. */
export interface QueueSource {
  readonly lane: RelayedLane;
  readonly batchSize: number;
  /** Deliveries of a message that fail before it goes to the dead letters. */
  readonly maxReceives: number;
}

/** Events of the bus that reach a function by one rule. */
export interface BusSubscription {
  /** Sources: the hub, the stage's engines or feeds and the hub, or SES, which reports on the stage's mails. */
  readonly senders: 'hub' | 'engines' | 'feeds' | 'mail';
  readonly detailTypes: readonly string[];
}

/** Selects the events of the bus that reach a function. */
export interface BusSource {
  /** One rule each. No detail type is in two of them. */
  readonly subscriptions: readonly BusSubscription[];
  readonly maxRetries: number;
  /** Names of permanent errors. */
  readonly finalErrors: readonly string[];
  /** Names of errors that time heals. The local bus then retries as late as Lambda does. */
  readonly waitingErrors?: readonly string[];
}

/** Selects the requests that a function authorizes: those to operations of these callers. */
export interface AuthorizerSource {
  readonly caller: Extract<Caller, 'integrator'>;
  /** Seconds that the gateway caches a verdict for the same Authorization header. */
  readonly cacheTtlS: number;
}

export type Trigger =
  | { readonly kind: 'http'; readonly operations: readonly Operation[] }
  | { readonly kind: 'authorizer'; readonly source: AuthorizerSource }
  | { readonly kind: 'stream'; readonly source: StreamSource }
  | { readonly kind: 'queue'; readonly source: QueueSource }
  | { readonly kind: 'bus'; readonly source: BusSource }
  | { readonly kind: 'schedule'; readonly schedules: readonly Schedule[] };

/**
 * Returns the access to the table that a function needs for an operation. A POST keeps its answer for an
 * Idempotency-Key, and a request with an API key notes the use of the key.
 */
export const accessFor = ({
  keepsAnswers,
  table,
  scope,
}: Pick<Operation, 'keepsAnswers' | 'table' | 'scope'>): TableAccess =>
  keepsAnswers || scope !== undefined ? 'write' : table;

/** Memory that brings one whole processor. */
export const WHOLE_PROCESSOR_MB = 1769;

/** One Lambda function. Its entry is `handler.ts` in its folder, which exports `handler`. */
export interface FunctionDeclaration {
  readonly name: string;
  /** The folder of the entry below `functions/`; the name if left out. */
  readonly folder?: string;
  readonly trigger: Trigger;
  /** `scan` allows writing and reading the whole table, which no request may. */
  readonly table: TableAccess | 'scan';
  readonly uses: readonly Capability[];
  /** True if the function never reads the secret of the service. Its role may not, and its bundle cannot. */
  readonly withoutSecret?: true;
  /** Execution adapter that it runs: it gets the requests of orders to this one only, and reports under its source. */
  readonly adapter?: AdapterName;
  readonly memoryMb: number;
  readonly timeoutS: number;
  /** Setting of a stage without which the function has nothing to do, and is not deployed. */
  readonly onlyWith?: 'marketData' | 'canary';
  /** True if requests that belong together must not reach two versions. A release then shifts all traffic at once. */
  readonly atOnce?: boolean;
  /**
   * Largest number of parallel runs, if more would do harm. The concurrency is reserved from the account's. A
   * stage may switch it off (`reserveConcurrency`).
   */
  readonly maxConcurrency?: number;
}
