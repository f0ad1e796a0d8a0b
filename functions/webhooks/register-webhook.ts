import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { extensionRecord } from '../../shared/api/fields.ts';
import { unknownUser } from '../../shared/api/refusals.ts';
import { newWebhookSecret } from '../../shared/auth/webhook-secrets.ts';
import { listeningKey } from '../../shared/data/changes/listeners.ts';
import {
  beginListeningWrites,
  listensUntil,
  renewedListeningWrite,
} from '../../shared/data/changes/listening.ts';
import { commit } from '../../shared/data/numbered-list/list-edit.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { newStateWrite } from '../../shared/data/webhooks/endpoint-states.ts';
import {
  asEndpoints,
  endpointsKey,
  endpointsWrite,
  MAX_ENDPOINTS,
  type WebhookEndpoint,
} from '../../shared/data/webhooks/endpoints.ts';
import { tidy } from '../../shared/domain/text.ts';
import { textId } from '../../shared/ids.ts';
import { endpointNoticeKeys, newAddressNotice } from '../../shared/lifecycle/webhook-notices.ts';
import { newChallenge } from './common/challenge.ts';
import { forOwners } from './common/for-owners.ts';
import { checkUrl, chosenFields } from './common/inputs.ts';
import { countedSend } from './common/manual-sends.ts';
import { ownerEventWrites } from './common/owner-events.ts';
import { newWebhookOut, presentWebhook } from './records/webhook.ts';

const webhookIn = extensionRecord(
  'WebhookIn',
  z.object({
    url: chosenFields.url,
    events: chosenFields.events.default([]),
    deployment_ids: chosenFields.deployment_ids.default(null),
    description: chosenFields.description.default(''),
  }),
);

export const [registerWebhook, brokerRegisterWebhook] = forOwners({
  method: 'POST',
  name: 'register_webhook',
  summary: 'Register a webhook endpoint',
  description:
    'Events are posted to the URL by the Standard Webhooks specification, signed with the secret of the answer, which is shown once. The endpoint is `pending` until its address has answered a `webhook.challenge` with the text of `data.challenge`; then it gets events. `events` and `deployment_ids` filter them; all when absent. At most 10 endpoints. A user is notified by all channels.',
  input: (owner) => ({ query: z.object(owner), json: webhookIn }),
  output: newWebhookOut,
  userErrors: ['user_unknown'],
  proven: true,
  stepUp: 'always',
  errors: ['quota_reached', 'changed_meanwhile', 'rate_limited'],
  table: 'write',
  uses: ['webhooks', 'encryption'],
  handler: async ({ json }, call, owner) => {
    const { store, now, random } = call;
    checkUrl(call, json.url);
    const own = endpointsKey(owner);
    const endpointId = textId(random);
    const { text, sealed } = await newWebhookSecret(call, endpointId);
    const endpoint: WebhookEndpoint = {
      endpoint_id: endpointId,
      description: tidy(json.description),
      events: json.events,
      ...(json.deployment_ids && { deployments: json.deployment_ids }),
      status: 'pending',
      trial: true,
      created_at: now.toISOString(),
    };
    const challenge = newChallenge(endpointId, owner, { now, random });
    await retryOnConflict(async () => {
      const wanted = [own, listeningKey(owner), ...endpointNoticeKeys(owner)];
      const items = await store.getMany(wanted, { consistent: true });
      if ('user_id' in owner && !itemWith(items, keys.user(owner.user_id))) throw unknownUser();
      const held = asEndpoints(itemWith(items, own));
      const others = held?.endpoints ?? [];
      if (others.length >= MAX_ENDPOINTS) {
        throw new HubError(
          'quota_reached',
          `There are ${MAX_ENDPOINTS} endpoints already. Remove one first.`,
        );
      }
      const isListening = listensUntil(itemWith(items, listeningKey(owner))) !== undefined;
      const isNew = { endpoint_id: endpointId, change: 'registered' } as const;
      const { notices, edits, writes } = newAddressNotice(call, owner, held, isNew, { items, now });
      await commit(store, edits, [
        endpointsWrite(held, owner, [...others, endpoint], { notices, ...countedSend(held, now) }),
        newStateWrite(endpointId, owner, { url: json.url, secret: sealed }, now),
        // Listening lasts while there are endpoints. To begin it takes a walk over deployments.
        ...(isListening
          ? [renewedListeningWrite(owner, now)]
          : beginListeningWrites(owner, () => textId(random), now)),
        challenge.write,
        ...writes,
        ...ownerEventWrites(call, owner, items, 'webhook_registered'),
      ]);
    });
    call.showOnce();
    const state = { url: json.url, secret_since: now.toISOString() };
    return { ...presentWebhook(endpoint, state, now), secret: text };
  },
});
