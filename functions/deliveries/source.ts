import { LANES } from '../../shared/data/outbox/lanes.ts';
import type { StreamSource } from '../declaration.ts';

/** Source of the function: each new message of the outbox, except those to devices. */
export const DELIVERIES_SOURCE: StreamSource = {
  entities: [LANES.main.entity],
  batchSize: 10,
  maxRetries: 3,
};
