import { invalidValue } from '../../../shared/api/refusals.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import { type Axis, countCombinations } from '../../../shared/domain/engine/sweep/grid.ts';
import { type SweepSetup, samplesOf } from '../../../shared/domain/engine/sweep/setup.ts';
import { slicesOf } from '../../../shared/domain/engine/sweep/slices.ts';
import type { SweepRequest } from '../forms/sweep-body.ts';
import type { Prepared } from './prepare.ts';
import { countCandles, setupOf, workPerBar } from './setup.ts';
import { axesOf } from './sweep-axes.ts';

const MINUTE_MS = 60_000;
/** The most work of one combination: ten seconds of one processor. */
const MOST_WORK = 1e8;
/** The most bars that a worker holds: half a gigabyte. */
const MOST_BARS = 3_000_000;

const iso = (at: number): string => new Date(at).toISOString();

/** Returns the start of the first bar out of sample. @throws ValidationError */
const splitOf = (
  split: SweepRequest['split'],
  { from = Number.NEGATIVE_INFINITY, legs }: BacktestSetup,
  first: number,
): number => {
  const start = Math.max(from, first);
  const end = Math.max(...legs.map(({ to }) => to));
  const at =
    typeof split === 'number'
      ? Math.floor((start + split * (end - start)) / MINUTE_MS) * MINUTE_MS
      : Date.parse(split);
  if (start < at && at < end) return at;
  throw invalidValue(
    ['body', 'split'],
    `ensure there are candles before and after: they reach from ${iso(start)} to ${iso(end)}`,
    'value_error.datetime',
  );
};

/** Returns the combination with the longest warm-up: lengths are largest. */
const widest = (axes: readonly Axis[]): Record<string, number> =>
  Object.fromEntries(axes.map(({ name, values }) => [name, Math.max(...values)]));

const tooLarge = () =>
  invalidValue(
    ['body', 'from'],
    'a combination takes too long over so many bars; shorten the range or use fewer symbols',
    'value_error.sweep',
  );

/**
 * Returns the setup of a sweep, which decides its result together with the candles, and its work.
 *
 * @throws ValidationError
 */
export const sweepSetupOf = (
  prepared: Prepared,
  { params, split, rank_by, ...subject }: SweepRequest,
): { readonly setup: SweepSetup; readonly work: number } => {
  const { markets } = prepared;
  const axes = axesOf(prepared.rules, params);
  const { setup: standard } = setupOf(prepared, subject, {});
  const wide = setupOf(prepared, subject, widest(axes));
  // Reading smaller bars for each combination would cost too much: open fills are decided against the trader.
  const legs = standard.legs.map(({ smaller: _, ...leg }) => leg);
  const base = { ...standard, legs, read_from: wide.setup.read_from };
  const first = Math.min(...markets.map(({ series }) => series.first));
  const split_at = splitOf(split, base, first);
  const { inSample, outOfSample } = samplesOf({ base, split_at, first }, wide.rules, {});
  const tried = countCandles(inSample, markets).bars + countCandles(outOfSample, markets).bars;
  const work = tried * workPerBar(wide.rules);
  const { bars, source } = countCandles(base, markets);
  if (work > MOST_WORK || bars + source > MOST_BARS) throw tooLarge();
  const slicing = slicesOf(countCombinations(axes), work, source);
  return {
    setup: { base, axes, split_at, rank_by, first, ...slicing },
    work: Math.ceil(slicing.combinations * work + slicing.slices * source),
  };
};
