import * as z from 'zod';
import { extensionRecord } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownUser } from '../../shared/api/refusals.ts';
import { userLog } from '../../shared/data/changes/listeners.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { asUser } from '../../shared/data/users/users.ts';
import { isProven } from '../../shared/domain/proven.ts';
import { feedQuery } from './common/input.ts';
import { answerFeed, feedKeys } from './common/read-feed.ts';
import { changeOut } from './records/change-event.ts';

export const getEvents = defineOperation({
  method: 'GET',
  path: '/events',
  name: 'get_events',
  summary: 'Read the change events of a user',
  description:
    'Events after the cursor `after`, oldest first: those of a deployment in the order of their `sequence`. Pass `next` as `after` of the next request; it goes on where this answer ends. ' +
    'Events are kept for 30 days. Without a cursor, it begins with the oldest; with `latest`, at the end. A cursor before the oldest event, or before one whose record is damaged, is refused with 410. ' +
    'The first request begins to record events, within seconds for running deployments; recording ends 30 days after the last request, unless there are webhook endpoints. ' +
    'If no event is there, the answer waits for one up to `wait` seconds, or returns at once if too many requests wait. ' +
    'With `Accept: text/event-stream` it returns Server-Sent Events, ends after ten seconds at most, and goes on after the header `Last-Event-ID`. ' +
    'Ignore events with an `id` that you know, and types that you do not know.',
  caller: 'user',
  scope: 'read',
  extension: true,
  input: { query: z.object({ user_id: z.string(), ...feedQuery }) },
  output: extensionRecord('Changes', z.object({ items: z.array(changeOut), next: z.string() })),
  errors: ['user_unknown', 'cursor_expired'],
  table: 'write',
  rateClass: 'read',
  handler: async ({ query: { user_id, ...choice } }, call) => {
    const { reconfirm } = call;
    const feed = { listener: { user_id }, logs: [userLog(user_id)] };
    const [item, ...items] = await call.store.getMany([keys.user(user_id), ...feedKeys(feed)], {
      consistent: true,
    });
    const user = asUser(item);
    if (!user) throw unknownUser();
    const waiter = { name: `user ${user_id}`, network: call.wideNetwork, isProven: isProven(user) };
    const request = { ...feed, ...choice, after: choice.after, waiter, reconfirm };
    return answerFeed(call, request, items);
  },
});
