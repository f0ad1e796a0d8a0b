import * as z from 'zod';
import { CHANNELS } from '../../domain/deployments/signals.ts';
import { openEnumList } from '../../domain/open-enum.ts';
import { notificationSchema } from '../deployments/notifications.ts';
import { TRADE_MODES } from '../deployments/trading-record.ts';
import type { Message } from '../outbox/outbox.ts';
import { pack, unpack } from '../table/packed.ts';
import { totalsSchema } from './ended-totals.ts';

/**
 * What an event of a live deployment adds to the lists and sums of its owner. An event changes its
 * deployment, its order and its trades in one transaction, and leaves this with them: all deployments of a
 * user share these lists, and engines must not wait for each other there. With a field of a newer version it waits
 * for that version: what it asks for must not be left undone.
 */
const listEntriesSchema = z.strictObject({
  user_id: z.string(),
  deployment_id: z.number(),
  mode: z.enum(TRADE_MODES),
  /** An order that is new, and one that has its first fill beside an expected price. */
  new_order: z.string().optional(),
  slipped_order: z.string().optional(),
  /** Numbers of trades that came or went: what is there now counts. */
  trades: z.array(z.number()),
  /** What changed of a deployment that had ended before. */
  totals: z
    .object({
      strategy_id: z.number(),
      prediction_market: z.boolean(),
      group: z.string(),
      change: totalsSchema,
      from: z.string(),
      to: z.string(),
    })
    .optional(),
  /** Set where the change was staged: the stage ends before anything is entered. */
  staged: z.literal(true).optional(),
  notifications: z.array(notificationSchema),
  channels: openEnumList(CHANNELS),
});

export type ListEntries = z.output<typeof listEntriesSchema>;

/** Trades in one message: entering each takes three members of a transaction. */
const MAX_TRADES = 25;

/** The messages that carry entries; none where there is nothing to enter. */
export const listEntriesMessages = (entries: ListEntries): Message[] => {
  if (!hasEntries(entries)) return [];
  const { user_id, deployment_id, mode, channels, trades, staged } = entries;
  const messages: ListEntries[] = [{ ...entries, trades: trades.slice(0, MAX_TRADES) }];
  for (let at = MAX_TRADES; at < trades.length; at += MAX_TRADES) {
    const part = trades.slice(at, at + MAX_TRADES);
    messages.push({ user_id, deployment_id, mode, channels, trades: part, staged, notifications: [] });
  }
  return messages.map((part) => ({ kind: 'live_entries', user_id, entries: pack(part) }));
};

export const parseListEntries = (entries: Uint8Array<ArrayBuffer>): ListEntries =>
  unpack(listEntriesSchema, entries);

/** Whether there is anything to enter. */
const hasEntries = (entries: ListEntries): boolean =>
  entries.new_order !== undefined ||
  entries.slipped_order !== undefined ||
  entries.trades.length > 0 ||
  entries.totals !== undefined ||
  entries.staged !== undefined ||
  entries.notifications.length > 0;
