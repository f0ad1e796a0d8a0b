import * as z from 'zod';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { stateRemoval } from '../../shared/data/webhooks/endpoint-states.ts';
import { endpointsWrite } from '../../shared/data/webhooks/endpoints.ts';
import { forOwners } from './common/for-owners.ts';
import { endpointQuery } from './common/inputs.ts';
import { ownEndpoint } from './common/own-endpoint.ts';
import { ownerEventWrites, ownerKeys } from './common/owner-events.ts';

export const [removeWebhook, brokerRemoveWebhook] = forOwners({
  method: 'POST',
  name: 'remove_webhook',
  summary: 'Remove a webhook endpoint',
  description: 'Events that wait for it are not sent any more. Its secret is deleted.',
  scope: 'manage',
  input: (owner) => ({ query: z.object({ ...owner, ...endpointQuery }) }),
  output: z.object({ removed: z.literal(true) }),
  errors: ['endpoint_unknown', 'changed_meanwhile'],
  table: 'write',
  handler: ({ query: { endpoint_id: endpointId } }, call, owner) =>
    retryOnConflict(async () => {
      const { held, endpoint, items } = await ownEndpoint(call, owner, endpointId, ownerKeys(owner));
      const others = held.endpoints.filter((one) => one !== endpoint);
      await call.store.transact([
        endpointsWrite(held, owner, others),
        stateRemoval(endpointId),
        ...ownerEventWrites(call, owner, items, 'webhook_removed'),
      ]);
      return { removed: true } as const;
    }),
});
