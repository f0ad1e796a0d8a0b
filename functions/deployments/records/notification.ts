import * as z from 'zod';
import { integer, record, timestamp } from '../../../shared/api/fields.ts';
import {
  NOTIFICATION_KINDS,
  type NotificationEntry,
  SEVERITIES,
} from '../../../shared/data/deployments/notification.ts';
import { type ReadMarks, readAt } from '../../../shared/data/deployments/notifications.ts';
import { timeOfId } from '../../../shared/ids.ts';

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
    arrived_at: timestamp(),
  }),
);

/** Presents a notification to its owner, with the times at which it arrived and was marked read. */
export const presentNotification = (
  { sk, deployment_id, strategy_id, symbol, ...notification }: NotificationEntry,
  marks: ReadMarks,
): z.output<typeof userDeploymentNotificationsCustomOut> => {
  const read = readAt(marks, Number(sk));
  return {
    ...notification,
    deployment_id: deployment_id ?? null,
    strategy_id: strategy_id ?? null,
    symbol: symbol ?? null,
    is_read: read !== undefined,
    read_at: read ?? null,
    arrived_at: timeOfId(notification.notification_id).toISOString(),
  };
};
