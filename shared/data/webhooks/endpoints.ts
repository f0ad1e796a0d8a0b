import * as z from 'zod';
import { openEnum } from '../../domain/open-enum.ts';
import type { Listener } from '../changes/listeners.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Key, Write } from '../table/writes.ts';

/** The most endpoints of a user or a broker. */
export const MAX_ENDPOINTS = 10;

/** The user or the broker that has an endpoint. */
export const webhookOwnerSchema = z.union([
  z.object({ user_id: z.string() }),
  z.object({ broker_id: z.number(), subdomain: z.string() }),
]);

export type WebhookOwner = z.output<typeof webhookOwnerSchema>;

/** Choices of an owner for an endpoint, and its status. The address is in its state. */
const endpointSchema = z.object({
  endpoint_id: z.string(),
  description: z.string(),
  /** Types of events that it gets; empty for all. */
  events: z.array(z.string()),
  /** Deployments whose events it gets; absent for all. */
  deployments: z.array(z.number()).optional(),
  /** `pending`: it gets events once its address has answered the challenge. */
  status: openEnum(['enabled', 'pending', 'disabled'], 'disabled'),
  /** Set once the present address has answered the challenge. */
  proved: z.literal(true).optional(),
  /** Set while its events leave by the lane `trials`: it is new, or was slow or failed not long ago. */
  trial: z.literal(true).optional(),
  /**
   * - `owner`: the owner disabled it.
   * - `gone`: it answered 410.
   * - `failing`: it answered nothing else than errors for days.
   */
  disabled_reason: openEnum(['owner', 'gone', 'failing'], 'failing').optional(),
  disabled_at: z.string().optional(),
  created_at: z.string(),
});

export type WebhookEndpoint = z.output<typeof endpointSchema>;

const endpointsSchema = z.object({
  owner: webhookOwnerSchema,
  /** Increases with every change. */
  rev: z.number(),
  endpoints: z.array(endpointSchema),
  /** Events that the owner sent by hand in a minute, in minutes since 1970. */
  manual: z.object({ minute: z.number(), count: z.number() }).optional(),
  /** Replays that the owner began on a day (UTC). */
  replays: z.object({ day: z.string(), count: z.number() }).optional(),
  /** Notices of a day (UTC) about endpoints. */
  notices: z.object({ day: z.string(), count: z.number() }).optional(),
});

/** The endpoints of a user or a broker: one item. */
export type WebhookEndpoints = z.output<typeof endpointsSchema>;

/** Returns the key of the endpoints of an owner. */
export const endpointsKey = (owner: Listener): Key =>
  'user_id' in owner ? keys.userWebhooks(owner.user_id) : keys.brokerWebhooks(owner.broker_id);

/** Names an owner, for the turns of owners. */
export const ownerName = (owner: WebhookOwner): string =>
  'user_id' in owner ? `user ${owner.user_id}` : `broker ${owner.broker_id}`;

/** Parses the item of the endpoints; undefined if there is none. */
export const asEndpoints = (item: Item | undefined): WebhookEndpoints | undefined =>
  item && parseItem(endpointsSchema, item);

/** Counts of what an owner does with endpoints. */
export type EndpointCounts = Partial<Pick<WebhookEndpoints, 'manual' | 'replays' | 'notices'>>;

/** Returns the write of the endpoints of an owner. Its condition fails if they changed since they were read. */
export const endpointsWrite = (
  before: WebhookEndpoints | undefined,
  owner: WebhookOwner,
  endpoints: readonly WebhookEndpoint[],
  counts: EndpointCounts = {},
): Write => ({
  put: {
    ...before,
    ...counts,
    ...endpointsKey(owner),
    entity: 'webhook_endpoints',
    owner: before?.owner ?? owner,
    endpoints: [...endpoints],
    rev: (before?.rev ?? 0) + 1,
  },
  if: before
    ? { condition: 'rev = :before', values: { ':before': before.rev } }
    : { condition: 'attribute_not_exists(pk)' },
});

/** Returns an endpoint that gets no events any more. */
export const disabledEndpoint = (
  endpoint: WebhookEndpoint,
  reason: NonNullable<WebhookEndpoint['disabled_reason']>,
  now: Date,
): WebhookEndpoint => ({
  ...endpoint,
  status: 'disabled',
  disabled_reason: reason,
  disabled_at: now.toISOString(),
});
