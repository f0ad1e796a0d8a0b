import { deliverWebhook as entry } from '../../../shared/deliveries/webhooks/deliver-webhook.ts';
import { inRole } from '../roles.ts';

export const deliverWebhook = inRole('deliver-webhooks', entry);
