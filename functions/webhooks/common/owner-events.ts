import type { Call } from '../../../shared/api/call.ts';
import { originOf } from '../../../shared/callers/origin.ts';
import { type Items, itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Key, Write } from '../../../shared/data/table/writes.ts';
import { type SecurityEventKind, securityEventWrite } from '../../../shared/data/users/security-events.ts';
import { asUser } from '../../../shared/data/users/users.ts';
import type { WebhookOwner } from '../../../shared/data/webhooks/endpoints.ts';

/** Returns the keys of the items that {@link ownerEventWrites} needs. */
export const ownerKeys = (owner: WebhookOwner): Key[] =>
  'user_id' in owner ? [keys.user(owner.user_id)] : [];

/** Returns the write that notes a change of webhooks for their user; none for those of a broker. */
export const ownerEventWrites = (
  call: Call,
  owner: WebhookOwner,
  items: Items,
  kind: Extract<SecurityEventKind, 'webhook_registered' | 'webhook_removed'>,
): Write[] => {
  const user = 'user_id' in owner ? asUser(itemWith(items, keys.user(owner.user_id))) : undefined;
  return user ? [securityEventWrite(user, { kind, ...originOf(call), now: call.now })] : [];
};
