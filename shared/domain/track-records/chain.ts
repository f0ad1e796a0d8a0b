import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type BarColumns, barCount } from '../candles/bars.ts';
import { candlesHash } from '../candles/candles-hash.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { ReportTrade } from '../engine/backtest/report.ts';
import { backtestSetupSchema } from '../engine/backtest/setup.ts';
import { daySchema } from '../periods.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const { account, currency, timeframe, params, legs, read_from } = backtestSetupSchema.shape;

/** All that decides a track record, except its bars. */
export const recordInputsSchema = z.object({
  engine_version: z.int(),
  /** Hash of the rules with the values of their parameters and a secret text, by {@link sealedRules}. */
  rules_seal: z.string(),
  timeframe,
  currency,
  /** Name of the terms, and the terms. */
  terms: z.string(),
  account,
  /** Symbols with their shares and the facts of their instruments. */
  legs: z.array(legs.element.omit({ to: true })),
  /** Moment from which on bars warm up, in milliseconds since the epoch. */
  read_from,
  /** Moment of the publication: bars that start before it warm up. */
  started_at: z.number(),
  /** Digest of the bars before, by symbol. */
  warm_up: z.array(z.string()),
});

export type RecordInputs = z.output<typeof recordInputsSchema>;

export const disclosedRulesSchema = z.object({ rules: z.string(), params, salt: z.string() });

/** Rules of a track record, and the secret text that hides them while they are closed. */
export type DisclosedRules = z.output<typeof disclosedRulesSchema>;

/** Returns the hash that binds a record to rules without showing them. */
export const sealedRules = (disclosed: DisclosedRules): string => sha256(canonicalJson(disclosed));

export const splitEntry = z.object({ symbol: z.string(), at: z.number(), units: z.int(), of: z.int() });

/** A trading day of a track record that has bars. */
export const dayEntrySchema = z.object({
  day: daySchema,
  /** Hash of the bars of all symbols, and of the smaller ones that decided about fills, by {@link hashOfDay}. */
  bars_hash: z.string(),
  /** Equity at the last close of the day, at 12 significant digits. */
  equity: z.number(),
  /** Trades that have ended since the start, and the hash of those of the day. */
  trades_count: z.int(),
  trades_hash: z.string(),
  /** Hash of the splits before the first bar of the day. */
  splits_hash: z.string(),
});

export type DayEntry = z.output<typeof dayEntrySchema>;
export type SplitEntry = z.output<typeof splitEntry>;

export const chainedDaySchema = dayEntrySchema.extend({ hash: z.string(), splits: z.array(splitEntry) });

/** A day with its splits, and its hash, which covers the day before. */
export type ChainedDay = z.output<typeof chainedDaySchema>;

/** Smaller bars that decided about the fills of a bar. */
export interface UsedBars {
  readonly symbol: string;
  readonly start: number;
  readonly bars: BarColumns;
}

/** Returns the hash of the bars of a day. */
export const hashOfDay = (
  bars: readonly { readonly symbol: string; readonly bars: BarColumns }[],
  used: readonly UsedBars[],
): string =>
  sha256(
    [
      ...bars
        .filter((leg) => barCount(leg.bars) > 0)
        .map((leg) => `${leg.symbol} ${candlesHash([leg.bars])}`),
      ...used.map((one) => `${one.symbol} ${one.start} ${candlesHash([one.bars])}`),
    ].join('\n'),
  );

/** Significant digits of computed numbers in hashes: another program may sum up in another order. */
const DIGITS = 12;

/** Returns a computed number as hashes cover it. */
export const hashed = (value: number): number => Number(value.toPrecision(DIGITS));

/** Returns the hash of the trades or the splits of a day. */
export const hashOfList = (list: readonly (ReportTrade | SplitEntry)[]): string =>
  sha256(
    canonicalJson(
      list.map((one) =>
        Object.fromEntries(
          Object.entries(one).map(([name, value]) => [
            name,
            typeof value === 'number' ? hashed(value) : value,
          ]),
        ),
      ),
    ),
  );

/** Returns the hash of each part of the inputs, so that a changed one has a name. */
export const partHashes = (inputs: RecordInputs): Record<string, string> =>
  Object.fromEntries(Object.entries(inputs).map(([name, part]) => [name, sha256(canonicalJson(part))]));

/** Returns the hash that a chain begins with. */
export const firstHash = (inputs: RecordInputs): string => sha256(canonicalJson(partHashes(inputs)));

/** Returns the hash of a day. @param before hash of the day before, or of the inputs. */
export const hashOfEntry = (before: string, entry: DayEntry): string =>
  sha256(canonicalJson({ ...entry, before }));
