import { HALT_DUE } from '../../shared/data/switches/halts.ts';
import type { BusSource } from '../declaration.ts';

/** Source of the function: events of the hub that a kill switch was thrown. */
export const HALTS_SOURCE: BusSource = {
  subscriptions: [{ senders: 'hub', detailTypes: [HALT_DUE] }],
  maxRetries: 2,
  finalErrors: ['ZodError'],
};
