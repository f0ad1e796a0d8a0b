import type { QueueSource } from '../declaration.ts';

/** Source of the function: each new mail and text message of a notification, and analytics. */
export const BULK_SOURCE: QueueSource = { lane: 'bulk', batchSize: 10, maxReceives: 5 };
