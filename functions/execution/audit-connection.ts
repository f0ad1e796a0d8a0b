import type { Call } from '../../shared/api/call.ts';
import { type AuditText, auditEdits } from '../../shared/data/audit/audit-trail.ts';
import type { ExecutionConnection } from '../../shared/data/execution/connections.ts';
import { commit } from '../../shared/data/numbered-list/list-edit.ts';
import type { Items } from '../../shared/data/table/items.ts';
import type { Write } from '../../shared/data/table/writes.ts';
import { integerId } from '../../shared/ids.ts';

const REASONS = {
  execution_connected: 'An account for real orders was connected.',
  execution_disconnected: 'An account for real orders was disconnected.',
} as const satisfies Partial<Record<AuditText['action'], string>>;

/**
 * Changes a connection, and records it in the audit trail of its user in the same transaction.
 *
 * @param items read at the keys of the trail.
 * @throws TransactionRefusedError, ListContendedError
 */
export const changeConnection = (
  { store, now, random }: Call,
  action: keyof typeof REASONS,
  connection: ExecutionConnection,
  write: Write,
  items: Items,
): Promise<void> => {
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
  return commit(store, auditEdits(userId, undefined, [entry], items), [write]);
};
