import * as z from 'zod';
import { extensionRecord } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { requireOwnSession } from '../../shared/api/own-session.ts';
import { unknownUser } from '../../shared/api/refusals.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { preferencesWrite } from '../../shared/data/users/notification-preferences.ts';
import { findUser } from '../../shared/data/users/users.ts';
import { TimeZone } from '../../shared/domain/candles/time-zone.ts';
import {
  type NotificationPreferences,
  PREFERENCE_GROUPS,
} from '../../shared/domain/deployments/notification-preferences.ts';
import { timeOfDay } from '../../shared/domain/engine/values/values.ts';
import { preferencesOut, presentPreferences } from './records/preferences.ts';

const channels = z.strictObject({
  push: z.boolean().optional(),
  email: z.boolean().optional(),
  sms: z.boolean().optional(),
});

const quietHours = z
  .strictObject({
    time_zone: z
      .string()
      .max(64)
      .refine((name) => TimeZone.find(name) !== undefined, {
        error: 'is no time zone of the IANA database',
        params: { type: 'value_error.time_zone' },
      }),
    from: timeOfDay(),
    to: timeOfDay(),
  })
  .refine(({ from, to }) => from !== to, {
    error: 'the two times must differ',
    params: { type: 'value_error.time_range' },
  });

const preferencesIn = extensionRecord(
  'NotificationPreferencesIn',
  z.strictObject({
    groups: z.partialRecord(z.enum(PREFERENCE_GROUPS), channels).optional(),
    quiet_hours: quietHours.nullable().optional(),
  }),
);

type Chosen = z.output<typeof preferencesIn>;

/** Tells whether a choice switches a channel of security notifications off. */
const silencesSecurity = ({ groups }: Chosen): boolean =>
  Object.values(groups?.security ?? {}).includes(false);

/** Applies a choice; what it does not name stays. */
const changed = (
  before: NotificationPreferences | undefined,
  { groups = {}, quiet_hours }: Chosen,
): NotificationPreferences => {
  const after: NotificationPreferences = { rev: 0, ...before, groups: { ...before?.groups } };
  for (const group of PREFERENCE_GROUPS) {
    const choice = groups[group];
    if (choice) after.groups[group] = { ...before?.groups[group], ...choice };
  }
  if (quiet_hours === undefined) return after;
  const { quiet_hours: _, ...others } = after;
  return quiet_hours === null ? others : { ...others, quiet_hours };
};

export const setNotificationPreferences = defineOperation({
  method: 'POST',
  path: '/set_notification_preferences',
  name: 'set_notification_preferences',
  summary: 'Set the notification preferences of a user',
  description:
    'Sets the named channels of the named groups, and the quiet hours; null ends these. What is not named stays. ' +
    'During quiet hours nothing is pushed or texted but the group security. Switching a channel of the group security ' +
    'off needs the session of the owner.',
  caller: 'user',
  scope: ({ json }) => (silencesSecurity(json) ? undefined : 'manage'),
  extension: true,
  input: { query: z.object({ user_id: z.string() }), json: preferencesIn },
  output: preferencesOut,
  errors: ['user_unknown', 'session_required', 'platform_token_insufficient', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { user_id: userId }, json }, call) => {
    if (silencesSecurity(json)) {
      requireOwnSession(
        call,
        'Silencing security notifications requires the session of the owner. Sign in.',
        'silences no security notifications',
      );
    }
    return retryOnConflict(async () => {
      const user = await findUser(call.store, userId);
      if (!user) throw unknownUser();
      const after = changed(user.notification_preferences, json);
      await call.store.transact([preferencesWrite(user, after)]);
      return presentPreferences(after);
    });
  },
});
