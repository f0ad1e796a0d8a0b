import { LANES } from '../../shared/data/outbox/lanes.ts';
import type { StreamSource } from '../manifest.ts';

/** Every message that was just written to the outbox, but those to devices. */
export const DELIVERIES_SOURCE: StreamSource = {
  entities: [LANES.main.entity],
  batchSize: 10,
  maxRetries: 3,
};
