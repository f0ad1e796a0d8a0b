import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { extensionRecord, timeOfRequest, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { newReplayWrite } from '../../shared/data/webhooks/endpoint-health.ts';
import type { WebhookOwner } from '../../shared/data/webhooks/endpoints.ts';
import { endpointQuery } from './common/inputs.ts';
import { countedReplayWrite } from './common/manual-sends.ts';
import {
  BROKER_ERRORS,
  ownEndpoint,
  ownerOfBroker,
  ownerOfUser,
  requireEnabled,
  USER_ERRORS,
} from './common/owners.ts';

const replayIn = extensionRecord('WebhookReplayIn', z.object({ since: timeOfRequest() }));

const replayOut = extensionRecord(
  'WebhookReplay',
  z.object({ endpoint_id: z.string(), since: timestamp(), until: timestamp() }),
);

const replayWebhookOf = (
  call: Call,
  owner: WebhookOwner,
  { endpoint_id: endpointId }: { readonly endpoint_id: string },
  json: z.output<typeof replayIn>,
): Promise<z.output<typeof replayOut>> => {
  const { store, now } = call;
  const since = Date.parse(json.since);
  return retryOnConflict(async () => {
    const { held, endpoint } = await ownEndpoint(call, owner, endpointId, []);
    requireEnabled(endpoint);
    await store.transact([
      newReplayWrite(endpointId, { since, until: now }),
      countedReplayWrite(held, owner, now),
    ]);
    return {
      endpoint_id: endpointId,
      since: new Date(since).toISOString(),
      until: now.toISOString(),
    };
  });
};

export const replayWebhook = defineOperation({
  method: 'POST',
  path: '/replay_webhook',
  name: 'replay_webhook',
  summary: 'Send the events since a time to a webhook endpoint again',
  description:
    'Sends the events of the change log from a time until now again, oldest first, with the same `webhook-id`. The log has 30 days. Begins within a minute; replaces a replay in progress. At most 20 replays a day (UTC), over all endpoints. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string(), ...endpointQuery }), json: replayIn },
  output: replayOut,
  errors: [...USER_ERRORS, 'endpoint_unknown', 'endpoint_disabled', 'changed_meanwhile', 'rate_limited'],
  table: 'write',
  handler: async ({ query: { user_id, ...query }, json }, call) =>
    replayWebhookOf(call, ownerOfUser(call, user_id), query, json),
});

export const brokerReplayWebhook = defineOperation({
  method: 'POST',
  path: '/broker/replay_webhook',
  name: 'broker_replay_webhook',
  summary: 'Send the events since a time to a webhook endpoint again, of the broker',
  description:
    'Sends the events of the change log from a time until now again, oldest first, with the same `webhook-id`. The log has 30 days. Begins within a minute; replaces a replay in progress. At most 20 replays a day (UTC), over all endpoints. Needs the scope `broker:webhooks`.',
  caller: 'integrator',
  extension: true,
  input: { query: z.object({ ...endpointQuery }), json: replayIn },
  output: replayOut,
  errors: [...BROKER_ERRORS, 'endpoint_unknown', 'endpoint_disabled', 'changed_meanwhile', 'rate_limited'],
  table: 'write',
  recheck: (_input, call) => ownerOfBroker(call),
  handler: async ({ query, json }, call) => replayWebhookOf(call, await ownerOfBroker(call), query, json),
});
