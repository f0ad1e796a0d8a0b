import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { preferencesOut, presentPreferences } from './records/preferences.ts';

export const getNotificationPreferences = defineOperation({
  method: 'GET',
  path: '/get_notification_preferences',
  name: 'get_notification_preferences',
  summary: 'Get the notification preferences of a user',
  description:
    'Channels by which each group of notifications may leave; all may by default. Every notification is in the list ' +
    'of the app. A deployment leaves by those of its own channels that its group allows; the group security leaves ' +
    'by all that are allowed, whatever the channels of the deployment.',
  caller: 'user',
  scope: 'read',
  extension: true,
  input: { query: z.object({ user_id: z.string() }) },
  output: preferencesOut,
  errors: ['user_unknown'],
  table: 'read',
  handler: async (_input, call) => presentPreferences((await call.user()).notification_preferences),
});
