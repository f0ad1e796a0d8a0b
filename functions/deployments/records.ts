import * as z from 'zod';
import { integer, record, timestamp } from '../../shared/api/fields.ts';
import { NOTIFICATION_KINDS, SEVERITIES } from '../../shared/data/notifications.ts';
import {
  DEPLOYMENT_PHASES,
  DEPLOYMENT_STATUSES,
  STOP_REASONS,
} from '../../shared/domain/deployment-states.ts';
import { CHANNELS, FREQUENCIES } from '../../shared/domain/signals.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies.ts';

const run = {
  deployment_id: integer(),
  strategy_id: integer(),
  strategy_name: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  status: z.enum(DEPLOYMENT_STATUSES),
  deployed_at: timestamp(),
  expires_at: timestamp().nullable(),
  stopped_at: timestamp().nullable(),
  stop_reason: z.enum(STOP_REASONS).nullable(),
} as const;

export const notificationDeploymentOut = record(
  'NotificationDeploymentOut',
  z.object({
    ...run,
    symbol: z.string(),
    type: z.literal('notification'),
    phase: z.enum(DEPLOYMENT_PHASES),
    channels: z.array(z.enum(CHANNELS)),
    frequency: z.enum(FREQUENCIES),
    last_signal: z
      .object({ side: z.enum(['buy', 'sell']), price: z.number().nullable(), at: timestamp() })
      .nullable(),
    signals_count: integer(),
    unread_count: integer(),
  }),
);

export const scannerDeploymentsOut = record(
  'ScannerDeploymentsOut',
  z.object({
    ...run,
    universe_id: z.string(),
    universe_name: z.string(),
    last_run_at: timestamp().nullable(),
    matches_count: integer(),
    last_matches: z.array(z.object({ symbol: z.string(), price: z.number().nullable(), at: timestamp() })),
  }),
);

export const userDeploymentNotificationsCustomOut = record(
  'UserDeploymentNotificationsCustomOut',
  z.object({
    notification_id: integer(),
    kind: z.enum(NOTIFICATION_KINDS),
    severity: z.enum(SEVERITIES),
    deployment_id: integer().nullable(),
    deployment_type: z.enum(['notification', 'scanner', 'live']),
    strategy_id: integer().nullable(),
    symbol: z.string().nullable(),
    title: z.string(),
    body: z.string(),
    data: z.record(z.string(), z.unknown()),
    is_read: z.boolean(),
    read_at: timestamp().nullable(),
    created_at: timestamp(),
  }),
);

/** What undeploying answers. */
export const endedDeployment = z.object({
  deployment_id: integer(),
  status: z.enum(DEPLOYMENT_STATUSES),
  stop_reason: z.enum(STOP_REASONS).nullable(),
  stopped_at: timestamp().nullable(),
});
