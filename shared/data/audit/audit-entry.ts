import * as z from 'zod';
import { ACTORS } from '../../domain/deployments/deployment-states.ts';
import { openEnum } from '../../domain/open-enum.ts';

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
  'split_booked',
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
