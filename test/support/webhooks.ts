import { deliveryKey, endpointOf } from '../../shared/data/webhooks/deliveries.ts';
import {
  asEndpoints,
  endpointsKey,
  endpointsWrite,
  type WebhookOwner,
} from '../../shared/data/webhooks/endpoints.ts';
import { findDueWebhooks } from '../../shared/data/webhooks/find-deliveries.ts';
import type { TestBroker } from './brokers.ts';
import { deliverTrial } from './functions/webhook-deliveries.ts';
import type { Response, TestHub } from './hub.ts';
import { bearer } from './people.ts';
import { scanDue } from './scan-due.ts';

/** Owner of endpoints, as a request names it. */
export interface Caller {
  /** Prefix of the paths: empty for users, `/broker` for brokers. */
  readonly at: '' | '/broker';
  readonly owner: WebhookOwner;
  readonly query: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly authorized?: unknown;
}

/** Returns a user as the owner of endpoints. */
export const asUser = ({ user_id, access_token }: Response['body']): Caller => ({
  at: '',
  owner: { user_id },
  query: { user_id },
  headers: bearer(access_token),
});

/** Returns a broker as the owner of endpoints. */
export const asBroker = (
  { broker_id, subdomain }: TestBroker,
  scope = 'broker:read broker:webhooks',
): Caller => ({
  at: '/broker',
  owner: { broker_id, subdomain },
  query: {},
  authorized: { broker: subdomain, expires_at: Number.MAX_SAFE_INTEGER, scope },
});

/** Calls an operation on webhooks. */
export const webhooks = (
  hub: TestHub,
  { at, query, owner: _, ...caller }: Caller,
  route: string,
  more: { readonly query?: Readonly<Record<string, string>>; readonly json?: unknown } = {},
): Promise<Response> => {
  const [method, name] = route.split(' ');
  return hub.call(`${method} ${at}/${name}`, {
    ...caller,
    query: { ...query, ...more.query },
    ...(more.json !== undefined && { json: more.json }),
  });
};

/** Makes the first attempt at all new deliveries, as the stream would. Returns their number. */
export const deliverNew = async ({ runtime }: TestHub): Promise<number> => {
  const later = new Date(runtime.clock().getTime() + 1e9);
  const due = await findDueWebhooks(await scanDue(runtime.store), later, 1000);
  const fresh = due.filter(({ attempts }) => attempts === 0);
  for (const { delivery_id, attempts } of fresh) await deliverTrial(runtime, delivery_id, attempts);
  return fresh.length;
};

/** Registers an endpoint, and lets it get events as if its address had answered the challenge. */
export const registerProven = async (
  hub: TestHub,
  caller: Caller,
  json: { readonly url: string },
): Promise<Response['body']> => {
  const { store, clock } = hub.runtime;
  const { status, text, body } = await webhooks(hub, caller, 'POST register_webhook', { json });
  if (status !== 200) throw new Error(text);
  const { endpoint_id: id } = body;
  const later = new Date(clock().getTime() + 1e9);
  const due = await findDueWebhooks(await scanDue(store), later, 1000);
  const challenges = due.filter(({ delivery_id, challenge }) => endpointOf(delivery_id) === id && challenge);
  const [item] = await store.getMany([endpointsKey(caller.owner)], { consistent: true });
  const held = asEndpoints(item);
  if (!held || challenges.length !== 1) throw new Error('the endpoint was not challenged');
  const endpoints = held.endpoints.map((one) =>
    one.endpoint_id === id ? { ...one, status: 'enabled' as const, proved: true as const } : one,
  );
  await store.transact([
    endpointsWrite({ ...held, manual: undefined }, held.owner, endpoints),
    ...challenges.map(({ delivery_id }) => ({ delete: deliveryKey(delivery_id) })),
  ]);
  return { ...body, status: 'enabled' };
};
