import type { Operation } from '../../shared/api/operation.ts';
import { brokerGetWebhookDeliveries, getWebhookDeliveries } from './get-webhook-deliveries.ts';
import { brokerGetWebhooks, getWebhooks } from './get-webhooks.ts';
import { brokerRegisterWebhook, registerWebhook } from './register-webhook.ts';
import { brokerRemoveWebhook, removeWebhook } from './remove-webhook.ts';
import { brokerReplayWebhook, replayWebhook } from './replay-webhook.ts';
import { brokerResendWebhook, resendWebhook } from './resend-webhook.ts';
import { brokerRotateWebhookSecret, rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { brokerTestWebhook, testWebhook } from './test-webhook.ts';
import { brokerUpdateWebhook, updateWebhook } from './update-webhook.ts';

/** Operations on the webhook endpoints of users and brokers. */
export const webhooksOperations: readonly Operation[] = [
  registerWebhook,
  getWebhooks,
  updateWebhook,
  removeWebhook,
  rotateWebhookSecret,
  testWebhook,
  getWebhookDeliveries,
  resendWebhook,
  replayWebhook,
  brokerRegisterWebhook,
  brokerGetWebhooks,
  brokerUpdateWebhook,
  brokerRemoveWebhook,
  brokerRotateWebhookSecret,
  brokerTestWebhook,
  brokerGetWebhookDeliveries,
  brokerResendWebhook,
  brokerReplayWebhook,
];
