import { createSecretlessRuntime } from '../../shared/runtime.ts';
import { deliverLane } from '../deliveries/batch.ts';
import { deliverOrder } from './deliver-order.ts';

export const handler = deliverLane(deliverOrder, createSecretlessRuntime);
