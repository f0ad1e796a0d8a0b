import { createRuntime } from '../../shared/runtime.ts';
import { deliverLane } from '../deliveries/batch.ts';
import { deliverBulk } from './deliver-bulk.ts';

export const handler = deliverLane(deliverBulk, createRuntime);
