import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import type { WebhookOwner } from '../../shared/data/webhooks/endpoints.ts';
import { bodyOf, newDelivery } from '../../shared/data/webhooks/new-deliveries.ts';
import type { ChangeData } from '../../shared/domain/changes/catalogue.ts';
import { textId } from '../../shared/ids.ts';
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

const DATA: ChangeData<'webhook.test'> = { message: 'Test event of the strategy hub.' };

const testWebhookOf = (
  call: Call,
  owner: WebhookOwner,
  { endpoint_id: endpointId }: { readonly endpoint_id: string },
): Promise<z.output<typeof webhookDeliveryOut>> => {
  const { store, now, random } = call;
  const id = textId(random);
  const event = { id, type: 'webhook.test', at: now.toISOString(), data: DATA };
  const addressed = { endpointId, owner, eventId: id, eventType: event.type, body: bodyOf(event) };
  const { delivery, write } = newDelivery(addressed, { now, random });
  return retryOnConflict(async () => {
    const { held, endpoint } = await ownEndpoint(call, owner, endpointId, []);
    requireEnabled(endpoint);
    await store.transact([write, countedSendWrite(held, owner, now)]);
    return presentDelivery(delivery, now);
  });
};

export const testWebhook = defineOperation({
  method: 'POST',
  path: '/test_webhook',
  name: 'test_webhook',
  summary: 'Send a test event to a webhook endpoint',
  description:
    'Sends an event of the type `webhook.test`, whatever the filters are. `/get_webhook_deliveries` shows the outcome within seconds. With events sent again, at most 60 a minute. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string(), ...endpointQuery }) },
  output: webhookDeliveryOut,
  errors: [...USER_ERRORS, 'endpoint_unknown', 'endpoint_disabled', 'changed_meanwhile', 'rate_limited'],
  table: 'write',
  handler: async ({ query: { user_id, ...query } }, call) =>
    testWebhookOf(call, ownerOfUser(call, user_id), query),
});

export const brokerTestWebhook = defineOperation({
  method: 'POST',
  path: '/broker/test_webhook',
  name: 'broker_test_webhook',
  summary: 'Send a test event to a webhook endpoint, of the broker',
  description:
    'Sends an event of the type `webhook.test`, whatever the filters are. `/get_webhook_deliveries` shows the outcome within seconds. With events sent again, at most 60 a minute. Needs the scope `broker:webhooks`.',
  caller: 'integrator',
  extension: true,
  input: { query: z.object({ ...endpointQuery }) },
  output: webhookDeliveryOut,
  errors: [...BROKER_ERRORS, 'endpoint_unknown', 'endpoint_disabled', 'changed_meanwhile', 'rate_limited'],
  table: 'write',
  recheck: (_input, call) => ownerOfBroker(call),
  handler: async ({ query }, call) => testWebhookOf(call, await ownerOfBroker(call), query),
});
