import { ASSUMED, GB, PRICES } from './prices.ts';

/** Queues of the lanes of the outbox. */
const QUEUES = 6;
/** Sending, receiving and deleting a message. */
const REQUESTS = 3;

/**
 * Costs of handing a message to the function of its lane, with a run of the relay for each: under load, a run hands over
 * up to a hundred.
 */
export const RELAYED = {
  functions:
    PRICES.lambdaRequest +
    ((ASSUMED.restMs + ASSUMED.callMs) / 1000) * ASSUMED.asynchronousGb * PRICES.lambdaGbSecond,
  logs: (ASSUMED.logBytes / GB) * PRICES.logGb + ASSUMED.tracedShare * PRICES.trace,
  queue: REQUESTS * PRICES.queueRequest,
} as const;

/** Returns the costs of queues without a message in some days. */
export const idleQueues = (days: number): number =>
  QUEUES * ASSUMED.pollsAMinute * 60 * 24 * days * PRICES.queueRequest;
