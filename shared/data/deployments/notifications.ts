import * as z from 'zod';
import type { ListEdit } from '../numbered-list/list-edit.ts';
import { headKey, type NumberedList } from '../numbered-list/numbered-list.ts';
import type { Item } from '../table/attributes.ts';
import { bounded } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';

/** Returns the list of a user's notifications. */
export const notificationList = (userId: string): NumberedList => ({
  pk: `NOTIFICATIONS#${bounded(userId)}`,
});

/** The most read marks kept. Notifications below the oldest mark count as read at its time. */
const MAX_MARKS = 20;

const marksSchema = z.object({
  marks: z.array(z.object({ below: z.number(), at: z.string() })).default([]),
  mark_number: z.number().default(0),
});

/**
 * Read marks of a user: all notifications with a sequence number below a mark are read, at the time of the first mark
 * above them. Marking everything as read therefore costs the same for any number of notifications.
 */
export type ReadMarks = z.output<typeof marksSchema>;

/** Returns the marks from the item that holds the head of the list. */
export const marksIn = (item: Item | undefined): ReadMarks => parseItem(marksSchema, item ?? {});

/** Returns the sequence number from which notifications are unread. */
export const unreadFrom = ({ marks }: ReadMarks): number => marks.at(-1)?.below ?? 0;

/** Returns when a notification was read; undefined if it is unread. */
export const readAt = ({ marks }: ReadMarks, seq: number): string | undefined =>
  marks.find(({ below }) => seq < below)?.at;

/** Marks all notifications below a sequence number as read, in the transaction of a list edit. */
export const markRead = (edit: ListEdit, before: ReadMarks, below: number, now: Date): void => {
  const marks = [...before.marks, { below, at: now.toISOString() }].slice(-MAX_MARKS);
  edit.updateHolder({
    update: 'SET marks = :marks, mark_number = :number',
    condition: before.mark_number === 0 ? 'attribute_not_exists(mark_number)' : 'mark_number = :before',
    values: {
      ':marks': marks,
      ':number': before.mark_number + 1,
      ...(before.mark_number !== 0 && { ':before': before.mark_number }),
    },
  });
};

/** Returns the key of the item that holds the head of a user's notifications and the marks. */
export const notificationHeadKey = (userId: string) => headKey(notificationList(userId));

/** Number of a deployment's notifications since the `mark`th time that everything was marked as read. */
export const unreadSchema = z.object({ mark: z.number(), count: z.number() });
type Unread = z.output<typeof unreadSchema>;

/** Returns the number of unread notifications of a deployment under the current marks. */
export const unreadCount = ({ mark, count }: Unread, { mark_number }: ReadMarks): number =>
  mark === mark_number ? count : 0;

/** Counts one more unread notification. */
export const oneMoreUnread = (unread: Unread, marks: ReadMarks): Unread => ({
  mark: marks.mark_number,
  count: unreadCount(unread, marks) + 1,
});
