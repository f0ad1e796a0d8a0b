import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { asDelivery, deliveryKey, endpointOf } from '../../shared/data/webhooks/deliveries.ts';
import type { WebhookOwner } from '../../shared/data/webhooks/endpoints.ts';
import { newDelivery } from '../../shared/data/webhooks/new-deliveries.ts';
import { endpointQuery } from './common/inputs.ts';
import { countedSendWrite } from './common/manual-sends.ts';
import {
  BROKER_ERRORS,
  ownEndpoint,
  ownerOfBroker,
  ownerOfUser,
  requireEnabled,
  USER_ERRORS,
} from './common/owners.ts';
import { presentDelivery, webhookDeliveryOut } from './records/webhook-delivery.ts';

const MAX_DELIVERY_ID = 128;

const resendWebhookOf = (
  call: Call,
  owner: WebhookOwner,
  {
    endpoint_id: endpointId,
    delivery_id: deliveryId,
  }: { readonly endpoint_id: string; readonly delivery_id: string },
): Promise<z.output<typeof webhookDeliveryOut>> => {
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
    const { delivery, write } = newDelivery({ endpointId, owner, eventId, eventType, body }, { now, random });
    await store.transact([write, countedSendWrite(held, owner, now)]);
    return presentDelivery(delivery, now);
  });
};

export const resendWebhook = defineOperation({
  method: 'POST',
  path: '/resend_webhook',
  name: 'resend_webhook',
  summary: 'Send an event to a webhook endpoint again',
  description:
    'Sends the event of a delivery again, with the same `webhook-id`, as a new delivery. With test events, at most 60 a minute. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: {
    query: z.object({ user_id: z.string(), ...endpointQuery, delivery_id: z.string().max(MAX_DELIVERY_ID) }),
  },
  output: webhookDeliveryOut,
  errors: [
    ...USER_ERRORS,
    'endpoint_unknown',
    'endpoint_disabled',
    'delivery_unknown',
    'changed_meanwhile',
    'rate_limited',
  ],
  table: 'write',
  handler: async ({ query: { user_id, ...query } }, call) =>
    resendWebhookOf(call, ownerOfUser(call, user_id), query),
});

export const brokerResendWebhook = defineOperation({
  method: 'POST',
  path: '/broker/resend_webhook',
  name: 'broker_resend_webhook',
  summary: 'Send an event to a webhook endpoint again, of the broker',
  description:
    'Sends the event of a delivery again, with the same `webhook-id`, as a new delivery. With test events, at most 60 a minute. Needs the scope `broker:webhooks`.',
  caller: 'integrator',
  extension: true,
  input: { query: z.object({ ...endpointQuery, delivery_id: z.string().max(MAX_DELIVERY_ID) }) },
  output: webhookDeliveryOut,
  errors: [
    ...BROKER_ERRORS,
    'endpoint_unknown',
    'endpoint_disabled',
    'delivery_unknown',
    'changed_meanwhile',
    'rate_limited',
  ],
  table: 'write',
  recheck: (_input, call) => ownerOfBroker(call),
  handler: async ({ query }, call) => resendWebhookOf(call, await ownerOfBroker(call), query),
});
