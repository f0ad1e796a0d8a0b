import * as z from 'zod';
import { decimalText } from '../money.ts';
import { sequenceSchema } from '../orders/sequences.ts';

/**
 * What the ledger remembers of single events, as tuples: their number decides how big a ledger is. The first
 * fields are alike: kind, time, symbol, and the order or charge that it comes from.
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
  decimalText
    .optional()
    .describe('rate; absent where the symbol is quoted in the currency of the deployment'),
]);

const swapEntrySchema = z.tuple([
  z.literal('swap'),
  z.number().describe('at, milliseconds'),
  z.string().describe('symbol'),
  z.string().describe('charge_id'),
  decimalText.describe('amount, negative is a charge'),
]);

export const entrySchema = z.union([fillEntrySchema, swapEntrySchema]);

export type FillEntry = z.output<typeof fillEntrySchema>;
export type SwapEntry = z.output<typeof swapEntrySchema>;
export type Entry = FillEntry | SwapEntry;

const compareText = (left: string, right: string): number => {
  if (left === right) return 0;
  return left < right ? -1 : 1;
};

/**
 * The order in which events count: by time, then by what does not depend on their arrival. Steps of one order
 * at the same time compare equal: they stay in the order of their quantities.
 */
export const compareEntries = (left: Entry, right: Entry): number =>
  left[1] - right[1] || compareText(left[0], right[0]) || compareText(left[3], right[3]);
