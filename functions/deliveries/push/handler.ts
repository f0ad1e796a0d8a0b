import { deliverLane } from '../../../shared/deliveries/batch.ts';
import { deliverPush } from '../../../shared/deliveries/push/deliver-push.ts';
import { createRuntime } from '../../../shared/runtime.ts';

export const handler = deliverLane(deliverPush, createRuntime);
