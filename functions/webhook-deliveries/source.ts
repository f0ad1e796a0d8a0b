import type { QueueSource } from '../declaration.ts';

/** Source of the function: each new event for a webhook endpoint. */
export const WEBHOOKS_SOURCE: QueueSource = { lane: 'webhooks', batchSize: 10, maxReceives: 5 };
