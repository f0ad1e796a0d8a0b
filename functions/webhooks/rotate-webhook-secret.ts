import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { newWebhookSecret, OVERLAP_MS } from '../../shared/auth/webhook-secrets.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { asEndpointState, rotateSecret } from '../../shared/data/webhooks/endpoint-states.ts';
import { forOwners } from './common/for-owners.ts';
import { endpointQuery } from './common/inputs.ts';
import { ownEndpoint, unknownEndpoint } from './common/own-endpoint.ts';
import { newWebhookOut, presentWebhook } from './records/webhook.ts';

export const [rotateWebhookSecret, brokerRotateWebhookSecret] = forOwners({
  method: 'POST',
  name: 'rotate_webhook_secret',
  summary: 'Replace the secret of a webhook endpoint',
  description:
    'The answer shows the new secret once. For 24 hours, events are signed with both secrets, so that no event is refused meanwhile. A secret that was replaced before ends at once.',
  input: (owner) => ({ query: z.object({ ...owner, ...endpointQuery }) }),
  stepUp: 'always',
  output: newWebhookOut,
  errors: ['endpoint_unknown', 'changed_meanwhile'],
  table: 'write',
  uses: ['encryption'],
  handler: async ({ query: { endpoint_id: endpointId } }, call, owner) => {
    const { store, now } = call;
    const stateKey = keys.webhookEndpoint(endpointId);
    const { endpoint, items } = await ownEndpoint(call, owner, endpointId, [stateKey]);
    const before = asEndpointState(itemWith(items, stateKey));
    if (!before) throw unknownEndpoint();
    const { text, sealed } = await newWebhookSecret(call, endpointId);
    const until = new Date(now.getTime() + OVERLAP_MS);
    const state = await rotateSecret(store, before, sealed, { now, until });
    if (!state) {
      throw new HubError('changed_meanwhile', 'The endpoint was changed by another call. Try again.');
    }
    call.showOnce();
    return { ...presentWebhook(endpoint, state, now), secret: text };
  },
});
