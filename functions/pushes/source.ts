import type { QueueSource } from '../declaration.ts';

/** Source of the function: each new message to a device. */
export const PUSHES_SOURCE: QueueSource = { lane: 'push', batchSize: 10, maxReceives: 5 };
