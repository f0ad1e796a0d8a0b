import { distanceOf } from '../../../shared/data/candles/read-candles.ts';
import type { Series } from '../../../shared/data/candles/series.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import { warmUpOf } from '../../../shared/domain/engine/backtest/warm-up.ts';
import type { ResolvedRules } from '../../../shared/domain/engine/rules/params.ts';
import { isOneRead } from '../running/candles.ts';
import { workOf } from './setup.ts';

/** Reserve over the mean distance of bars, for spans with fewer of them. */
const RESERVE = 1.5;
/** Halvings of a warm-up that is too long: from twenty years to less than a minute. */
const HALVINGS = 24;

/** Bars that a chart of rules reads. */
export interface ChartRange {
  readonly setup: BacktestSetup;
  readonly units: number;
  /** True if the warm-up is as long as that of a backtest. */
  readonly isWarmedUp: boolean;
}

/**
 * Returns the newest bars of a chart, with as much of the warm-up of a backtest as a request reads; undefined if a request
 * does not even read the shown bars.
 */
export const chartRange = (
  setup: BacktestSetup,
  rules: ResolvedRules,
  series: Series,
  { bars, most }: { readonly bars: number; readonly most: number },
): ChartRange | undefined => {
  const end = Math.min(setup.legs[0]?.to ?? 0, series.last + 1);
  const span = distanceOf(series, setup.timeframe) * bars * RESERVE;
  const shown = Math.max(series.first, setup.from ?? Number.NEGATIVE_INFINITY, Math.floor(end - span));
  let warmUp = Math.min(warmUpOf(rules, setup.timeframe), shown - series.first);
  for (let halving = 0; halving <= HALVINGS; halving += 1) {
    const range = { ...setup, read_from: shown - (halving === HALVINGS ? 0 : warmUp) };
    const { units } = workOf(range, rules, [{ series }]);
    if (units <= most && isOneRead(range, [series]))
      return { setup: range, units, isWarmedUp: halving === 0 };
    warmUp = Math.floor(warmUp / 2);
  }
  return undefined;
};
