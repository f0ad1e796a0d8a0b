import { createSecretlessRuntime } from '../../shared/runtime.ts';
import { deliverLane } from '../deliveries/batch.ts';
import { deliverWebhook } from './deliver-webhook.ts';

export const handler = deliverLane(deliverWebhook, createSecretlessRuntime);
