import * as z from 'zod';
import { SUFFICIENT_TRADES as FEW_TRADES } from '../../metrics/figures.ts';
import { type ReportWarning, warningSchema } from '../backtest/report.ts';
import { compareFigures, figuresSchema, type RankFigure, rankFigure } from './figures.ts';

/** Combinations that a result lists. */
const LISTED = 50;
const HALF = 0.5;

/** Figures of one combination in sample and out of sample. */
const triedSchema = z.object({
  /** Number of the combination in the grid. */
  number: z.int(),
  in_sample: figuresSchema.nullable(),
  out_of_sample: figuresSchema.nullable(),
});

export type Tried = z.output<typeof triedSchema>;

/** Result of a slice. Slices of one sweep have the same candles and the same version of the engine. */
export const sliceResultSchema = z.object({
  engine_version: z.int(),
  candles_hash: z.string(),
  /** Remarks on the candles. */
  notes: z.array(warningSchema),
  tried: z.array(triedSchema),
});

export type SliceResult = z.output<typeof sliceResultSchema>;

/** Slices were computed over different candles, or by different versions of the engine. */
export class MixedSlicesError extends Error {
  constructor() {
    super('slices of a sweep differ in their candles or in the version of the engine');
    this.name = 'MixedSlicesError';
  }
}

/**
 * Joins results of slices into one. Any order, any grouping and any repeats give the same result.
 *
 * @throws MixedSlicesError
 */
export const joinSlices = (first: SliceResult, ...others: readonly SliceResult[]): SliceResult => {
  const { engine_version, candles_hash, notes } = first;
  const tried = new Map<number, Tried>();
  for (const slice of [first, ...others]) {
    if (slice.engine_version !== engine_version || slice.candles_hash !== candles_hash) {
      throw new MixedSlicesError();
    }
    for (const one of slice.tried) tried.set(one.number, one);
  }
  return {
    engine_version,
    candles_hash,
    notes,
    tried: [...tried.values()].sort((left, right) => left.number - right.number),
  };
};

/**
 * Returns whether a combination collapses out of sample: it gains in sample, and out of sample it gains less than half
 * as much a year, or loses.
 */
export const isCollapse = ({ in_sample: before, out_of_sample: after }: Omit<Tried, 'number'>): boolean => {
  if (!before || (before.total_return_pct ?? 0) <= 0) return false;
  const gain = before.cagr_pct ?? before.total_return_pct ?? 0;
  return !after || (after.total_return_pct ?? 0) <= 0 || (after.cagr_pct ?? 0) < gain * HALF;
};

/**
 * Returns the combinations in the order of their figure in sample, the best first. Equal ones keep their order. Those
 * that lost everything come last: a ratio of theirs may be high.
 */
export const rankTried = (tried: readonly Tried[], rankBy: RankFigure): Tried[] => {
  const figureOf = ({ in_sample: figures }: Tried): number | null =>
    figures && figures.final_equity > 0 ? rankFigure(figures, rankBy) : null;
  return tried.toSorted(
    (left, right) => compareFigures(figureOf(left), figureOf(right), rankBy) || left.number - right.number,
  );
};

const rankedSchema = triedSchema.extend({ collapsed: z.boolean() });

/** A combination among the best. */
type Ranked = z.output<typeof rankedSchema>;

const isProfit = (figures: Tried['in_sample']): boolean => (figures?.total_return_pct ?? 0) > 0;

/** Outcome of a sweep as stored. */
export const outcomeSchema = z.object({
  engine_version: z.int(),
  candles_hash: z.string(),
  best: z.array(rankedSchema),
  /** Combinations that gain in sample, and out of sample. */
  profitable_in_sample: z.int(),
  profitable_out_of_sample: z.int(),
  warnings: z.array(warningSchema),
});

export type SweepOutcome = z.output<typeof outcomeSchema>;

/** Returns the remarks on the best combinations. */
const remarksOn = (best: readonly Ranked[], tried: readonly Tried[]): ReportWarning[] => {
  const collapsed = best.filter((one) => one.collapsed).length;
  const idle = tried.filter(({ in_sample }) => (in_sample?.trades_count ?? 0) === 0).length;
  const remarks: ReportWarning[] = [];
  if (best[0]?.collapsed || collapsed > best.length * HALF) {
    remarks.push({
      code: 'out_of_sample_collapse',
      message: best[0]?.collapsed
        ? 'Out of sample, the best combination gains less than half as much a year as in sample, or loses.'
        : 'Out of sample, most of the best combinations gain less than half as much a year as in sample, or lose.',
      count: collapsed,
    });
  }
  if (tried.length > 1) {
    remarks.push({
      code: 'best_of_many',
      message:
        'The best of many tries is partly luck. Trust combinations whose neighbours are good too, and figures out of sample.',
      count: tried.length,
    });
  }
  const first = best[0]?.in_sample;
  if (first && first.trades_count > 0 && first.trades_count < FEW_TRADES) {
    remarks.push({
      code: 'few_trades',
      message: `Figures of fewer than ${FEW_TRADES} trades say little, and the best combination has fewer in sample.`,
      count: first.trades_count,
    });
  }
  if (idle > 0) {
    remarks.push({
      code: 'no_trades',
      message: 'Combinations without closed trades in sample rank last.',
      count: idle,
    });
  }
  return remarks;
};

/** Returns the outcome of all combinations. */
export const outcomeOf = ({ tried, notes, ...identity }: SliceResult, rankBy: RankFigure): SweepOutcome => {
  const best = rankTried(tried, rankBy)
    .slice(0, LISTED)
    .map((one) => ({ ...one, collapsed: isCollapse(one) }));
  return {
    ...identity,
    best,
    profitable_in_sample: tried.filter(({ in_sample }) => isProfit(in_sample)).length,
    profitable_out_of_sample: tried.filter(({ out_of_sample }) => isProfit(out_of_sample)).length,
    warnings: [...remarksOn(best, tried), ...notes],
  };
};
