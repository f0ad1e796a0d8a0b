import { LANES } from '../../shared/data/outbox/lanes.ts';
import type { StreamSource } from '../declaration.ts';

/** Source of the function: each new request to an execution adapter. */
export const ORDERS_SOURCE: StreamSource = { entities: [LANES.orders.entity], batchSize: 10, maxRetries: 3 };
