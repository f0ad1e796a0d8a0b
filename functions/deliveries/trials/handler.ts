import { deliverLane } from '../../../shared/deliveries/batch.ts';
import { deliverTrial } from '../../../shared/deliveries/webhooks/deliver-webhook.ts';
import { createSecretlessRuntime } from '../../../shared/runtime.ts';

export const handler = deliverLane(deliverTrial, createSecretlessRuntime);
