import type { Call } from '../../shared/api/call.ts';
import { heldSession } from '../../shared/callers/open-session.ts';
import { originOf } from '../../shared/callers/origin.ts';
import { type AuditText, auditEdits, auditKeys } from '../../shared/data/audit/audit-trail.ts';
import type { ExecutionConnection } from '../../shared/data/execution/connections.ts';
import { commit } from '../../shared/data/numbered-list/list-edit.ts';
import type { Items } from '../../shared/data/table/items.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { Key, Write } from '../../shared/data/table/writes.ts';
import { securityEventWrite } from '../../shared/data/users/security-events.ts';
import { asUser, whileHeld } from '../../shared/data/users/users.ts';
import { ADAPTER_FACTS } from '../../shared/domain/orders/execution-adapters.ts';
import { integerId } from '../../shared/ids.ts';
import { noticeKeys, noticeOf, type UserNotice } from '../../shared/lifecycle/user-notices.ts';

const REASONS = {
  execution_connected: 'An account for real orders was connected.',
  execution_disconnected: 'An account for real orders was disconnected.',
} as const satisfies Partial<Record<AuditText['action'], string>>;

/** Returns the notification that an account was connected; without its number, as the list needs no session. */
const connectedNotice = ({ adapter, environment }: ExecutionConnection): UserNotice => {
  const { title } = ADAPTER_FACTS[adapter];
  return {
    kind: 'execution_connected',
    severity: 'warning',
    title: 'An account for orders was connected',
    body:
      `A ${environment} account at ${title} was connected, or its keys were replaced. If this was not you: sign out ` +
      `everywhere, disconnect the account, and delete the keys at ${title}.`,
    data: { adapter, environment },
  };
};

/** Returns the keys to read before a connection can be changed. */
export const connectionChangeKeys = (userId: string): Key[] => [...auditKeys(userId), ...noticeKeys(userId)];

/**
 * Changes a connection, records it in the audit trail of its user, and notifies the user of a new one, in one
 * transaction.
 *
 * @param items read at {@link connectionChangeKeys}.
 * @throws TransactionRefusedError, ListContendedError
 */
export const changeConnection = (
  call: Call,
  action: keyof typeof REASONS,
  connection: ExecutionConnection,
  write: Write,
  items: Items,
): Promise<void> => {
  const { store, now, random } = call;
  const { user_id: userId, adapter, environment } = connection;
  const entry = {
    action,
    by: 'user' as const,
    reason: REASONS[action],
    // Without the account number: the trail needs no session.
    details: { adapter, environment },
    audit_id: integerId(now, random),
    at: now.toISOString(),
  };
  const user = asUser(itemWith(items, keys.user(userId)));
  const noted = user ? [securityEventWrite(user, { kind: action, ...originOf(call), now })] : [];
  const edits = auditEdits(userId, undefined, [entry], items);
  if (action === 'execution_disconnected') return commit(store, edits, [write, ...noted]);
  const { edit, writes } = noticeOf(call, userId, connectedNotice(connection), { items, now });
  const { sid, kind } = heldSession(call);
  // Keys of a broker are checked for seconds, in which the owner may end the session.
  const held = { check: keys.user(userId), if: whileHeld({ sid, kind }) };
  return commit(store, [...edits, edit], [write, ...writes, ...noted, held]);
};
