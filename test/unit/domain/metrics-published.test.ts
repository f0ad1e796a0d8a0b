import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { openLedger } from '../../../shared/domain/ledger/ledger-state.ts';
import { type Metrics, metricsOf } from '../../../shared/domain/ledger/metrics.ts';
import { addEquity, growthOf, noEquity, returnFigures } from '../../../shared/domain/metrics/equity-stats.ts';
import { addTrade, noTrades, settledTrades } from '../../../shared/domain/metrics/trade-stats.ts';
import { type Decimal, decimal } from '../../../shared/domain/money.ts';

/*
 * Compares the metrics with published figures. Not compared, because of different definitions:
 * - downside risk at another target return, omega, tracking error, probabilistic Sharpe, and the days of a drawdown's
 *   recovery: not among our figures.
 * - LEAN's average win and loss rates: relative to the capital at the time.
 * - LEAN's caps of 10, and its zeros for figures that are undefined here.
 * - LEAN's drawdown and figures based on it, if trades close at the same time: LEAN takes them one by one, ours takes
 *   their sum.
 */
const read = <S extends z.ZodType>(name: string, schema: S): z.output<S> =>
  schema.parse(JSON.parse(readFileSync(new URL(`data/${name}`, import.meta.url), 'utf8')));

const seriesSchema = z.record(z.string(), z.array(z.number().nullable()));
const caseSchema = z.tuple([z.string(), z.string(), z.union([z.number(), z.string()])]);
const empyrical = read(
  'empyrical_stats.json',
  z.object({
    periods: z.record(z.string(), z.number()),
    series_percent: seriesSchema,
    cum_returns_final: z.array(z.tuple([z.string(), z.number()])),
    max_drawdown: z.array(z.tuple([z.union([z.string(), z.array(z.number())]), z.number()])),
    annual_return: z.array(caseSchema),
    annual_volatility: z.array(caseSchema),
    calmar: z.array(caseSchema),
    sharpe: z.array(caseSchema),
    sortino: z.array(caseSchema),
  }),
);

/** Returns daily equity with these returns, in decimals. */
const equityOf = (returns: readonly (number | string)[]): Decimal[] => {
  let equity = decimal(100);
  return returns.map((change) => {
    equity = equity.times(decimal(1).plus(change));
    return equity;
  });
};

const statsOf = (equity: readonly Decimal[]) => equity.reduce(addEquity, noEquity('100'));

/** Returns the statistics of trades with these results, closed one after another. */
const tradesOf = (results: readonly Decimal[]) =>
  settledTrades(
    results.reduce(
      (stats, net, index) => addTrade(stats, { net, opened_at: index, closed_at: index + 1 }),
      noTrades('100'),
    ),
  );

const fractions = (percents: readonly (number | null)[]): string[] =>
  percents.flatMap((percent) => (percent === null ? [] : decimal(percent).div(100).toFixed()));

const seriesOf = (name: string): readonly (number | null)[] => empyrical.series_percent[name] ?? [];
/** Returns a series with 0 for missing returns: empyrical counts their periods when it annualises growth. */
const withPeriods = (name: string): string[] => fractions(seriesOf(name).map((percent) => percent ?? 0));

const drawdownOf = (equity: readonly Decimal[]): number =>
  Number(tradesOf(equity.map((now, index) => now.minus(equity[index - 1] ?? 100))).drawdown_ratio);

/** Returns whether a published figure is finite; ours is null otherwise. */
const isDefined = (expected: number | string): expected is number => typeof expected === 'number';

const expectFigure = (actual: number | null, expected: number | string): void => {
  if (!isDefined(expected)) expect(actual).toBeNull();
  else expect(actual).toBeCloseTo(expected, 9);
};

/** Computes annual growth from a series of periods, given their number per year. */
const annualGrowth = (equity: readonly Decimal[], period: string): number | null => {
  const years = equity.length / (empyrical.periods[period] ?? 0);
  return growthOf(decimal(100), equity.at(-1) ?? decimal(100), years).cagr;
};

describe('empyrical', () => {
  test.each(empyrical.cum_returns_final)('total return of %s', (name, expected) => {
    const [start, last] = [decimal(100), equityOf(fractions(seriesOf(name))).at(-1) ?? decimal(100)];
    expect(growthOf(start, last, 1).total_return).toBeCloseTo(expected, 4);
  });

  test.each(empyrical.max_drawdown)('maximum drawdown of %j', (series, expected) => {
    const percents = typeof series === 'string' ? seriesOf(series) : series;
    const equity = equityOf(fractions(percents));
    // For closed trades with this balance, and for daily equity.
    expect(drawdownOf(equity)).toBeCloseTo(-expected, 12);
    expect(returnFigures(statsOf(equity), 252).drawdown).toBeCloseTo(-expected, 12);
  });

  test.each(empyrical.annual_return)('compound annual growth of %s, %s', (name, period, expected) => {
    expectFigure(annualGrowth(equityOf(withPeriods(name)), period), expected);
  });

  test.each(empyrical.calmar)('growth over drawdown of %s, %s', (name, period, expected) => {
    const equity = equityOf(withPeriods(name));
    const { drawdown } = returnFigures(statsOf(equity), empyrical.periods[period] ?? 0);
    const growth = annualGrowth(equity, period);
    expectFigure(!drawdown || growth === null ? null : growth / drawdown, expected);
  });

  test.each([
    ...empyrical.annual_volatility.map((each) => ['volatility', ...each] as const),
    ...empyrical.sharpe.map((each) => ['sharpe', ...each] as const),
    ...empyrical.sortino.map((each) => ['sortino', ...each] as const),
  ])('%s of %s, %s', (figure, name, period, expected) => {
    const stats = statsOf(equityOf(fractions(seriesOf(name))));
    expectFigure(returnFigures(stats, empyrical.periods[period] ?? 0)[figure], expected);
  });
});

const portfolio = read(
  'lean_portfolio.json',
  z.object({
    annual_variance: z.array(
      z.object({
        returns: z.array(z.number()),
        periods_per_year: z.number(),
        annual_standard_deviation: z.number(),
      }),
    ),
    win_loss: z.object({ profit_loss: z.array(z.number()), win_rate: z.number() }),
    sortino_cme: z.object({ annual_returns: z.array(z.number()), expected_4_significant_digits: z.number() }),
  }),
);

const tradeSchema = z.object({
  EntryTime: z.number(),
  ExitTime: z.number(),
  ProfitLoss: z.number(),
});
const trades = read(
  'lean_trade_statistics.json',
  z.object({
    cases: z.array(
      z.object({
        name: z.string(),
        trades: z.array(tradeSchema),
        expected: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
      }),
    ),
  }),
);

const metricsOfTrades = (list: readonly z.output<typeof tradeSchema>[]): Metrics => {
  const started_at = '2025-11-03T00:00:00Z';
  const ledger = openLedger({ started_at, starting_capital: 100_000, calendars: ['us'], symbols: [] });
  const closed = list.reduce(
    (stats, { EntryTime, ExitTime, ProfitLoss }) =>
      addTrade(stats, {
        net: decimal(ProfitLoss),
        opened_at: EntryTime * 1000,
        closed_at: ExitTime * 1000,
      }),
    noTrades('100000'),
  );
  const counted = { ...ledger, head: { ...ledger.head, trades: closed } };
  return metricsOf(counted, '2025-11-04T00:00:00Z', 'XXX-8-DIGITS');
};

describe('LEAN', () => {
  test.each(portfolio.annual_variance)('volatility at $periods_per_year periods', (given) => {
    const figures = returnFigures(statsOf(equityOf(given.returns)), given.periods_per_year);
    expect(figures.volatility).toBeCloseTo(given.annual_standard_deviation, 12);
  });

  test('the Sortino ratio of the exchange that it quotes', () => {
    const { annual_returns, expected_4_significant_digits } = portfolio.sortino_cme;
    const figures = returnFigures(statsOf(equityOf(annual_returns)), 1);
    expect(figures.sortino).toBeCloseTo(expected_4_significant_digits, 3);
  });

  test('the share of wins', () => {
    const { profit_loss, win_rate } = portfolio.win_loss;
    const list = profit_loss.map((ProfitLoss, index) => ({
      EntryTime: index,
      ExitTime: index + 1,
      ProfitLoss,
    }));
    expect(metricsOfTrades(list).win_rate_pct).toBe(win_rate * 100);
  });

  test.each(trades.cases)('statistics of trades: $name', ({ trades: list, expected }) => {
    const metrics = metricsOfTrades(list);
    const { wins, losses } = metrics;
    /** Maps their zero to null for a figure without values. */
    const of = (count: number, name: string): unknown => (count === 0 ? null : expected[name]);
    const nullable = (value: unknown) => (typeof value === 'number' ? expect.closeTo(value, 7) : value);
    expect(metrics).toMatchObject({
      trades_count: expected.TotalNumberOfTrades,
      wins: expected.NumberOfWinningTrades,
      losses: expected.NumberOfLosingTrades,
      win_rate_pct: nullable(Number(expected.WinRate) * 100),
      expectancy: nullable(expected.AverageProfitLoss),
      avg_win: nullable(of(wins, 'AverageProfit')),
      avg_loss: nullable(of(losses, 'AverageLoss')),
      largest_win: nullable(of(wins, 'LargestProfit')),
      largest_loss: nullable(of(losses, 'LargestLoss')),
      avg_duration_s: expected.AverageTradeDuration,
      max_consecutive_wins: expected.MaxConsecutiveWinningTrades,
      max_consecutive_losses: expected.MaxConsecutiveLosingTrades,
      profit_factor: nullable(of(losses, 'ProfitFactor')),
      payoff_ratio: nullable(of(wins * losses, 'ProfitLossRatio')),
    });
    const closings = new Set(list.map(({ ExitTime }) => ExitTime));
    const bySign = new Map(
      list.map(({ ExitTime, ProfitLoss }) => [`${ExitTime} ${Math.sign(ProfitLoss)}`, 0]),
    );
    if (bySign.size > closings.size) return;
    expect(metrics.max_drawdown_abs).toBeCloseTo(-Number(expected.MaximumClosedTradeDrawdown), 9);
    const hasDrawdown = expected.MaximumClosedTradeDrawdown !== 0;
    expect(metrics.recovery_factor).toEqual(hasDrawdown ? expected.ProfitToMaxDrawdownRatio : null);
  });
});
