import { OUTBOX_ENTITY } from '../../shared/data/outbox.ts';
import type { StreamSource } from '../manifest.ts';

/** Every message that was just written to the outbox. */
export const DELIVERIES_SOURCE: StreamSource = { entities: [OUTBOX_ENTITY], batchSize: 10, maxRetries: 3 };
