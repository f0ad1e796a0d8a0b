import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { extensionRecord } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
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
  type WebhookOwner,
} from '../../shared/data/webhooks/endpoints.ts';
import { tidy } from '../../shared/domain/text.ts';
import { endpointNoticeKeys, newAddressNotice } from '../../shared/lifecycle/webhooks.ts';
import { checkUrl, chosenFields, endpointQuery } from './common/inputs.ts';
import {
  BROKER_ERRORS,
  ownEndpoint,
  ownerOfBroker,
  ownerOfUser,
  USER_ERRORS,
  unknownEndpoint,
} from './common/owners.ts';
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

const updateWebhookOf = (
  call: Call,
  owner: WebhookOwner,
  { endpoint_id: endpointId }: { readonly endpoint_id: string },
  json: Change,
): Promise<z.output<typeof webhookOut>> => {
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
};

export const updateWebhook = defineOperation({
  method: 'POST',
  path: '/update_webhook',
  name: 'update_webhook',
  summary: 'Change a webhook endpoint',
  description:
    'Fields that are absent stay as they are; `deployment_ids: null` and `events: []` remove a filter. `enabled: true` also sends what waited, if it is less than 3 days old. The URL holds for events that wait, too; the user is notified of another one by all channels. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string(), ...endpointQuery }), json: webhookChangeIn },
  output: webhookOut,
  errors: [...USER_ERRORS, 'endpoint_unknown', 'changed_meanwhile'],
  table: 'write',
  uses: ['webhooks'],
  handler: async ({ query: { user_id, ...query }, json }, call) =>
    updateWebhookOf(call, ownerOfUser(call, user_id), query, json),
});

export const brokerUpdateWebhook = defineOperation({
  method: 'POST',
  path: '/broker/update_webhook',
  name: 'broker_update_webhook',
  summary: 'Change a webhook endpoint, of the broker',
  description:
    'Fields that are absent stay as they are; `deployment_ids: null` and `events: []` remove a filter. `enabled: true` also sends what waited, if it is less than 3 days old. The URL holds for events that wait, too. Needs the scope `broker:webhooks`.',
  caller: 'integrator',
  extension: true,
  input: { query: z.object({ ...endpointQuery }), json: webhookChangeIn },
  output: webhookOut,
  errors: [...BROKER_ERRORS, 'endpoint_unknown', 'changed_meanwhile'],
  table: 'write',
  uses: ['webhooks'],
  recheck: (_input, call) => ownerOfBroker(call),
  handler: async ({ query, json }, call) => updateWebhookOf(call, await ownerOfBroker(call), query, json),
});
