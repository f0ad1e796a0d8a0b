import * as z from 'zod';
import { type BarColumns, columnsOf, listBars } from '../candles/bars.ts';
import { tradeSchema } from '../engine/backtest/report.ts';
import { dayEntrySchema, disclosedRulesSchema, recordInputsSchema, splitEntry } from './chain.ts';

/** Start, open, high, low, close and volume of a bar. */
const bar = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number()]);
const bars = z.array(bar);

const symbolBars = z.object({ symbol: z.string(), bars });

const inputsLine = z.object({
  type: z.literal('inputs'),
  record_id: z.number(),
  inputs: recordInputsSchema,
  /** Hash of each input, and the hash that the chain begins with. */
  parts: z.record(z.string(), z.string()),
  first_hash: z.string(),
  /** Moment from which on no bar counts; null while the record goes on. */
  ended_at: z.number().nullable(),
  /** Null while the rules are closed. */
  disclosed: disclosedRulesSchema.nullable(),
});

const warmUpLine = z.object({
  type: z.literal('warm_up'),
  /** Null if the source of the candles does not allow showing them. */
  legs: z.array(symbolBars).nullable(),
});

const dayLine = z.object({
  type: z.literal('day'),
  entry: dayEntrySchema,
  hash: z.string(),
  splits: z.array(splitEntry),
  legs: z.array(symbolBars).nullable(),
  /** Smaller bars that decided about fills, by the start of the bar. */
  used: z.array(symbolBars.extend({ start: z.number() })).nullable(),
  /** Trades that ended on the day; null while they are withheld. */
  trades: z.array(tradeSchema).nullable(),
});

/** A line of an export: the inputs, bars of the warm-up, or a trading day. */
export const exportLineSchema = z.discriminatedUnion('type', [inputsLine, warmUpLine, dayLine]);

export type ExportLine = z.output<typeof exportLineSchema>;
export type InputsLine = z.output<typeof inputsLine>;

export type DayLine = z.output<typeof dayLine>;
export type ExportedBars = z.output<typeof bars>;

/** Returns bars as an export has them. */
export const exportedBars = (columns: BarColumns): ExportedBars =>
  listBars(columns).map(({ start, open, high, low, close, volume }) => [
    start,
    open,
    high,
    low,
    close,
    volume,
  ]);

/** Returns the bars of an export. */
export const importedBars = (rows: ExportedBars): BarColumns =>
  columnsOf(
    rows.map(([start, open, high, low, close, volume]) => ({ start, open, high, low, close, volume })),
  );
