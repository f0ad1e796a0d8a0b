import * as z from 'zod';
import { CHANNELS } from '../domain/signals.ts';
import { TRADE_MODES } from './live-record.ts';
import { totalsSchema } from './live-totals.ts';
import { notificationSchema } from './notifications.ts';
import type { Message } from './outbox.ts';

/**
 * What an event of a live deployment adds to the lists and sums of its owner. An event changes its
 * deployment, its order and its trades in one transaction, and leaves this with them: all deployments of a
 * user share these lists, and engines must not wait for each other there.
 */
const liveEntriesSchema = z.object({
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
  notifications: z.array(notificationSchema),
  channels: z.array(z.enum(CHANNELS)),
});

export type LiveEntries = z.output<typeof liveEntriesSchema>;

export const liveEntriesMessage = (entries: LiveEntries): Message => ({ kind: 'live_entries', entries });

export const parseLiveEntries = (entries: unknown): LiveEntries => liveEntriesSchema.parse(entries);

/** Whether there is anything to enter. */
export const hasEntries = (entries: LiveEntries): boolean =>
  entries.new_order !== undefined ||
  entries.slipped_order !== undefined ||
  entries.trades.length > 0 ||
  entries.totals !== undefined ||
  entries.notifications.length > 0;
