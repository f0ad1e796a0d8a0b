import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { asDelivery, deliveryKey, endpointOf } from '../../shared/data/webhooks/deliveries.ts';
import { newDelivery } from '../../shared/data/webhooks/new-deliveries.ts';
import { forOwners } from './common/for-owners.ts';
import { endpointQuery } from './common/inputs.ts';
import { countedSendWrite } from './common/manual-sends.ts';
import { ownEndpoint, requireEnabled } from './common/own-endpoint.ts';
import { presentDelivery, webhookDeliveryOut } from './records/webhook-delivery.ts';

const MAX_DELIVERY_ID = 128;

export const [resendWebhook, brokerResendWebhook] = forOwners({
  method: 'POST',
  name: 'resend_webhook',
  summary: 'Send an event to a webhook endpoint again',
  description:
    'Sends the event of a delivery again, with the same `webhook-id`, as a new delivery. With test events, at most 60 a minute.',
  scope: 'manage',
  input: (owner) => ({
    query: z.object({ ...owner, ...endpointQuery, delivery_id: z.string().max(MAX_DELIVERY_ID) }),
  }),
  output: webhookDeliveryOut,
  errors: [
    'endpoint_unknown',
    'endpoint_disabled',
    'endpoint_pending',
    'delivery_unknown',
    'changed_meanwhile',
    'rate_limited',
  ],
  table: 'write',
  handler: ({ query: { endpoint_id: endpointId, delivery_id: deliveryId } }, call, owner) => {
    const { store, now, random } = call;
    const key = deliveryKey(deliveryId);
    return retryOnConflict(async () => {
      const { held, endpoint, items } = await ownEndpoint(call, owner, endpointId, [key]);
      requireEnabled(endpoint);
      const before = asDelivery(itemWith(items, key));
      if (!before || endpointOf(before.delivery_id) !== endpointId) {
        throw new HubError('delivery_unknown', 'There is no such delivery to this endpoint.');
      }
      const { event_id: eventId, event_type: eventType, body } = before;
      const { delivery, write } = newDelivery({ endpointId, owner, eventId, eventType, body }, 'trials', {
        now,
        random,
      });
      await store.transact([write, countedSendWrite(held, owner, now)]);
      return presentDelivery(delivery, now);
    });
  },
});
