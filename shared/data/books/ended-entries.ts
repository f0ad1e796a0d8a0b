import * as z from 'zod';
import { withUnknownOf } from '../../domain/unknown-fields.ts';
import type { NumberedList } from '../numbered-list/numbered-list.ts';
import type { Item } from '../table/attributes.ts';
import { bounded } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Key, Write } from '../table/writes.ts';
import { type Totals, totalsChange, totalsOfOne, totalsSchema } from './ended-totals.ts';
import { summaryItemSchema, type TradingSummary } from './summary.ts';

/** Returns the list of a user's ended trading deployments; prediction markets have a list of their own. */
export const endedList = (
  userId: string,
  { prediction_market }: Pick<TradingSummary, 'prediction_market'>,
): NumberedList => ({
  pk: `LIVE_ENDED#${prediction_market ? 'PREDICTION' : 'MARKET'}#${bounded(userId)}`,
});

/**
 * Entry of an ended deployment: its summary, and its part in the totals of the owner. Both are written with the totals
 * in one transaction, so the totals always equal the sum over these parts. After a late event, the summary is ahead of the
 * part until the message of the event is entered.
 */
const entrySchema = summaryItemSchema.extend({
  booked: totalsSchema,
  /** Increases with every change; conditions compare it with the revision that was read. */
  revision: z.number(),
});

export type EndedEntry = z.output<typeof entrySchema>;

/** Parses an entry. */
export const asEndedEntry = (item: Item): EndedEntry => parseItem(entrySchema, item);

/** Returns the entry of a deployment that ends, in the transaction that adds it to the totals. */
export const endedEntry = (summary: TradingSummary): Item => ({
  entity: 'live_ended',
  summary,
  booked: totalsOfOne(summary),
  revision: 1,
});

/** Returns the write of the summary of an entry. One that was lost is written again, with its results as its part. */
export const summaryWrite = (key: Key, summary: TradingSummary): Write => ({
  key,
  update:
    'SET entity = :entity, summary = :summary, booked = if_not_exists(booked, :booked) ADD revision :one',
  values: { ':entity': 'live_ended', ':summary': summary, ':booked': totalsOfOne(summary), ':one': 1 },
});

/** Returns the write of an entry after a late event. The totals follow with the message of the event. */
export const lateEntryWrite = (key: Key, before: TradingSummary, after: TradingSummary): Write => ({
  key,
  update:
    'SET entity = :entity, summary = :summary, booked = if_not_exists(booked, :before) ADD revision :one',
  values: { ':entity': 'live_ended', ':summary': after, ':before': totalsOfOne(before), ':one': 1 },
});

/** Returns the difference between a deployment's part in the totals and its present results. */
export const unbooked = ({ summary, booked }: EndedEntry): Totals =>
  totalsChange(booked, totalsOfOne(summary));

/** Returns the write that makes the present results of an entry its part. Its condition fails if the entry changed. */
export const bookingWrite = (key: Key, item: Item): Write => {
  const { summary, booked, revision } = asEndedEntry(item);
  return {
    key,
    update: 'SET booked = :booked ADD revision :one',
    condition: 'revision = :revision',
    values: {
      ':booked': withUnknownOf(booked, totalsOfOne(summary)),
      ':revision': revision,
      ':one': 1,
    },
  };
};
