import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { pageOf, pageQuery, toPage } from '../../shared/api/pages.ts';
import { unknownUser } from '../../shared/api/refusals.ts';
import {
  marksIn,
  notificationList,
  notificationSchema,
  readAt,
} from '../../shared/data/deployments/notifications.ts';
import { headIn, headKey, readPage } from '../../shared/data/numbered-list/numbered-list.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { userDeploymentNotificationsCustomOut } from './records/notification.ts';

const entrySchema = notificationSchema.extend({ sk: z.string() });

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
    const { entries, total } = await readPage(call.store, list, page, entrySchema);
    return toPage(
      entries.map(({ sk, deployment_id, strategy_id, symbol, ...notification }) => {
        const read = readAt(marks, Number(sk));
        return {
          ...notification,
          deployment_id: deployment_id ?? null,
          strategy_id: strategy_id ?? null,
          symbol: symbol ?? null,
          is_read: read !== undefined,
          read_at: read ?? null,
        };
      }),
      total,
      choice,
    );
  },
});
