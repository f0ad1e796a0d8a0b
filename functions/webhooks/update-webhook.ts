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
import { forOwners } from './common/for-owners.ts';
import { checkUrl, chosenFields, endpointQuery } from './common/inputs.ts';
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

/** Returns an endpoint with the fields that a request changes. */
const changed = (
  before: WebhookEndpoint,
  { events, deployment_ids: deployments, description, enabled }: Change,
  now: Date,
): WebhookEndpoint => {
  const chosen: WebhookEndpoint = {
    ...before,
    ...(events && { events }),
    ...(deployments !== undefined && { deployments: deployments ?? undefined }),
    ...(description !== undefined && { description: tidy(description) }),
  };
  if (enabled === undefined || enabled === (before.status === 'enabled')) return chosen;
  return enabled
    ? { ...chosen, status: 'enabled', disabled_reason: undefined, disabled_at: undefined }
    : disabledEndpoint(chosen, 'owner', now);
};

/** Returns the writes of what a change means for the address and the sending. */
const stateWrites = (
  { endpoint_id: id, status: before }: WebhookEndpoint,
  { url }: Change,
  { status }: WebhookEndpoint,
  now: Date,
): Write[] => {
  if (status === before) return url === undefined ? [] : [addressWrite(id, url)];
  return [status === 'enabled' ? enablingWrite(id, now, url) : disablingWrite(id, now, url)];
};

export const [updateWebhook, brokerUpdateWebhook] = forOwners({
  method: 'POST',
  name: 'update_webhook',
  summary: 'Change a webhook endpoint',
  description:
    'Fields that are absent stay as they are; `deployment_ids: null` and `events: []` remove a filter. `enabled: true` also sends what waited, if it is less than 3 days old. The URL holds for events that wait, too; a user is notified of another one by all channels.',
  input: (owner) => ({ query: z.object({ ...owner, ...endpointQuery }), json: webhookChangeIn }),
  output: webhookOut,
  errors: ['endpoint_unknown', 'changed_meanwhile'],
  table: 'write',
  uses: ['webhooks'],
  handler: ({ query: { endpoint_id: endpointId }, json }, call, owner) => {
    if (json.url !== undefined) checkUrl(call, json.url);
    const { store, now } = call;
    return retryOnConflict(async () => {
      const stateKey = keys.webhookEndpoint(endpointId);
      const noticeKeys = json.url === undefined ? [] : endpointNoticeKeys(owner);
      const { held, endpoint, items } = await ownEndpoint(call, owner, endpointId, [stateKey, ...noticeKeys]);
      const state = asEndpointState(itemWith(items, stateKey));
      if (!state) throw unknownEndpoint();
      const next = changed(endpoint, json, now);
      const isMoved = json.url !== undefined && json.url !== state.url;
      const moved = { endpoint_id: endpointId, change: 'moved' } as const;
      const notice = isMoved ? newAddressNotice(call, owner, held, moved, { items, now }) : undefined;
      const endpoints = held.endpoints.map((one) => (one === endpoint ? next : one));
      await commit(store, notice?.edits ?? [], [
        endpointsWrite(held, owner, endpoints, notice?.notices),
        ...stateWrites(endpoint, json, next, now),
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
