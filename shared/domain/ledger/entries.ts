import * as z from 'zod';
import { decimalText } from '../money.ts';
import { sequenceSchema } from '../orders/sequence-input.ts';

/** Place of a fill or charge among those of the symbol that the hub's engine booked; null if others reported it. */
const place = z.number().nullable().describe('place');

/**
 * An event that the ledger remembers, as a tuple, because the number of entries determines the size of a ledger. All
 * kinds begin with the same fields: kind, time, symbol, and the order or charge.
 */
const fillEntrySchema = z.tuple([
  z.literal('fill'),
  z.number().describe('at, milliseconds'),
  z.string().describe('symbol'),
  z.string().describe('client_order_id'),
  sequenceSchema.describe('sequence of the report'),
  decimalText.describe('quantity, positive buys'),
  decimalText.describe('value: quantity · price · contract size, in the quote currency'),
  decimalText.describe('fees'),
  decimalText.nullable().describe('rate; null if the symbol is quoted in the currency of the deployment'),
  z.number().describe('creation of the order, milliseconds'),
  place,
]);

const swapEntrySchema = z.tuple([
  z.literal('swap'),
  z.number().describe('at, milliseconds'),
  z.string().describe('symbol'),
  z.string().describe('charge_id'),
  decimalText.describe('amount, negative is a charge'),
  place,
]);

/** A split, booked a millisecond before the first bar in new units: a fill of that bar comes after it. */
const splitEntrySchema = z.tuple([
  z.literal('split'),
  z.number().describe('at, milliseconds'),
  z.string().describe('symbol'),
  z.string().describe('split_id'),
  z.int().describe('new units'),
  z.int().describe('for each number of old units'),
]);

/** Schema of an entry of the ledger. */
export const entrySchema = z.union([fillEntrySchema, swapEntrySchema, splitEntrySchema]);

export type FillEntry = z.output<typeof fillEntrySchema>;
export type SwapEntry = z.output<typeof swapEntrySchema>;
export type SplitEntry = z.output<typeof splitEntrySchema>;
export type Entry = FillEntry | SwapEntry | SplitEntry;

/**
 * Returns the entries from a time on, of entries in the order of their times. An event is mostly newer than all but the
 * last ones, so it does not look at the others.
 */
export const entriesSince = (entries: readonly Entry[], since: number): readonly Entry[] =>
  entries.slice(entries.findLastIndex(([, at]) => at < since) + 1);
