import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { newWebhookSecret, OVERLAP_MS } from '../../shared/auth/webhook-secrets.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { asEndpointState, rotateSecret } from '../../shared/data/webhooks/endpoint-states.ts';
import type { WebhookOwner } from '../../shared/data/webhooks/endpoints.ts';
import { endpointQuery } from './common/inputs.ts';
import {
  BROKER_ERRORS,
  ownEndpoint,
  ownerOfBroker,
  ownerOfUser,
  USER_ERRORS,
  unknownEndpoint,
} from './common/owners.ts';
import { newWebhookOut, presentWebhook } from './records/webhook.ts';

const rotateWebhookSecretOf = async (
  call: Call,
  owner: WebhookOwner,
  { endpoint_id: endpointId }: { readonly endpoint_id: string },
): Promise<z.output<typeof newWebhookOut>> => {
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
};

export const rotateWebhookSecret = defineOperation({
  method: 'POST',
  path: '/rotate_webhook_secret',
  name: 'rotate_webhook_secret',
  summary: 'Replace the secret of a webhook endpoint',
  description:
    'The answer shows the new secret once. For 24 hours, events are signed with both secrets, so that no event is refused meanwhile. A secret that was replaced before ends at once. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string(), ...endpointQuery }) },
  output: newWebhookOut,
  errors: [...USER_ERRORS, 'endpoint_unknown', 'changed_meanwhile'],
  table: 'write',
  uses: ['encryption'],
  handler: async ({ query: { user_id, ...query } }, call) =>
    rotateWebhookSecretOf(call, ownerOfUser(call, user_id), query),
});

export const brokerRotateWebhookSecret = defineOperation({
  method: 'POST',
  path: '/broker/rotate_webhook_secret',
  name: 'broker_rotate_webhook_secret',
  summary: 'Replace the secret of a webhook endpoint, of the broker',
  description:
    'The answer shows the new secret once. For 24 hours, events are signed with both secrets, so that no event is refused meanwhile. A secret that was replaced before ends at once. Needs the scope `broker:webhooks`.',
  caller: 'integrator',
  extension: true,
  input: { query: z.object({ ...endpointQuery }) },
  output: newWebhookOut,
  errors: [...BROKER_ERRORS, 'endpoint_unknown', 'changed_meanwhile'],
  table: 'write',
  uses: ['encryption'],
  recheck: (_input, call) => ownerOfBroker(call),
  handler: async ({ query }, call) => rotateWebhookSecretOf(call, await ownerOfBroker(call), query),
});
