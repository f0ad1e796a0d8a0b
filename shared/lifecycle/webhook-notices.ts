import { commit, type ListEdit } from '../data/numbered-list/list-edit.ts';
import { retryOnConflict } from '../data/numbered-list/retry.ts';
import { type Items, itemWith } from '../data/table/items.ts';
import type { Key, Write } from '../data/table/writes.ts';
import { disablingWrite } from '../data/webhooks/endpoint-states.ts';
import {
  asEndpoints,
  disabledEndpoint,
  endpointsKey,
  endpointsWrite,
  type WebhookEndpoints,
  type WebhookOwner,
} from '../data/webhooks/endpoints.ts';
import { CHANNELS } from '../domain/deployments/signal-frequency.ts';
import { dayOf } from '../domain/periods.ts';
import type { Runtime } from '../runtime.ts';
import { noticeKeys, noticeOf, type UserNotice } from './user-notices.ts';

type Reason = 'gone' | 'failing';

const BECAUSE: Readonly<Record<Reason, string>> = {
  gone: 'It answered 410 Gone.',
  failing: 'It has accepted no event for five days.',
};

/** Returns the notice to the owner. It names no address, as the list of notifications needs no session. */
const noticeText = (endpointId: string, reason: Reason): UserNotice => ({
  kind: 'webhook_disabled',
  severity: 'error',
  title: 'A webhook endpoint is disabled',
  body: `The endpoint ${endpointId} gets no events any more. ${BECAUSE[reason]} Mend it, enable it, and replay what it missed.`,
  data: { endpoint_id: endpointId, reason },
});

/** Notices a day that leave by e-mail, text message and push. An owner can enable an endpoint any number of times. */
const MAX_NOTICES = 10;

/** Returns the keys to read with the endpoints before their owner can be notified. */
export const endpointNoticeKeys = (owner: WebhookOwner): Key[] =>
  'user_id' in owner ? noticeKeys(owner.user_id) : [];

/** Changes that notify an owner. */
interface EndpointNotice {
  /** Count of the notices of the day, with this one. */
  readonly notices: WebhookEndpoints['notices'];
  readonly edits: readonly ListEdit[];
  readonly writes: readonly Write[];
}

/**
 * Returns the changes that notify a user about an endpoint; none for a broker.
 *
 * @param items read at {@link endpointNoticeKeys}.
 */
const endpointNotice = (
  runtime: Pick<Runtime, 'random'>,
  owner: WebhookOwner,
  before: WebhookEndpoints | undefined,
  notice: UserNotice,
  { items, now }: { readonly items: Items; readonly now: Date },
): EndpointNotice => {
  if (!('user_id' in owner)) return { notices: before?.notices, edits: [], writes: [] };
  const day = dayOf(now.getTime());
  const count = before?.notices?.day === day ? before.notices.count : 0;
  const channels = count < MAX_NOTICES ? CHANNELS : [];
  const { edit, writes } = noticeOf(runtime, owner.user_id, notice, { items, now, channels });
  return { notices: { day, count: count + 1 }, edits: [edit], writes };
};

const CHANGES = {
  registered: ['A webhook endpoint was registered', 'was registered'],
  moved: ['A webhook endpoint has another address', 'has another address'],
} as const;

/**
 * Returns the changes that tell a user of an address that gets the events from now on. It stays after a password reset, so
 * an intruder must not set one up unseen.
 *
 * @param items read at {@link endpointNoticeKeys}.
 */
export const newAddressNotice = (
  runtime: Pick<Runtime, 'random'>,
  owner: WebhookOwner,
  before: WebhookEndpoints | undefined,
  endpoint: { readonly endpoint_id: string; readonly change: keyof typeof CHANGES },
  known: { readonly items: Items; readonly now: Date },
): EndpointNotice => {
  const { endpoint_id, change } = endpoint;
  const [title, did] = CHANGES[change];
  const notice: UserNotice = {
    kind: 'webhook_registered',
    severity: 'warning',
    title,
    body: `The endpoint ${endpoint_id} ${did}. It gets events of your account. If this was not you: remove it, and set a new password.`,
    data: { endpoint_id, change },
  };
  return endpointNotice(runtime, owner, before, notice, known);
};

/** Disables an endpoint that does not work, and notifies its owner if that is a user. No-op if it is disabled. */
export const disableEndpoint = (
  runtime: Runtime,
  owner: WebhookOwner,
  endpointId: string,
  reason: Reason,
): Promise<void> =>
  retryOnConflict(async () => {
    const { store, clock } = runtime;
    const now = clock();
    const own = endpointsKey(owner);
    const items = await store.getMany([own, ...endpointNoticeKeys(owner)], { consistent: true });
    const before = asEndpoints(itemWith(items, own));
    const endpoint = before?.endpoints.find(({ endpoint_id: id }) => id === endpointId);
    if (!before || endpoint?.status !== 'enabled') return;
    const endpoints = before.endpoints.map((one) =>
      one === endpoint ? disabledEndpoint(endpoint, reason, now) : one,
    );
    const text = noticeText(endpointId, reason);
    const { notices, edits, writes } = endpointNotice(runtime, owner, before, text, { items, now });
    await commit(store, edits, [
      endpointsWrite(before, owner, endpoints, { notices }),
      disablingWrite(endpointId, now),
      ...writes,
    ]);
  });
