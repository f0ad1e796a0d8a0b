import * as z from 'zod';
import { integer, record, timestamp } from '../../../shared/api/fields.ts';
import { NOTIFICATION_KINDS, SEVERITIES } from '../../../shared/data/deployments/notifications.ts';

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
