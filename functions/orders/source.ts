import type { QueueSource } from '../declaration.ts';

/** Source of the function: each new request to an execution adapter. */
export const ORDERS_SOURCE: QueueSource = { lane: 'orders', batchSize: 10, maxReceives: 5 };
