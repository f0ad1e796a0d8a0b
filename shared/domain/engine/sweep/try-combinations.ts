import { type BarColumns, barCount, firstBarFrom, sliceBars } from '../../candles/bars.ts';
import { advanceBacktest } from '../backtest/advance.ts';
import { finishBacktest } from '../backtest/result.ts';
import { type BacktestInput, type Programs, startBacktest, takeTrades } from '../backtest/run.ts';
import { type BacktestSetup, inputOf } from '../backtest/setup.ts';
import { type ResolvedRules, resolveParams } from '../rules/params.ts';
import { rulesSchema } from '../rules/schema.ts';
import { figuresOf, type SweepFigures } from './figures.ts';
import { combinationAt } from './grid.ts';
import type { Tried } from './join.ts';
import { type SweepSetup, samplesOf } from './setup.ts';

/** Bars of a symbol between two removals of finished trades, whose list would grow without bounds. */
const STRETCH = 50_000;

const barsWithin = ({ legs, read_from }: BacktestSetup, bars: readonly BarColumns[]): BarColumns[] =>
  bars.map((columns, index) =>
    sliceBars(columns, firstBarFrom(columns, read_from), firstBarFrom(columns, legs[index]?.to ?? 0)),
  );

/** Returns the figures of a backtest over the bars of a sample. */
const figuresIn = (
  input: BacktestInput,
  bars: readonly BarColumns[],
  programs: Programs,
): SweepFigures | null => {
  const run = startBacktest(input, programs);
  const longest = Math.max(...bars.map(barCount));
  const clock = bars.find((leg) => barCount(leg) === longest)?.start;
  let from = Number.NEGATIVE_INFINITY;
  for (let next = STRETCH; from < Number.POSITIVE_INFINITY; next += STRETCH) {
    const start = from;
    const end = clock?.[next] ?? Number.POSITIVE_INFINITY;
    advanceBacktest(
      run,
      bars.map((leg) => sliceBars(leg, firstBarFrom(leg, start), firstBarFrom(leg, end))),
    );
    takeTrades(run);
    from = end;
  }
  return figuresOf(finishBacktest(run).statistics);
};

/** Tries one combination. The rules compile once for both samples. */
const tryOne = (
  setup: SweepSetup,
  rules: ResolvedRules,
  params: Readonly<Record<string, number>>,
  bars: readonly BarColumns[],
): Omit<Tried, 'number'> => {
  const { inSample, outOfSample } = samplesOf(setup, rules, params);
  const input = inputOf(inSample, rules);
  const programs: Programs = new Map();
  return {
    in_sample: figuresIn(input, barsWithin(inSample, bars), programs),
    out_of_sample: figuresIn({ ...input, from: setup.split_at }, barsWithin(outOfSample, bars), programs),
  };
};

/**
 * Tries combinations of a sweep over candles that were read once. A combination of which the rules become invalid has
 * no figures.
 *
 * @param bars bars of each leg, those of the warm-up included.
 */
export const tryCombinations = (
  setup: SweepSetup,
  bars: readonly BarColumns[],
  numbers: readonly number[],
): Tried[] => {
  const rules = rulesSchema.parse(JSON.parse(setup.base.rules));
  return numbers.map((number) => {
    const params = combinationAt(setup.axes, number);
    const result = resolveParams(rules, params);
    return 'rules' in result
      ? { number, ...tryOne(setup, result.rules, params, bars) }
      : { number, in_sample: null, out_of_sample: null };
  });
};
