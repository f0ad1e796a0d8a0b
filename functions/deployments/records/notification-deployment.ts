import * as z from 'zod';
import { integer, record, timestamp } from '../../../shared/api/fields.ts';
import type { NotificationDeployment } from '../../../shared/data/deployments/deployments.ts';
import { type ReadMarks, unreadCount } from '../../../shared/data/deployments/notifications.ts';
import { DEPLOYMENT_PHASES } from '../../../shared/domain/deployments/deployment-states.ts';
import { CHANNELS, FREQUENCIES } from '../../../shared/domain/deployments/signal-frequency.ts';
import { presentRun, runFields } from './run.ts';

export const notificationDeploymentOut = record(
  'NotificationDeploymentOut',
  z.object({
    ...runFields,
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

/** Presents a notification deployment to its owner. */
export const presentNotificationDeployment = (
  deployment: NotificationDeployment,
  marks: ReadMarks,
): z.output<typeof notificationDeploymentOut> => ({
  ...presentRun(deployment),
  symbol: deployment.symbols.join(','),
  type: 'notification',
  phase: deployment.phase,
  channels: deployment.channels,
  frequency: deployment.frequency,
  last_signal: deployment.last_signal ?? null,
  signals_count: deployment.signals_count,
  unread_count: unreadCount(deployment.unread, marks),
});
