import { editKeys, ListEdit } from '../numbered-list/list-edit.ts';
import type { NumberedList } from '../numbered-list/numbered-list.ts';
import type { Items } from '../table/items.ts';
import { bounded } from '../table/keys.ts';
import type { Key } from '../table/writes.ts';
import type { AuditEntry } from './audit-entry.ts';

/** Action and its cause, as the caller states them. Identifiers and times are added. */
export type AuditText = Pick<AuditEntry, 'action' | 'by' | 'reason'> & Partial<Pick<AuditEntry, 'details'>>;

/** Returns the audit trail of a user. */
export const auditList = (userId: string): NumberedList => ({ pk: `AUDIT#${bounded(userId)}` });

/** Returns the part of its owner's audit trail that concerns a deployment. */
export const deploymentAuditList = (deploymentId: number): NumberedList => ({
  pk: `AUDIT_OF#${deploymentId}`,
});

const listsOf = (userId: string | undefined, deploymentId: number | undefined): NumberedList[] => [
  ...(userId === undefined ? [] : [auditList(userId)]),
  ...(deploymentId === undefined ? [] : [deploymentAuditList(deploymentId)]),
];

/** Returns the keys to read before an entry can be added. @param userId undefined for the trail of the deployment only. */
export const auditKeys = (userId: string | undefined, deploymentId?: number): Key[] =>
  listsOf(userId, deploymentId).flatMap((list) => editKeys(list));

/**
 * Returns the list changes that add entries to the trail of a user, and to that of the deployment which they concern.
 *
 * @param items read at {@link auditKeys}.
 */
export const auditEdits = (
  userId: string | undefined,
  deploymentId: number | undefined,
  entries: readonly AuditEntry[],
  items: Items,
): ListEdit[] =>
  listsOf(userId, deploymentId).map((list) => {
    const edit = new ListEdit(list, items);
    for (const entry of entries) edit.append({ entity: 'audit_entry', ...entry });
    return edit;
  });
