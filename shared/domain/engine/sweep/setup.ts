import * as z from 'zod';
import { type BacktestSetup, backtestSetupSchema } from '../backtest/setup.ts';
import { warmUpOf } from '../backtest/warm-up.ts';
import type { ResolvedRules } from '../rules/params.ts';
import { RANK_FIGURES } from './figures.ts';

/** All that decides a sweep apart from its candles, as stored. Times are in milliseconds since the epoch. */
export const sweepSetupSchema = z.object({
  /** Setup of a backtest of all candles, those of the longest warm-up included. */
  base: backtestSetupSchema,
  /** Values to try. Other parameters keep their default. */
  axes: z.array(z.object({ name: z.string(), values: z.array(z.number()) })),
  /** Start of the first bar out of sample. */
  split_at: z.number(),
  rank_by: z.enum(RANK_FIGURES),
  /** Start of the oldest candles. */
  first: z.number(),
  combinations: z.int(),
  /** Combinations of a slice. */
  size: z.int(),
  slices: z.int(),
});

export type SweepSetup = z.output<typeof sweepSetupSchema>;

/** Setups of the backtests in sample and out of sample. */
export interface Samples {
  readonly inSample: BacktestSetup;
  readonly outOfSample: BacktestSetup;
}

/**
 * Returns the setups of a combination: the backtest up to the split, and the one from the split on with the bars before
 * as warm-up. They are those of requests with `to` and with `from`.
 */
export const samplesOf = (
  { base, split_at: split, first }: Pick<SweepSetup, 'base' | 'split_at' | 'first'>,
  rules: ResolvedRules,
  params: Readonly<Record<string, number>>,
): Samples => {
  const { from, timeframe, legs } = base;
  const warmUp = warmUpOf(rules, timeframe);
  const combined = { ...base, params: { ...base.params, ...params } };
  return {
    inSample: {
      ...combined,
      read_from: from === undefined ? first : Math.max(first, from - warmUp),
      legs: legs.map((leg) => ({ ...leg, to: Math.min(leg.to, split) })),
    },
    outOfSample: { ...combined, from: split, read_from: Math.max(first, split - warmUp) },
  };
};
