import type { Operation } from '../../shared/api/operation.ts';
import { getBrokerEvents } from './get-broker-events.ts';
import { getEvents } from './get-events.ts';

/** Operations that read change events. */
export const eventsOperations: readonly Operation[] = [getEvents, getBrokerEvents];
