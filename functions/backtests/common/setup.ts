import { ValidationError } from '../../../shared/api/errors.ts';
import { closedUntil, distanceOf } from '../../../shared/data/candles/read-candles.ts';
import type { BacktestSetup, BacktestSetupLeg } from '../../../shared/domain/engine/backtest/setup.ts';
import { warmUpOf } from '../../../shared/domain/engine/backtest/warm-up.ts';
import { canonicalRules } from '../../../shared/domain/engine/rules/canonical.ts';
import { describe } from '../../../shared/domain/engine/rules/describe.ts';
import { nodesOf } from '../../../shared/domain/engine/rules/nodes.ts';
import { type ResolvedRules, resolveParams } from '../../../shared/domain/engine/rules/params.ts';
import { own } from '../../../shared/domain/own.ts';
import type { Subject } from './body.ts';
import type { Market, Prepared } from './prepare.ts';
import { accountOf, currencyOf, termsOf, tradingDaysOf } from './terms.ts';

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

const sharesOf = ({ strategy, markets }: Prepared): number[] => {
  const weights = markets.map(
    ({ series }) => strategy?.legs.find(({ symbol }) => symbol === series.symbol)?.weight ?? 0,
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.every((weight) => weight > 0)
    ? weights.map((weight) => weight / sum)
    : markets.map(() => 1 / markets.length);
};

const legOf = (
  market: Market,
  share: number,
  to: number,
  { strategy }: Prepared,
  account: Subject['account'],
): BacktestSetupLeg => {
  const { series, instrument } = market;
  return {
    symbol: series.symbol,
    share,
    source: series.timeframe,
    calendar: series.calendar,
    to,
    asset_class: series.asset_class,
    ...termsOf(instrument, account, strategy?.direction ?? 'both'),
  };
};

const timeOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Date.parse(text);

/** Refuses a range without candles. @throws ValidationError */
const checkRange = (from: number, legs: readonly BacktestSetupLeg[], markets: readonly Market[]): void => {
  if (markets.some(({ series }, index) => Math.max(from, series.first) < (legs[index]?.to ?? 0))) return;
  throw new ValidationError([
    { loc: ['body', 'from'], msg: 'there are no candles in this range', type: 'value_error.candles' },
  ]);
};

/**
 * Returns all that decides a backtest besides its candles.
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
  const shares = sharesOf(prepared);
  const legs = markets.map((market, index) =>
    legOf(
      market,
      shares[index] ?? 0,
      Math.min(to, closedUntil(market.series, timeframe)),
      prepared,
      subject.account,
    ),
  );
  checkRange(from ?? Number.NEGATIVE_INFINITY, legs, markets);
  const first = Math.min(...markets.map(({ series }) => series.first));
  const [market] = markets;
  const setup: BacktestSetup = {
    rules: canonicalRules(prepared.rules),
    params: Object.fromEntries(
      Object.entries(prepared.rules.params).map(([name, declared]) => [
        name,
        own(params, name) ?? declared.default,
      ]),
    ),
    sentence: describe(rules),
    timeframe,
    ...(from !== undefined && { from }),
    read_from: from === undefined ? first : Math.max(first, from - warmUpOf(rules, timeframe)),
    currency: currencyOf(market?.instrument),
    trading_days: tradingDaysOf(markets.map(({ series }) => series.asset_class)),
    account: accountOf(subject.account),
    legs,
  };
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
  markets: readonly Market[],
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

/** Returns the work of a bar: indicators and conditions, and a unit for each further trade that may be open at once. */
export const workPerBar = (rules: ResolvedRules): number =>
  nodesOf(rules) + (rules.pyramid ? rules.max_trades - 1 : 0);

/** Estimates the work of a backtest: that of its bars, and a unit for each bar that others are made of. */
export const workOf = (setup: BacktestSetup, rules: ResolvedRules, markets: readonly Market[]): number => {
  const { bars, source } = countCandles(setup, markets);
  return Math.ceil(bars * workPerBar(rules) + source);
};
