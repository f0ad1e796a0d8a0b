import { LANES } from '../../shared/data/outbox/lanes.ts';
import type { StreamSource } from '../declaration.ts';

/** Source of the function: each new message to a device. */
export const PUSHES_SOURCE: StreamSource = { entities: [LANES.push.entity], batchSize: 10, maxRetries: 3 };
