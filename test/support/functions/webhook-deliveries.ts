import { deliverWebhook as entry } from '../../../functions/webhook-deliveries/deliver-webhook.ts';
import { inRole } from '../roles.ts';

export const deliverWebhook = inRole('webhook-deliveries', entry);
