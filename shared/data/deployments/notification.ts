import * as z from 'zod';
import { openEnum } from '../../domain/open-enum.ts';

export const NOTIFICATION_KINDS = [
  'signal_buy',
  'signal_sell',
  'entry_filled',
  'exit_filled',
  'entry_cancelled',
  'stop_loss_hit',
  'target_hit',
  'order_rejected',
  'order_unknown',
  'cycle_completed',
  'deployment_started',
  'deployment_expired',
  'deployment_stopped',
  'deployment_error',
  'scanner_match',
  'broker_disconnected',
  'token_expiring',
  'deployment_paused',
  'deployment_resumed',
  'deployment_halted',
  'risk_warning',
  'risk_tripped',
  'kill_switch',
  'hold_ignored',
  'execution_connected',
  'split',
  'webhook_disabled',
  'webhook_registered',
  'signal_hook_created',
  'api_key_made',
  'assistant_connected',
  'deployment_proposed',
  'mail_stopped',
  'mail_ended',
  /** A kind that this version does not know. */
  'other',
] as const;

export const SEVERITIES = ['info', 'success', 'warning', 'error'] as const;

/** Schema of a notification as stored. */
export const notificationSchema = z.object({
  notification_id: z.number(),
  kind: openEnum(NOTIFICATION_KINDS, 'other'),
  severity: openEnum(SEVERITIES, 'info'),
  deployment_id: z.number().optional(),
  deployment_type: openEnum(['notification', 'scanner', 'live'], 'notification'),
  strategy_id: z.number().optional(),
  symbol: z.string().optional(),
  title: z.string(),
  body: z.string(),
  data: z.record(z.string(), z.unknown()),
  created_at: z.string(),
});

export type Notification = z.output<typeof notificationSchema>;

/** Schema of an entry in a user's list. The sort key holds its sequence number. */
export const notificationEntrySchema = notificationSchema.extend({ sk: z.string() });

export type NotificationEntry = z.output<typeof notificationEntrySchema>;
