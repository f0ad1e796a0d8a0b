import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { pageOf, pageQuery, toPage } from '../../shared/api/pages.ts';
import { unknownUser } from '../../shared/api/refusals.ts';
import {
  marksIn,
  notificationEntrySchema,
  notificationList,
} from '../../shared/data/deployments/notifications.ts';
import { headIn, headKey, readPage } from '../../shared/data/numbered-list/numbered-list.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { presentNotification, userDeploymentNotificationsCustomOut } from './records/notification.ts';

export const getDeploymentNotifications = defineOperation({
  method: 'GET',
  path: '/get_deployment_notifications',
  name: 'get_deployment_notifications',
  summary: 'List the notifications of a user',
  description: 'Notifications of all deployments, newest first.',
  caller: 'user',
  input: { query: z.object({ user_id: z.string(), ...pageQuery }) },
  output: pageOf('UserDeploymentNotificationsCustomOut', userDeploymentNotificationsCustomOut),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, ...choice } }, call) => {
    const list = notificationList(userId);
    const [user, item] = await call.store.getMany([keys.user(userId), headKey(list)], { consistent: true });
    if (!user) throw unknownUser();
    const marks = marksIn(item);
    const page = { ...choice, head: headIn(list, item) };
    const { entries, total } = await readPage(call.store, list, page, notificationEntrySchema);
    return toPage(
      entries.map((entry) => presentNotification(entry, marks)),
      total,
      choice,
    );
  },
});
