import * as z from 'zod';
import { integer, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownUser } from '../../shared/api/refusals.ts';
import {
  markRead,
  marksIn,
  notificationList,
  unreadFrom,
} from '../../shared/data/deployments/notifications.ts';
import { commit, ListEdit } from '../../shared/data/numbered-list/list-edit.ts';
import { headIn, headKey } from '../../shared/data/numbered-list/numbered-list.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { keys } from '../../shared/data/table/keys.ts';

export const readDeploymentNotifications = defineOperation({
  method: 'POST',
  path: '/read_deployment_notifications',
  name: 'read_deployment_notifications',
  summary: 'Mark all notifications read',
  description: 'The cost does not depend on the number of notifications.',
  caller: 'user',
  scope: 'trade:paper',
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({ marked_read: integer(), read_at: timestamp() }),
  errors: ['user_unknown', 'changed_meanwhile'],
  table: 'write',
  handler: ({ query: { user_id: userId } }, call) =>
    retryOnConflict(async () => {
      const list = notificationList(userId);
      const [user, item] = await call.store.getMany([keys.user(userId), headKey(list)], { consistent: true });
      if (!user) throw unknownUser();
      const marks = marksIn(item);
      const { next } = headIn(list, item);
      const before = unreadFrom(marks);
      const at = call.now.toISOString();
      if (next === before) return { marked_read: 0, read_at: marks.marks.at(-1)?.at ?? at };
      const edit = new ListEdit(list, item ? [{ ...item, pk: list.pk, sk: headKey(list).sk }] : []);
      markRead(edit, marks, next, call.now);
      await commit(call.store, [edit]);
      return { marked_read: next - before, read_at: at };
    }),
});
