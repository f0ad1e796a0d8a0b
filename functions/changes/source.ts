import type { QueueSource } from '../declaration.ts';

/** Source of the function: each commit with change events. */
export const CHANGES_SOURCE: QueueSource = { lane: 'changes', batchSize: 10, maxReceives: 5 };
