import { ValidationError } from '../../../shared/api/errors.ts';
import { closedUntil, distanceOf } from '../../../shared/data/candles/read-candles.ts';
import type { BacktestSetup, BacktestSetupLeg } from '../../../shared/domain/engine/backtest/setup.ts';
import { warmUpOf } from '../../../shared/domain/engine/backtest/warm-up.ts';
import { canonicalRules } from '../../../shared/domain/engine/rules/canonical.ts';
import { describe } from '../../../shared/domain/engine/rules/describe.ts';
import { nodesOf } from '../../../shared/domain/engine/rules/nodes.ts';
import { type ResolvedRules, resolveParams } from '../../../shared/domain/engine/rules/params.ts';
import { swapTermsSchema } from '../../../shared/domain/instruments/rollover.ts';
import { own } from '../../../shared/domain/own.ts';
import type { Subject } from './body.ts';
import { currencyOf, type Market, type Prepared } from './prepare.ts';

const YEAR_DAYS = 252;
const CRYPTO_YEAR_DAYS = 365;

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

const directionFor = ({ instrument }: Market, wanted: BacktestSetupLeg['direction']) =>
  instrument?.short_allowed === false ? 'long' : wanted;

const legOf = (
  market: Market,
  share: number,
  to: number,
  { strategy }: Prepared,
  { financing, size_step }: Subject['account'],
): BacktestSetupLeg => {
  const { series, instrument } = market;
  return {
    symbol: series.symbol,
    share,
    source: series.timeframe,
    calendar: series.calendar,
    to,
    asset_class: series.asset_class,
    size_step: Number(size_step ?? instrument?.volume_step ?? 1),
    contract_size: instrument?.contract_size ?? 1,
    direction: directionFor(market, strategy?.direction ?? 'both'),
    ...(financing === 'instrument' && instrument && { swap: swapTermsSchema.parse(instrument) }),
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
  const { size_step: _, financing, fill_at, stop_basis, close_at_end, ...amounts } = subject.account;
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
    currency: market ? currencyOf(market) : 'USD',
    trading_days: markets.every(({ series }) => series.asset_class === 'crypto')
      ? CRYPTO_YEAR_DAYS
      : YEAR_DAYS,
    account: {
      starting_capital: Number(amounts.starting_capital),
      commission_rate: Number(amounts.commission_rate),
      commission_fixed: Number(amounts.commission_fixed),
      commission_per_unit: Number(amounts.commission_per_unit),
      commission_min: Number(amounts.commission_min),
      spread_rate: Number(amounts.spread_rate),
      slippage_rate: Number(amounts.slippage_rate),
      margin: Number(amounts.margin),
      financing,
      fill_at,
      stop_basis,
      close_at_end,
    },
    legs,
  };
  return { setup, rules };
};

/** Estimates the work of a backtest: bars × (indicators + conditions), and a unit for each bar that others are made of. */
export const workOf = (setup: BacktestSetup, rules: ResolvedRules, markets: readonly Market[]): number => {
  const nodes = nodesOf(rules);
  const work = markets.reduce((sum, { series }, index) => {
    const to = Math.min(setup.legs[index]?.to ?? 0, series.last + 1);
    const span = Math.max(0, to - Math.max(setup.read_from, series.first));
    const bars = 1 + span / Math.max(1, distanceOf(series, setup.timeframe));
    const source =
      series.timeframe === setup.timeframe ? 0 : span / Math.max(1, distanceOf(series, series.timeframe));
    return sum + bars * nodes + source;
  }, 0);
  return Math.ceil(work);
};
