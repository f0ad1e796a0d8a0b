import * as z from 'zod';
import { keys } from '../../shared/data/table/keys.ts';
import { asEndpointState } from '../../shared/data/webhooks/endpoint-states.ts';
import { asEndpoints, endpointsKey } from '../../shared/data/webhooks/endpoints.ts';
import { forOwners } from './common/for-owners.ts';
import { presentWebhook, webhookOut } from './records/webhook.ts';

export const [getWebhooks, brokerGetWebhooks] = forOwners({
  method: 'GET',
  name: 'get_webhooks',
  summary: 'List the webhook endpoints',
  description:
    'At most 10, without their secrets. An endpoint that answered 410, or accepted nothing for 5 days, is `disabled`.',
  scope: 'manage',
  input: (owner) => ({ query: z.object(owner) }),
  output: z.object({ webhooks: z.array(webhookOut) }),
  errors: [],
  table: 'read',
  handler: async (_input, { store, now }, owner) => {
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
  },
});
