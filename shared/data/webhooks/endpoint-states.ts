import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { Update, Write } from '../table/writes.ts';
import { type WebhookOwner, webhookOwnerSchema } from './endpoints.ts';

/** Kind of endpoints in the index of due items: those that wait for an attempt, and those with events to replay. */
export const DUE_KIND = 'webhook_endpoint';

const bytes = z.instanceof(Uint8Array<ArrayBuffer>);

export const stateSchema = z.object({
  endpoint_id: z.string(),
  owner: webhookOwnerSchema,
  url: z.string(),
  /** Signing secret, encrypted. */
  secret: bytes,
  secret_since: z.string(),
  /** Replaced secret, encrypted, which still signs until a moment (epoch milliseconds). */
  previous_secret: bytes.optional(),
  previous_until: z.number().optional(),
  /** Answers in a row that failed or were slow. */
  strikes: z.number(),
  /** First failure since the last success, epoch milliseconds. */
  failing_since: z.number().optional(),
  /** Since when its events wait to be sent one by one, epoch milliseconds. */
  parked_at: z.number().optional(),
  /** Failed attempts since it was parked. */
  probes: z.number(),
  /** Events to send again, those between two times: the present log, and the position up to which it was read. */
  replay: z
    .object({ since: z.number(), until: z.number(), log: z.number(), after: z.number().optional() })
    .optional(),
  /** Epoch milliseconds; absent if nothing is due. */
  due_at: z.number().optional(),
});

/** Address, secrets and health of an endpoint: all that sending an event needs. */
export type EndpointState = z.output<typeof stateSchema>;

/** Parses the state of an endpoint; undefined if the endpoint is unknown. */
export const asEndpointState = (item: Item | undefined): EndpointState | undefined =>
  item && parseItem(stateSchema, item);

/** Returns the write of the state of a new endpoint. */
export const newStateWrite = (
  endpointId: string,
  owner: WebhookOwner,
  { url, secret }: Pick<EndpointState, 'url' | 'secret'>,
  now: Date,
): Write => ({
  put: {
    ...keys.webhookEndpoint(endpointId),
    entity: 'webhook_endpoint',
    endpoint_id: endpointId,
    owner,
    url,
    secret,
    secret_since: now.toISOString(),
    strikes: 0,
    probes: 0,
  },
  if: { condition: 'attribute_not_exists(pk)' },
});

/** Returns the write of another address of an endpoint. */
export const addressWrite = (endpointId: string, url: string): Write => ({
  key: keys.webhookEndpoint(endpointId),
  update: 'SET #url = :url',
  condition: 'attribute_exists(pk)',
  names: { '#url': 'url' },
  values: { ':url': url },
});

/** Returns the write that removes the state of an endpoint with its secrets. */
export const stateRemoval = (endpointId: string): Write => ({ delete: keys.webhookEndpoint(endpointId) });

/** Adds the new address of an endpoint to an update of its state, if there is one. */
const withAddress = (url: string | undefined) =>
  url === undefined ? undefined : { set: ', #url = :url', names: { '#url': 'url' }, values: { ':url': url } };

/** Returns the write that parks the events of an endpoint that was disabled. */
export const disablingWrite = (endpointId: string, now: Date, url?: string): Write => {
  const address = withAddress(url);
  return {
    key: keys.webhookEndpoint(endpointId),
    update: `SET parked_at = if_not_exists(parked_at, :now)${address?.set ?? ''} REMOVE due_kind, due_at, replay`,
    condition: 'attribute_exists(pk)',
    ...(address && { names: address.names }),
    values: { ':now': now.getTime(), ...address?.values },
  };
};

/** Returns the write that makes an endpoint be tried at once, with what is parked. */
export const enablingWrite = (endpointId: string, now: Date, url?: string): Write => {
  const address = withAddress(url);
  return {
    key: keys.webhookEndpoint(endpointId),
    update: `SET due_kind = :kind, due_at = :now, probes = :none, strikes = :none, parked_at = if_not_exists(parked_at, :now)${address?.set ?? ''} REMOVE failing_since`,
    condition: 'attribute_exists(pk)',
    ...(address && { names: address.names }),
    values: { ':now': now.getTime(), ':kind': DUE_KIND, ':none': 0, ...address?.values },
  };
};

/** Returns the check that an endpoint is parked. */
export const parkedCheck = (endpointId: string): Write => ({
  check: keys.webhookEndpoint(endpointId),
  if: { condition: 'attribute_exists(parked_at)' },
});

/** Changes the state of an endpoint. @returns undefined if it was removed, or the condition failed. */
export const changeState = async (
  store: Store,
  endpointId: string,
  { condition = 'attribute_exists(pk)', ...change }: Update,
): Promise<EndpointState | undefined> => {
  try {
    return await store.update(keys.webhookEndpoint(endpointId), { ...change, condition }, stateSchema);
  } catch (error) {
    if (error instanceof ConditionFailedError) return undefined;
    throw error;
  }
};

/** Replaces the secret of an endpoint; the replaced one signs until a moment. No-op if another call replaced it. */
export const rotateSecret = (
  store: Store,
  { endpoint_id: id, secret_since: since, secret: before }: EndpointState,
  secret: Uint8Array<ArrayBuffer>,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<EndpointState | undefined> =>
  changeState(store, id, {
    update: 'SET #secret = :secret, secret_since = :now, previous_secret = :before, previous_until = :until',
    condition: 'secret_since = :since AND #secret = :before',
    names: { '#secret': 'secret' },
    values: {
      ':secret': secret,
      ':now': now.toISOString(),
      ':before': before,
      ':until': until.getTime(),
      ':since': since,
    },
  });
