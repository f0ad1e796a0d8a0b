import { ENGINE_ENDED, ENGINE_REQUESTED, SERIES_DUE } from '../../shared/data/engine/events.ts';
import type { BusSource } from '../declaration.ts';

/** Source of the function: events of the hub about deployments that it runs itself, and their series. */
export const ENGINE_SOURCE: BusSource = {
  senders: 'hub',
  detailTypes: [ENGINE_REQUESTED, ENGINE_ENDED, SERIES_DUE],
  maxRetries: 2,
  finalErrors: ['ZodError', 'MalformedEventError'],
};
