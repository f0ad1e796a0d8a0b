import { ValidationError } from '../../../shared/api/errors.ts';
import { closedUntil, distanceOf } from '../../../shared/data/candles/read-candles.ts';
import { makeSetup, type SetupMarket } from '../../../shared/domain/engine/backtest/make-setup.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import { warmUpOf } from '../../../shared/domain/engine/backtest/warm-up.ts';
import { nodesOf } from '../../../shared/domain/engine/rules/nodes.ts';
import { type ResolvedRules, resolveParams } from '../../../shared/domain/engine/rules/params.ts';
import type { Subject } from '../forms/body.ts';
import type { Market, Prepared } from './prepare.ts';

/** Largest work of a request; more is a job. */
export const MAX_WORK_AT_ONCE = 2_000_000;

/** Returns rules with values for their parameters. @throws ValidationError */
const resolved = (
  { rules, strategy }: Pick<Prepared, 'rules' | 'strategy'>,
  params: Readonly<Record<string, number>>,
): ResolvedRules => {
  const result = resolveParams(rules, params);
  if ('rules' in result) return result.rules;
  throw new ValidationError(
    result.problems.map(({ in: part, path, message }) => ({
      loc: part === 'rules' && strategy ? ['body', 'params'] : ['body', part, ...path],
      msg: message,
      type: 'value_error.param',
    })),
  );
};

const marketOf = ({ symbol, series, smaller, instrument }: Market, to: number): SetupMarket => ({
  symbol,
  ...(series.symbol !== symbol && { stored_as: series.symbol }),
  source: series.timeframe,
  calendar: series.calendar,
  asset_class: series.asset_class,
  smaller: smaller.map(({ timeframe }) => timeframe),
  instrument,
  to,
});

const timeOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Date.parse(text);

/** Refuses a range without candles. @throws ValidationError */
const checkRange = (from: number, legs: readonly SetupMarket[], markets: readonly Market[]): void => {
  if (markets.some(({ series }, index) => Math.max(from, series.first) < (legs[index]?.to ?? 0))) return;
  throw new ValidationError([
    { loc: ['body', 'from'], msg: 'there are no candles in this range', type: 'value_error.candles' },
  ]);
};

/**
 * Returns the setup of a backtest, which decides its result together with the candles.
 *
 * @throws ValidationError
 */
export const setupOf = (
  prepared: Prepared,
  subject: Subject,
  params: Readonly<Record<string, number>>,
): { readonly setup: BacktestSetup; readonly rules: ResolvedRules } => {
  const rules = resolved(prepared, params);
  const { markets, timeframe } = prepared;
  const from = timeOf(subject.from);
  const to = timeOf(subject.to) ?? Number.POSITIVE_INFINITY;
  const legs = markets.map((market) => marketOf(market, Math.min(to, closedUntil(market.series, timeframe))));
  checkRange(from ?? Number.NEGATIVE_INFINITY, legs, markets);
  const first = Math.min(...markets.map(({ series }) => series.first));
  const setup = makeSetup({
    rules: prepared.rules,
    resolved: rules,
    params,
    timeframe,
    markets: legs,
    strategy: prepared.strategy,
    account: subject.account,
    from,
    read_from: from === undefined ? first : Math.max(first, from - warmUpOf(rules, timeframe)),
  });
  return { setup, rules };
};

/** Candles of a backtest, estimated from the heads of the series. */
interface CandleCounts {
  readonly bars: number;
  /** Smaller bars that others are derived from. */
  readonly source: number;
}

/** Estimates the candles of a backtest. */
export const countCandles = (
  { read_from: readFrom, legs, timeframe }: Pick<BacktestSetup, 'read_from' | 'legs' | 'timeframe'>,
  markets: readonly Pick<Market, 'series'>[],
): CandleCounts => {
  let bars = 0;
  let source = 0;
  for (const [index, { series }] of markets.entries()) {
    const to = Math.min(legs[index]?.to ?? 0, series.last + 1);
    const span = Math.max(0, to - Math.max(readFrom, series.first));
    bars += 1 + span / Math.max(1, distanceOf(series, timeframe));
    if (series.timeframe !== timeframe) source += span / Math.max(1, distanceOf(series, series.timeframe));
  }
  return { bars, source };
};

/** Returns the work of a bar: indicators by their windows, conditions, and a unit for each further trade that may be open at once. */
export const workPerBar = (rules: ResolvedRules): number =>
  nodesOf(rules) + (rules.pyramid ? rules.max_trades - 1 : 0);

/** Estimates the work of a backtest: that of its bars, and a unit for each bar that others are made of. */
export const workOf = (
  setup: BacktestSetup,
  rules: ResolvedRules,
  markets: readonly Pick<Market, 'series'>[],
): { readonly units: number; readonly source: number } => {
  const { bars, source } = countCandles(setup, markets);
  return { units: Math.ceil(bars * workPerBar(rules) + source), source: Math.ceil(source) };
};

/** Estimates the smaller bars that a job may read for its fills: those of the smallest timeframe. */
export const countSmaller = (
  { read_from: readFrom, legs }: Pick<BacktestSetup, 'read_from' | 'legs'>,
  markets: readonly Market[],
): number => {
  let count = 0;
  for (const [index, { smaller }] of markets.entries()) {
    const leg = legs[index];
    const [series] = smaller;
    if (!leg?.smaller || !series) continue;
    const span = Math.max(0, Math.min(leg.to, series.last + 1) - Math.max(readFrom, series.first));
    count += span / Math.max(1, distanceOf(series, series.timeframe));
  }
  return Math.ceil(count);
};
