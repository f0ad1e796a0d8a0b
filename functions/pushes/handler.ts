import { createRuntime } from '../../shared/runtime.ts';
import { deliverLane } from '../deliveries/batch.ts';
import { deliverPush } from './deliver-push.ts';

export const handler = deliverLane(deliverPush, createRuntime);
