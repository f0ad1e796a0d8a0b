import * as z from 'zod';
import { extensionRecord, timeOfRequest, timestamp } from '../../shared/api/fields.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { newReplayWrite } from '../../shared/data/webhooks/endpoint-health.ts';
import { forOwners } from './common/for-owners.ts';
import { endpointQuery } from './common/inputs.ts';
import { countedReplayWrite } from './common/manual-sends.ts';
import { ownEndpoint, requireEnabled } from './common/own-endpoint.ts';

const replayIn = extensionRecord('WebhookReplayIn', z.object({ since: timeOfRequest() }));

const replayOut = extensionRecord(
  'WebhookReplay',
  z.object({ endpoint_id: z.string(), since: timestamp(), until: timestamp() }),
);

export const [replayWebhook, brokerReplayWebhook] = forOwners({
  method: 'POST',
  name: 'replay_webhook',
  summary: 'Send the events since a time to a webhook endpoint again',
  description:
    'Sends the events of the change log from a time until now again, oldest first, with the same `webhook-id`. The log has 30 days. Begins within a minute; replaces a replay in progress. At most 20 replays a day (UTC), over all endpoints.',
  scope: 'manage',
  input: (owner) => ({ query: z.object({ ...owner, ...endpointQuery }), json: replayIn }),
  output: replayOut,
  errors: ['endpoint_unknown', 'endpoint_disabled', 'endpoint_pending', 'changed_meanwhile', 'rate_limited'],
  table: 'write',
  handler: ({ query: { endpoint_id: endpointId }, json }, call, owner) => {
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
  },
});
