import * as z from 'zod';
import { extra, integer } from '../../shared/api/fields.ts';
import {
  chosenBy,
  type EntryFilter,
  entryFilters,
  isUnfiltered,
  listChoice,
  nameList,
  namesIn,
} from '../../shared/api/filters.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { filteredPageOf, pageQuery, toFilteredPage, toPage } from '../../shared/api/pages.ts';
import { unknownUser } from '../../shared/api/refusals.ts';
import {
  NOTIFICATION_KINDS,
  type NotificationEntry,
  notificationEntrySchema,
} from '../../shared/data/deployments/notification.ts';
import {
  marksIn,
  notificationList,
  type ReadMarks,
  unreadFrom,
} from '../../shared/data/deployments/notifications.ts';
import { headIn, headKey, readPage } from '../../shared/data/numbered-list/numbered-list.ts';
import { readWindow } from '../../shared/data/numbered-list/read-window.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { presentNotification, userDeploymentNotificationsCustomOut } from './records/notification.ts';

/** Notifications that a filtered answer covers, unless they have more than 1 MB. */
const MAX_COVERED = 500;

interface Filter extends EntryFilter {
  readonly kind?: string | undefined;
  readonly deployment_id?: number | undefined;
}

const matching = ({ kind, deployment_id: of, ...filter }: Filter) => {
  const isChosen = chosenBy(filter);
  const kinds = kind === undefined ? undefined : new Set(namesIn(kind));
  return (entry: NotificationEntry): boolean =>
    isChosen({ at: Date.parse(entry.created_at), symbol: entry.symbol }) &&
    (of === undefined || entry.deployment_id === of) &&
    (kinds === undefined || kinds.has(entry.kind));
};

/** Returns the numbers of unread or read notifications. */
const boundsOf = (marks: ReadMarks, { unread }: { readonly unread: boolean | undefined }) => {
  if (unread === undefined) return {};
  return unread ? { low: unreadFrom(marks) } : { high: unreadFrom(marks) - 1 };
};

export const getDeploymentNotifications = defineOperation({
  method: 'GET',
  path: '/get_deployment_notifications',
  name: 'get_deployment_notifications',
  summary: 'List the notifications of a user',
  description:
    'Notifications of all deployments, newest first. `from`, `to`, `symbol`, `kind`, `deployment_id` and `unread` choose ' +
    `notifications. An answer with a filter covers the next ${MAX_COVERED} notifications, or fewer large ones: \`total\` ` +
    'counts the chosen ones among them, and `next_cursor` leads to the others.',
  caller: 'user',
  scope: 'read',
  assistant: {
    description:
      'Lists signals and notifications of the user, newest first, by page. Filter by deployment_id, symbol or time.',
  },
  input: {
    query: z.object({
      user_id: z.string(),
      ...pageQuery,
      ...entryFilters,
      kind: extra(nameList(NOTIFICATION_KINDS).optional()),
      deployment_id: extra(integer().optional()),
      unread: extra(z.boolean().optional()),
      ...listChoice,
    }),
  },
  output: filteredPageOf('UserDeploymentNotificationsCustomOut', userDeploymentNotificationsCustomOut),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, page, size, sort, cursor, unread, ...filter } }, call) => {
    const list = notificationList(userId);
    const [user, item] = await call.store.getMany([keys.user(userId), headKey(list)], { consistent: true });
    if (!user) throw unknownUser();
    const marks = marksIn(item);
    const head = headIn(list, item);
    const choice = { page, size };
    const present = (entry: NotificationEntry) => presentNotification(entry, marks);
    if (isUnfiltered({ ...filter, unread, cursor })) {
      const request = { ...choice, order: sort, head };
      const { entries, total } = await readPage(
        call.store,
        list,
        request,
        notificationEntrySchema,
        call.onDamaged,
      );
      return toPage(entries.map(present), total, choice);
    }
    const window = { head, order: sort, cursor, limit: MAX_COVERED, ...boundsOf(marks, { unread }) };
    const { entries, ...part } = await readWindow(
      call.store,
      list,
      window,
      notificationEntrySchema,
      call.onDamaged,
    );
    const { items, ...rest } = toFilteredPage(entries.filter(matching(filter)), choice, part);
    return { ...rest, items: items.map(present) };
  },
});
