import * as z from 'zod';
import { ACTORS } from '../../domain/deployments/actors.ts';
import { openEnum } from '../../domain/open-enum.ts';
import { editKeys, ListEdit } from '../numbered-list/list-edit.ts';
import type { NumberedList } from '../numbered-list/numbered-list.ts';
import type { Items } from '../table/items.ts';
import { bounded } from '../table/keys.ts';
import type { Key } from '../table/writes.ts';

/** Actions that the audit trail records. */
export const AUDIT_ACTIONS = [
  'deployment_paused',
  'deployment_resumed',
  'deployment_halted',
  'deployment_stop_requested',
  'deployment_stopped',
  'risk_limits_set',
  'risk_limit_tripped',
  'kill_switch_thrown',
  'kill_switch_re_armed',
  'execution_connected',
  'execution_disconnected',
  'signal_hook_created',
  /** An action that this version does not know. */
  'other',
] as const;

const DEPLOYMENT_TYPES = ['notification', 'scanner', 'live'] as const;

const entryFields = {
  audit_id: z.number(),
  /** Time of the action by the clock, also for deployments that live in the time of their bars. */
  at: z.string(),
  action: openEnum(AUDIT_ACTIONS, 'other'),
  by: openEnum(ACTORS, 'operator'),
  reason: z.string(),
  deployment_id: z.number().optional(),
  deployment_type: z.enum(DEPLOYMENT_TYPES).optional(),
  strategy_id: z.number().optional(),
  details: z.record(z.string(), z.unknown()),
} as const;

/** Schema of an entry of the audit trail. Entries never change and are never removed. */
export const auditEntrySchema = z.object(entryFields);

export type AuditEntry = z.output<typeof auditEntrySchema>;

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
