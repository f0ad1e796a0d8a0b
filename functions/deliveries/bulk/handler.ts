import { deliverLane } from '../../../shared/deliveries/batch.ts';
import { deliverBulk } from '../../../shared/deliveries/bulk/deliver-bulk.ts';
import { createRuntime } from '../../../shared/runtime.ts';

export const handler = deliverLane(deliverBulk, createRuntime);
