import * as z from 'zod';
import { integer, record, timestamp } from '../../shared/api/fields.ts';
import { DEPLOYMENT_PHASES } from '../../shared/domain/deployments/deployment-states.ts';
import { CHANNELS, FREQUENCIES } from '../../shared/domain/deployments/signals.ts';
import { runFields } from './run-fields.ts';

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
