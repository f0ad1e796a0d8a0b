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
  /** Fast answers that are still missing, and the earliest end of the trial. Absent: it proved to be fast. */
  trial_left: z.number().optional(),
  trial_until: z.number().optional(),
  /** Epoch milliseconds; absent if nothing is due. */
  due_at: z.number().optional(),
});

/** Address, secrets and health of an endpoint: all that sending an event needs. */
export type EndpointState = z.output<typeof stateSchema>;

/** Fast answers after which a new endpoint leaves the lane of trials. */
const NEW_TRIAL = 3;
/** Those of an endpoint that was slow or failed, and the time since then: it must not come back for each slow answer. */
const TRIAL_AGAIN = { left: 10, ms: 600_000 };

/** Returns the change that puts an endpoint on trial which was slow or failed. */
export const trialAgain = (now: Date): { readonly set: string; readonly values: Record<string, number> } => ({
  set: 'trial_left = :left, trial_until = :until',
  values: { ':left': TRIAL_AGAIN.left, ':until': now.getTime() + TRIAL_AGAIN.ms },
});

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
    trial_left: NEW_TRIAL,
  },
  if: { condition: 'attribute_not_exists(pk)' },
});

/** Returns the write of another address of an endpoint, which is on trial again. */
export const addressWrite = (endpointId: string, url: string): Write => ({
  key: keys.webhookEndpoint(endpointId),
  update: 'SET #url = :url, trial_left = :left',
  condition: 'attribute_exists(pk)',
  names: { '#url': 'url' },
  values: { ':url': url, ':left': NEW_TRIAL },
});

/** Returns the write that removes the state of an endpoint with its secrets. */
export const stateRemoval = (endpointId: string): Write => ({ delete: keys.webhookEndpoint(endpointId) });

/** Returns the write that parks the events of an endpoint that was disabled, or moved to another address. */
export const disablingWrite = (endpointId: string, now: Date, url?: string): Write => ({
  key: keys.webhookEndpoint(endpointId),
  update: `SET parked_at = if_not_exists(parked_at, :now)${url === undefined ? '' : ', #url = :url, trial_left = :left'} REMOVE due_kind, due_at, replay`,
  condition: 'attribute_exists(pk)',
  ...(url !== undefined && { names: { '#url': 'url' } }),
  values: { ':now': now.getTime(), ...(url !== undefined && { ':url': url, ':left': NEW_TRIAL }) },
});

/** Returns the write that makes an endpoint be tried at once, with what is parked. */
export const enablingWrite = (endpointId: string, now: Date): Write => ({
  key: keys.webhookEndpoint(endpointId),
  update:
    'SET due_kind = :kind, due_at = :now, probes = :none, strikes = :none, parked_at = if_not_exists(parked_at, :now) REMOVE failing_since',
  condition: 'attribute_exists(pk)',
  values: { ':now': now.getTime(), ':kind': DUE_KIND, ':none': 0 },
});

/** Returns the check that an endpoint still has an address. */
export const addressCheck = (endpointId: string, url: string): Write => ({
  check: keys.webhookEndpoint(endpointId),
  if: { condition: '#url = :url', names: { '#url': 'url' }, values: { ':url': url } },
});

/** Returns the write that ends the trial of an endpoint. */
export const trialEnd = (endpointId: string): Write => ({
  key: keys.webhookEndpoint(endpointId),
  update: 'SET strikes = :none REMOVE trial_left, trial_until, failing_since',
  condition: 'attribute_exists(pk)',
  values: { ':none': 0 },
});

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
