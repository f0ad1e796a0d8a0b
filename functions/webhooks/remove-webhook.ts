import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { stateRemoval } from '../../shared/data/webhooks/endpoint-states.ts';
import { endpointsWrite, type WebhookOwner } from '../../shared/data/webhooks/endpoints.ts';
import { endpointQuery } from './common/inputs.ts';
import { BROKER_ERRORS, ownEndpoint, ownerOfBroker, ownerOfUser, USER_ERRORS } from './common/owners.ts';

const removeWebhookOf = (
  call: Call,
  owner: WebhookOwner,
  { endpoint_id: endpointId }: { readonly endpoint_id: string },
): Promise<{ removed: true }> =>
  retryOnConflict(async () => {
    const { held, endpoint } = await ownEndpoint(call, owner, endpointId, []);
    const others = held.endpoints.filter((one) => one !== endpoint);
    await call.store.transact([endpointsWrite(held, owner, others), stateRemoval(endpointId)]);
    return { removed: true };
  });

export const removeWebhook = defineOperation({
  method: 'POST',
  path: '/remove_webhook',
  name: 'remove_webhook',
  summary: 'Remove a webhook endpoint',
  description:
    'Events that wait for it are not sent any more. Its secret is deleted. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string(), ...endpointQuery }) },
  output: z.object({ removed: z.literal(true) }),
  errors: [...USER_ERRORS, 'endpoint_unknown', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { user_id, ...query } }, call) =>
    removeWebhookOf(call, ownerOfUser(call, user_id), query),
});

export const brokerRemoveWebhook = defineOperation({
  method: 'POST',
  path: '/broker/remove_webhook',
  name: 'broker_remove_webhook',
  summary: 'Remove a webhook endpoint, of the broker',
  description:
    'Events that wait for it are not sent any more. Its secret is deleted. Needs the scope `broker:webhooks`.',
  caller: 'integrator',
  extension: true,
  input: { query: z.object({ ...endpointQuery }) },
  output: z.object({ removed: z.literal(true) }),
  errors: [...BROKER_ERRORS, 'endpoint_unknown', 'changed_meanwhile'],
  table: 'write',
  recheck: (_input, call) => ownerOfBroker(call),
  handler: async ({ query }, call) => removeWebhookOf(call, await ownerOfBroker(call), query),
});
