import { LANES, RELAYED_LANES } from '../../shared/data/outbox/lanes.ts';
import type { StreamSource } from '../declaration.ts';

/** Source of the function: each new message of the outbox that goes to a queue. */
export const RELAY_SOURCE: StreamSource = {
  entities: RELAYED_LANES.map((lane) => LANES[lane].entity),
  batchSize: 100,
  // The function itself gives up sooner. This bounds the retries of a crash.
  maxRetries: 10,
};
