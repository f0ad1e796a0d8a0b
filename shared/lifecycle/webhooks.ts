import { commit } from '../data/numbered-list/list-edit.ts';
import { retryOnConflict } from '../data/numbered-list/retry.ts';
import { itemWith } from '../data/table/items.ts';
import { disablingWrite } from '../data/webhooks/endpoint-states.ts';
import {
  asEndpoints,
  disabledEndpoint,
  endpointsKey,
  endpointsWrite,
  type WebhookOwner,
} from '../data/webhooks/endpoints.ts';
import { CHANNELS } from '../domain/deployments/signals.ts';
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
    const userId = 'user_id' in owner ? owner.user_id : undefined;
    const own = endpointsKey(owner);
    const wanted = [own, ...(userId === undefined ? [] : noticeKeys(userId))];
    const items = await store.getMany(wanted, { consistent: true });
    const before = asEndpoints(itemWith(items, own));
    const endpoint = before?.endpoints.find(({ endpoint_id: id }) => id === endpointId);
    if (!before || endpoint?.status !== 'enabled') return;
    const endpoints = before.endpoints.map((one) =>
      one === endpoint ? disabledEndpoint(endpoint, reason, now) : one,
    );
    const day = dayOf(now.getTime());
    const count = before.notices?.day === day ? before.notices.count : 0;
    const counted = { ...before, notices: { day, count: count + 1 } };
    const writes = [endpointsWrite(counted, owner, endpoints), disablingWrite(endpointId, now)];
    if (userId === undefined) {
      await store.transact(writes);
      return;
    }
    const channels = count < MAX_NOTICES ? CHANNELS : [];
    const notice = noticeOf(runtime, userId, noticeText(endpointId, reason), { items, now, channels });
    await commit(store, [notice.edit], [...writes, ...notice.writes]);
  });
