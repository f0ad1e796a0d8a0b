import { LANES } from '../../shared/data/outbox/lanes.ts';
import type { StreamSource } from '../manifest.ts';

/** Every message to a device that was just written to the outbox. */
export const PUSHES_SOURCE: StreamSource = { entities: [LANES.push.entity], batchSize: 10, maxRetries: 3 };
