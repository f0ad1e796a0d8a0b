import {
  deliverWebhook as entry,
  deliverTrial as trialEntry,
} from '../../../shared/deliveries/webhooks/deliver-webhook.ts';
import { inRole } from '../roles.ts';

export const deliverWebhook = inRole('deliver-webhooks', entry);
export const deliverTrial = inRole('deliver-trials', trialEntry);
