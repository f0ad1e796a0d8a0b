import { ENGINE_REQUESTED } from '../../shared/data/engine/events.ts';
import type { BusSource } from '../declaration.ts';

/** Source of the function: events of the hub about deployments that it runs itself. */
export const ENGINE_SOURCE: BusSource = {
  senders: 'hub',
  detailTypes: [ENGINE_REQUESTED],
  maxRetries: 2,
  finalErrors: ['ZodError', 'MalformedEventError'],
};
