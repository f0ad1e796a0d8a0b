import { deliverLane } from '../../../shared/deliveries/batch.ts';
import { deliver } from '../../../shared/deliveries/main/deliver-main.ts';
import { createRuntime } from '../../../shared/runtime.ts';

export const handler = deliverLane(deliver, createRuntime);
