import { deliverLane } from '../../../shared/deliveries/batch.ts';
import { deliverWebhook } from '../../../shared/deliveries/webhooks/deliver-webhook.ts';
import { createSecretlessRuntime } from '../../../shared/runtime.ts';

export const handler = deliverLane(deliverWebhook, createSecretlessRuntime);
