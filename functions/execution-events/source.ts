import { REPORT_TYPES } from '../../shared/lifecycle/reports/report.ts';
import type { BusSource } from '../declaration.ts';

/** Source of the function: all events of execution engines. */
export const EXECUTION_EVENTS_SOURCE: BusSource = {
  subscriptions: [{ senders: 'engines', detailTypes: REPORT_TYPES }],
  maxRetries: 2,
  finalErrors: ['MalformedEventError'],
};
