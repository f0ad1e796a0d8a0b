import * as z from 'zod';
import { openEnum } from '../../domain/open-enum.ts';
import type { ListEdit } from '../numbered-list/list-edit.ts';
import { headKey, type NumberedList } from '../numbered-list/numbered-list.ts';
import { bounded } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';

export const NOTIFICATION_KINDS = [
  'signal_buy',
  'signal_sell',
  'entry_filled',
  'exit_filled',
  'entry_cancelled',
  'stop_loss_hit',
  'target_hit',
  'order_rejected',
  'order_unknown',
  'cycle_completed',
  'deployment_started',
  'deployment_expired',
  'deployment_stopped',
  'deployment_error',
  'scanner_match',
  'broker_disconnected',
  'token_expiring',
  /** One that this version does not know. */
  'other',
] as const;

export const SEVERITIES = ['info', 'success', 'warning', 'error'] as const;

export const notificationSchema = z.object({
  notification_id: z.number(),
  kind: openEnum(NOTIFICATION_KINDS, 'other'),
  severity: openEnum(SEVERITIES, 'info'),
  deployment_id: z.number().optional(),
  deployment_type: openEnum(['notification', 'scanner', 'live'], 'notification'),
  strategy_id: z.number().optional(),
  symbol: z.string().optional(),
  title: z.string(),
  body: z.string(),
  data: z.record(z.string(), z.unknown()),
  created_at: z.string(),
});

export type Notification = z.output<typeof notificationSchema>;

/** The notifications of a user. */
export const notificationList = (userId: string): NumberedList => ({
  pk: `NOTIFICATIONS#${bounded(userId)}`,
});

/** Marks of reading that are kept: what was read before the oldest of them counts as read with it. */
const MAX_MARKS = 20;

const marksSchema = z.object({
  marks: z.array(z.object({ below: z.number(), at: z.string() })).default([]),
  mark_number: z.number().default(0),
});

/**
 * Which notifications have been read: all with a sequence number below a mark, at the time of the first
 * mark above it. So marking everything read costs the same however much there is.
 */
export type ReadMarks = z.output<typeof marksSchema>;

/** The marks in the item that holds the head of the list. */
export const marksIn = (item: Readonly<Record<string, unknown>> | undefined): ReadMarks =>
  parseItem(marksSchema, item ?? {});

/** When a notification was read; undefined where it has not been. */
export const readAt = ({ marks }: ReadMarks, seq: number): string | undefined =>
  marks.find(({ below }) => seq < below)?.at;

/** Marks everything below a sequence number read, in the transaction of a list edit. */
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

/** The key of the item that holds the head of a user's notifications and the marks. */
export const notificationHeadKey = (userId: string) => headKey(notificationList(userId));

/** How many notifications of a deployment came since everything was marked read for the `mark`th time. */
export const unreadSchema = z.object({ mark: z.number(), count: z.number() });
type Unread = z.output<typeof unreadSchema>;

/** The unread notifications of a deployment under the present marks. */
export const unreadCount = ({ mark, count }: Unread, { mark_number }: ReadMarks): number =>
  mark === mark_number ? count : 0;

/** Counts one more. */
export const oneMoreUnread = (unread: Unread, marks: ReadMarks): Unread => ({
  mark: marks.mark_number,
  count: unreadCount(unread, marks) + 1,
});
