import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { asEndpointState } from '../../shared/data/webhooks/endpoint-states.ts';
import { asEndpoints, endpointsKey, type WebhookOwner } from '../../shared/data/webhooks/endpoints.ts';
import { BROKER_ERRORS, ownerOfBroker, ownerOfUser, USER_ERRORS } from './common/owners.ts';
import { presentWebhook, webhookOut } from './records/webhook.ts';

const getWebhooksOf = async (
  { store, now }: Call,
  owner: WebhookOwner,
): Promise<{ webhooks: z.output<typeof webhookOut>[] }> => {
  const [item] = await store.getMany([endpointsKey(owner)], { consistent: true });
  const endpoints = asEndpoints(item)?.endpoints ?? [];
  if (endpoints.length === 0) return { webhooks: [] };
  const states = await store.getMany(
    endpoints.map(({ endpoint_id: id }) => keys.webhookEndpoint(id)),
    { consistent: true },
  );
  return {
    webhooks: endpoints.flatMap((endpoint, index) => {
      const state = asEndpointState(states[index]);
      return state ? [presentWebhook(endpoint, state, now)] : [];
    }),
  };
};

export const getWebhooks = defineOperation({
  method: 'GET',
  path: '/get_webhooks',
  name: 'get_webhooks',
  summary: 'List the webhook endpoints',
  description:
    'At most 10, without their secrets. An endpoint that answered 410, or accepted nothing for 5 days, is `disabled`. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({ webhooks: z.array(webhookOut) }),
  errors: [...USER_ERRORS],
  table: 'read',
  handler: async ({ query: { user_id } }, call) => getWebhooksOf(call, ownerOfUser(call, user_id)),
});

export const brokerGetWebhooks = defineOperation({
  method: 'GET',
  path: '/broker/get_webhooks',
  name: 'broker_get_webhooks',
  summary: 'List the webhook endpoints, of the broker',
  description:
    'At most 10, without their secrets. An endpoint that answered 410, or accepted nothing for 5 days, is `disabled`. Needs the scope `broker:webhooks`.',
  caller: 'integrator',
  extension: true,
  input: {},
  output: z.object({ webhooks: z.array(webhookOut) }),
  errors: [...BROKER_ERRORS],
  table: 'read',
  handler: async (_input, call) => getWebhooksOf(call, await ownerOfBroker(call)),
});
