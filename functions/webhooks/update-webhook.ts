import * as z from 'zod';
import { extensionRecord } from '../../shared/api/fields.ts';
import { commit } from '../../shared/data/numbered-list/list-edit.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { Write } from '../../shared/data/table/writes.ts';
import {
  addressWrite,
  asEndpointState,
  disablingWrite,
  enablingWrite,
} from '../../shared/data/webhooks/endpoint-states.ts';
import {
  disabledEndpoint,
  endpointsWrite,
  type WebhookEndpoint,
} from '../../shared/data/webhooks/endpoints.ts';
import { tidy } from '../../shared/domain/text.ts';
import { endpointNoticeKeys, newAddressNotice } from '../../shared/lifecycle/webhook-notices.ts';
import { newChallenge } from './common/challenge.ts';
import { forOwners } from './common/for-owners.ts';
import { checkUrl, chosenFields, endpointQuery } from './common/inputs.ts';
import { countedSend } from './common/manual-sends.ts';
import { ownEndpoint, unknownEndpoint } from './common/own-endpoint.ts';
import { presentWebhook, webhookOut } from './records/webhook.ts';

const webhookChangeIn = extensionRecord(
  'WebhookChangeIn',
  z.object({
    url: chosenFields.url.optional(),
    events: chosenFields.events.optional(),
    deployment_ids: chosenFields.deployment_ids.optional(),
    description: chosenFields.description.optional(),
    enabled: z.boolean().optional(),
  }),
);

type Change = z.output<typeof webhookChangeIn>;

/** Returns an endpoint with the fields that a request changes. A new address has to answer the challenge. */
const changed = (
  before: WebhookEndpoint,
  { events, deployment_ids: deployments, description, enabled }: Change,
  { isMoved, now }: { readonly isMoved: boolean; readonly now: Date },
): WebhookEndpoint => {
  const chosen: WebhookEndpoint = {
    ...before,
    ...(events && { events }),
    ...(deployments !== undefined && { deployments: deployments ?? undefined }),
    ...(description !== undefined && { description: tidy(description) }),
    ...(isMoved && { proved: undefined, trial: true }),
  };
  const isWanted = enabled ?? before.status !== 'disabled';
  if (!isWanted) return before.status === 'disabled' ? chosen : disabledEndpoint(chosen, 'owner', now);
  return {
    ...chosen,
    status: chosen.proved ? 'enabled' : 'pending',
    disabled_reason: undefined,
    disabled_at: undefined,
  };
};

/** Returns the writes of what a change means for the address and the sending. */
const stateWrites = (
  { endpoint_id: id, status: before }: WebhookEndpoint,
  url: string | undefined,
  { status }: WebhookEndpoint,
  now: Date,
): Write[] => {
  if (status === 'enabled') return before === 'enabled' ? [] : [enablingWrite(id, now)];
  if (before === 'enabled') return [disablingWrite(id, now, url)];
  return url === undefined ? [] : [addressWrite(id, url)];
};

export const [updateWebhook, brokerUpdateWebhook] = forOwners({
  method: 'POST',
  name: 'update_webhook',
  summary: 'Change a webhook endpoint',
  description:
    'Fields that are absent stay as they are; `deployment_ids: null` and `events: []` remove a filter. `enabled: true` also sends what waited, if it is less than 3 days old. Another URL needs a step-up of a user. It holds for events that wait, too; it makes the endpoint `pending` until it has answered a challenge, and a user is notified by all channels.',
  input: (owner) => ({ query: z.object({ ...owner, ...endpointQuery }), json: webhookChangeIn }),
  stepUp: ({ json }) => (json.url === undefined ? 'never' : 'always'),
  output: webhookOut,
  errors: ['endpoint_unknown', 'changed_meanwhile', 'rate_limited'],
  table: 'write',
  uses: ['webhooks'],
  handler: ({ query: { endpoint_id: endpointId }, json }, call, owner) => {
    if (json.url !== undefined) checkUrl(call, json.url);
    const { store, now, random } = call;
    return retryOnConflict(async () => {
      const stateKey = keys.webhookEndpoint(endpointId);
      const noticeKeys = json.url === undefined ? [] : endpointNoticeKeys(owner);
      const { held, endpoint, items } = await ownEndpoint(call, owner, endpointId, [stateKey, ...noticeKeys]);
      const state = asEndpointState(itemWith(items, stateKey));
      if (!state) throw unknownEndpoint();
      const isMoved = json.url !== undefined && json.url !== state.url;
      const next = changed(endpoint, json, { isMoved, now });
      const isAsked = next.status === 'pending' && (isMoved || endpoint.status !== 'pending');
      const moved = { endpoint_id: endpointId, change: 'moved' } as const;
      const notice = isMoved ? newAddressNotice(call, owner, held, moved, { items, now }) : undefined;
      const endpoints = held.endpoints.map((one) => (one === endpoint ? next : one));
      await commit(store, notice?.edits ?? [], [
        endpointsWrite(held, owner, endpoints, {
          ...(notice && { notices: notice.notices }),
          ...(isAsked && countedSend(held, now)),
        }),
        ...stateWrites(endpoint, isMoved ? json.url : undefined, next, now),
        ...(isAsked ? [newChallenge(endpointId, owner, { now, random }).write] : []),
        ...(notice?.writes ?? []),
      ]);
      const isEnabled = endpoint.status === 'disabled' && next.status === 'enabled';
      return presentWebhook(
        next,
        { ...state, url: json.url ?? state.url, ...(isEnabled && { failing_since: undefined }) },
        now,
      );
    });
  },
});
