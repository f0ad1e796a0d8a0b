import * as z from 'zod';
import { extensionRecord } from '../../../shared/api/fields.ts';
import { NOTIFICATION_KINDS } from '../../../shared/data/deployments/notification.ts';
import { groupOf } from '../../../shared/data/deployments/notification-groups.ts';
import {
  type NotificationPreferences,
  PREFERENCE_GROUPS,
  quietHoursSchema,
} from '../../../shared/domain/deployments/notification-preferences.ts';

/** Notification preferences, as their owner sees them. */
export const preferencesOut = extensionRecord(
  'NotificationPreferences',
  z.object({
    groups: z.array(
      z.object({
        group: z.enum(PREFERENCE_GROUPS),
        kinds: z.array(z.enum(NOTIFICATION_KINDS)),
        app: z.boolean(),
        push: z.boolean(),
        email: z.boolean(),
        sms: z.boolean(),
      }),
    ),
    quiet_hours: quietHoursSchema.nullable(),
  }),
);

/** Presents preferences; absent ones are on. The list of the app has every kind. */
export const presentPreferences = (
  preferences: NotificationPreferences | undefined,
): z.output<typeof preferencesOut> => ({
  groups: PREFERENCE_GROUPS.map((group) => {
    const { push = true, email = true, sms = true } = preferences?.groups[group] ?? {};
    const kinds = NOTIFICATION_KINDS.filter((kind) => groupOf(kind) === group);
    return { group, kinds, app: true, push, email, sms };
  }),
  quiet_hours: preferences?.quiet_hours ?? null,
});
