import * as z from 'zod';
import { CHANNELS } from '../../domain/deployments/signal-frequency.ts';
import { openEnumList } from '../../domain/open-enum.ts';
import { notificationSchema } from '../deployments/notification.ts';
import { TRADE_MODES } from '../deployments/trading-record.ts';
import type { Message, MessageOf } from '../outbox/messages.ts';
import { parseItem } from '../table/parse-item.ts';

/**
 * Entries that an event of a trading deployment adds to the lists and totals of its owner. The event's transaction
 * changes deployment, order and trades and leaves these entries as a message: all deployments of a user share the
 * lists, and engines must not wait for each other there. The schema is strict: a message with a field of a newer
 * version waits for that version, so that nothing of it is lost.
 */
const listEntriesSchema = z.strictObject({
  user_id: z.string(),
  deployment_id: z.number(),
  mode: z.enum(TRADE_MODES),
  /** The client_order_id of a new order; `slipped_order`: of one with its first fill at an expected price. */
  new_order: z.string().optional(),
  slipped_order: z.string().optional(),
  /** Numbers of trades that were added or removed; their present state decides. */
  trades: z.array(z.number()),
  /** Set if the results of a deployment changed that had ended before: its totals, and its place among the ended ones. */
  totals: z
    .object({
      strategy_id: z.number(),
      prediction_market: z.boolean(),
      group: z.string(),
      from: z.string(),
      to: z.string(),
      ended_seq: z.number(),
    })
    .optional(),
  /** Set if the change was staged: the stage must end before anything is entered. */
  staged: z.literal(true).optional(),
  notifications: z.array(notificationSchema),
  channels: openEnumList(CHANNELS),
});

export type ListEntries = z.output<typeof listEntriesSchema>;

/** The most trades in one message; each takes three members of a transaction. */
const MAX_TRADES = 25;

/** Splits entries into messages; empty if there is nothing to enter. */
export const listEntriesMessages = (entries: ListEntries): Message[] => {
  if (!hasEntries(entries)) return [];
  const { user_id, deployment_id, mode, channels, trades, staged } = entries;
  const messages: ListEntries[] = [{ ...entries, trades: trades.slice(0, MAX_TRADES) }];
  for (let at = MAX_TRADES; at < trades.length; at += MAX_TRADES) {
    const part = trades.slice(at, at + MAX_TRADES);
    messages.push({ user_id, deployment_id, mode, channels, trades: part, staged, notifications: [] });
  }
  return messages.map(({ user_id: _, ...part }) => ({ kind: 'live_entries', user_id, entries: part }));
};

/** Parses the entries of a message. @throws NewerRecordError @throws ZodError for damaged ones */
export const parseListEntries = ({ user_id, entries }: MessageOf<'live_entries'>): ListEntries =>
  parseItem(listEntriesSchema, { ...entries, user_id });

/** Returns whether there is anything to enter. */
const hasEntries = (entries: ListEntries): boolean =>
  entries.new_order !== undefined ||
  entries.slipped_order !== undefined ||
  entries.trades.length > 0 ||
  entries.totals !== undefined ||
  entries.staged !== undefined ||
  entries.notifications.length > 0;
