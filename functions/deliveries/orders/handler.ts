import { deliverLane } from '../../../shared/deliveries/batch.ts';
import { deliverOrder } from '../../../shared/deliveries/orders/deliver-order.ts';
import { createSecretlessRuntime } from '../../../shared/runtime.ts';

export const handler = deliverLane(deliverOrder, createSecretlessRuntime);
