import * as z from 'zod';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { bodyOf, newDelivery } from '../../shared/data/webhooks/new-deliveries.ts';
import type { ChangeData } from '../../shared/domain/changes/catalogue.ts';
import { textId } from '../../shared/ids.ts';
import { newChallenge } from './common/challenge.ts';
import { forOwners } from './common/for-owners.ts';
import { endpointQuery } from './common/inputs.ts';
import { countedSendWrite } from './common/manual-sends.ts';
import { ownEndpoint, requireEnabled } from './common/own-endpoint.ts';
import { presentDelivery, webhookDeliveryOut } from './records/webhook-delivery.ts';

const DATA: ChangeData<'webhook.test'> = { message: 'Test event of the strategy hub.' };

export const [testWebhook, brokerTestWebhook] = forOwners({
  method: 'POST',
  name: 'test_webhook',
  summary: 'Send a test event to a webhook endpoint',
  description:
    'Sends an event of the type `webhook.test`, whatever the filters are; to an endpoint that is `pending`, another `webhook.challenge`. `/get_webhook_deliveries` shows the outcome within seconds. With events sent again, at most 60 a minute.',
  scope: 'manage',
  input: (owner) => ({ query: z.object({ ...owner, ...endpointQuery }) }),
  output: webhookDeliveryOut,
  errors: ['endpoint_unknown', 'endpoint_disabled', 'changed_meanwhile', 'rate_limited'],
  table: 'write',
  handler: ({ query: { endpoint_id: endpointId } }, call, owner) => {
    const { store, now, random } = call;
    const id = textId(random);
    const event = { id, type: 'webhook.test', at: now.toISOString(), data: DATA };
    const addressed = { endpointId, owner, eventId: id, eventType: event.type, body: bodyOf(event) };
    return retryOnConflict(async () => {
      const { held, endpoint } = await ownEndpoint(call, owner, endpointId, []);
      const isPending = endpoint.status === 'pending';
      if (!isPending) requireEnabled(endpoint);
      const { delivery, write } = isPending
        ? newChallenge(endpointId, owner, { now, random })
        : newDelivery(addressed, 'trials', { now, random });
      await store.transact([write, countedSendWrite(held, owner, now)]);
      return presentDelivery(delivery, now);
    });
  },
});
