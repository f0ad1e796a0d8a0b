import type { QueueSource } from '../declaration.ts';

/** Source of the function: each new message of the outbox, except those to devices and requests of orders. */
export const DELIVERIES_SOURCE: QueueSource = { lane: 'main', batchSize: 10, maxReceives: 5 };
