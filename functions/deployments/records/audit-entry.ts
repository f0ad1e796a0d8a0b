import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import { AUDIT_ACTIONS, type AuditEntry } from '../../../shared/data/audit/audit-entry.ts';
import { ACTORS } from '../../../shared/domain/deployments/deployment-states.ts';

export const auditEntryOut = extensionRecord(
  'AuditEntry',
  z.object({
    audit_id: integer(),
    at: timestamp(),
    action: z.enum(AUDIT_ACTIONS),
    by: z.enum(ACTORS),
    reason: z.string(),
    deployment_id: integer().nullable(),
    deployment_type: z.enum(['notification', 'scanner', 'live']).nullable(),
    strategy_id: integer().nullable(),
    details: z.record(z.string(), z.unknown()),
  }),
);

/** Presents an entry of the audit trail to the owner. */
export const presentAudit = ({
  deployment_id,
  deployment_type,
  strategy_id,
  ...entry
}: AuditEntry): z.output<typeof auditEntryOut> => ({
  ...entry,
  deployment_id: deployment_id ?? null,
  deployment_type: deployment_type ?? null,
  strategy_id: strategy_id ?? null,
});
