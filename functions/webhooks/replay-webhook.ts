import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { extensionRecord, timeOfRequest, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { beginReplay } from '../../shared/data/webhooks/endpoint-health.ts';
import type { WebhookOwner } from '../../shared/data/webhooks/endpoints.ts';
import { endpointQuery } from './common/inputs.ts';
import {
  BROKER_ERRORS,
  ownEndpoint,
  ownerOfBroker,
  ownerOfUser,
  requireEnabled,
  USER_ERRORS,
  unknownEndpoint,
} from './common/owners.ts';

const replayIn = extensionRecord('WebhookReplayIn', z.object({ since: timeOfRequest() }));

const replayOut = extensionRecord(
  'WebhookReplay',
  z.object({ endpoint_id: z.string(), since: timestamp(), until: timestamp() }),
);

const replayWebhookOf = async (
  call: Call,
  owner: WebhookOwner,
  { endpoint_id: endpointId }: { readonly endpoint_id: string },
  json: z.output<typeof replayIn>,
): Promise<z.output<typeof replayOut>> => {
  const { store, now } = call;
  requireEnabled((await ownEndpoint(call, owner, endpointId, [])).endpoint);
  const since = Date.parse(json.since);
  if (!(await beginReplay(store, endpointId, { since, until: now }))) throw unknownEndpoint();
  return {
    endpoint_id: endpointId,
    since: new Date(since).toISOString(),
    until: now.toISOString(),
  };
};

export const replayWebhook = defineOperation({
  method: 'POST',
  path: '/replay_webhook',
  name: 'replay_webhook',
  summary: 'Send the events since a time to a webhook endpoint again',
  description:
    'Sends the events of the change log from a time until now again, oldest first, with the same `webhook-id`. The log has 30 days. Begins within a minute; replaces a replay in progress. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string(), ...endpointQuery }), json: replayIn },
  output: replayOut,
  errors: [...USER_ERRORS, 'endpoint_unknown', 'endpoint_disabled'],
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
    'Sends the events of the change log from a time until now again, oldest first, with the same `webhook-id`. The log has 30 days. Begins within a minute; replaces a replay in progress. Needs the scope `broker:webhooks`.',
  caller: 'integrator',
  extension: true,
  input: { query: z.object({ ...endpointQuery }), json: replayIn },
  output: replayOut,
  errors: [...BROKER_ERRORS, 'endpoint_unknown', 'endpoint_disabled'],
  table: 'write',
  recheck: (_input, call) => ownerOfBroker(call),
  handler: async ({ query, json }, call) => replayWebhookOf(call, await ownerOfBroker(call), query, json),
});
