import type { TradingDays } from '../../candles/trading-days.ts';
import type { Timeframe } from '../../strategies/strategies.ts';
import { nameOfSide } from '../account/account.ts';
import { ENGINE_VERSION } from '../version.ts';
import { endRun } from './advance.ts';
import { monthlyReturns } from './curve/days.ts';
import { benchmarkPoints, type EquityPoint, equityPoints } from './curve/points.ts';
import type { Drawdown } from './curve/state.ts';
import type { BacktestRun, BacktestTrade, Leg } from './run.ts';
import { type BacktestStatistics, statisticsOf } from './statistics.ts';
import { ambiguousBars, type BacktestWarning, warningsOf } from './warnings.ts';

const PERCENT = 100;

/** A trade that is open at the end of the data. */
interface OpenPosition {
  readonly symbol: string;
  readonly side: 'long' | 'short';
  readonly quantity: number;
  readonly entry_at: number;
  readonly entry_bar: number;
  readonly entry_price: number;
  /** NaN without one. */
  readonly stop: number;
  readonly target: number;
  /** Last close, and the result at it, after the entry's fee and swap. */
  readonly mark: number;
  readonly pnl: number;
}

/** Result of a backtest. Times are in milliseconds since the epoch; bars count from the first of the result. */
export interface BacktestResult {
  readonly engine_version: number;
  readonly bars: number;
  readonly first_bar: number | null;
  readonly last_bar: number | null;
  /** Start and index of the first evaluated bar, of the first symbol that has one. */
  readonly first_evaluated_bar: number | null;
  readonly first_evaluated_index: number | null;
  readonly statistics: BacktestStatistics | null;
  /** At most 500 points. */
  readonly equity: readonly EquityPoint[];
  /** Buying before the first evaluated bar and holding. */
  readonly benchmark: {
    readonly return_pct: number | null;
    readonly max_drawdown_pct: number;
    readonly equity: readonly { readonly at: number; readonly equity: number }[];
  };
  readonly monthly_returns: readonly { readonly month: string; readonly return_pct: number }[];
  /** The five deepest. `to` is null if the peak was not regained. */
  readonly drawdowns: readonly {
    readonly from: number;
    readonly trough: number;
    readonly to: number | null;
    readonly depth_pct: number;
  }[];
  readonly open_trades: readonly OpenPosition[];
  /** Trades that were not taken while the backtest ran. */
  readonly trades: readonly BacktestTrade[];
  readonly trades_count: number;
  readonly ruined: boolean;
  /** Orders without a fill, by reason. */
  readonly cancelled_orders: Readonly<Record<string, number>>;
  readonly warnings: readonly BacktestWarning[];
}

const openPositions = ({ account, symbol }: Leg): OpenPosition[] => {
  const { contract_size, size_step } = account.settings;
  return account.trades.map((trade) => {
    const quantity = trade.steps * size_step;
    const gross = trade.side * quantity * contract_size * (account.close - trade.entryPrice);
    return {
      symbol,
      side: nameOfSide(trade.side),
      quantity,
      entry_at: trade.entryAt,
      entry_bar: trade.entryBar,
      entry_price: trade.entryPrice,
      stop: trade.stop,
      target: trade.target,
      mark: account.close,
      pnl: gross - trade.entryFee + trade.swap,
    };
  });
};

const drawdownOf = ({ from, trough, to, depth }: Drawdown) => ({
  from,
  trough,
  to,
  depth_pct: depth * PERCENT,
});

/** Weeks of a year, for returns of weekly bars. */
const YEAR_WEEKS = 52;

const periodsPerYear = (timeframe: Timeframe, days: TradingDays): number =>
  timeframe === '1w' ? YEAR_WEEKS : days.perYear;

/** Growth of holding all symbols; null if no bar was evaluated, or no price was above zero. */
const buyAndHold = ({ curve, legs }: BacktestRun): number | null =>
  legs.every(({ base }) => !(base > 0)) ? null : curve.benchmark / curve.start - 1;

const firstEvaluated = (legs: readonly Leg[]): Leg | undefined =>
  legs
    .filter(({ account }) => account.evaluatedFrom >= 0)
    .toSorted((left, right) => left.account.evaluatedAt - right.account.evaluatedAt)[0];

/** Ends a backtest and returns its result. The run cannot go on. */
export const finishBacktest = (run: BacktestRun): BacktestResult => {
  endRun(run);
  const { curve, tally, legs, input } = run;
  const hold = buyAndHold(run);
  const evaluated = firstEvaluated(legs);
  const statistics =
    curve.bars === 0
      ? null
      : statisticsOf(curve, tally, {
          currency: input.currency,
          periodsPerYear: periodsPerYear(input.timeframe, input.days),
          exposedBars: legs.reduce((sum, { account }) => sum + account.exposedBars, 0),
          bars: legs.reduce((sum, { account }) => sum + account.bar, 0),
          buyAndHold: hold,
          ambiguousBars: ambiguousBars(run),
          resolvedBars: legs.reduce((sum, { account }) => sum + account.resolvedBars, 0),
        });
  return {
    engine_version: ENGINE_VERSION,
    bars: curve.bars,
    first_bar: curve.bars === 0 ? null : curve.firstAt,
    last_bar: curve.bars === 0 ? null : curve.lastAt,
    first_evaluated_bar: evaluated?.account.evaluatedAt ?? null,
    first_evaluated_index: evaluated?.account.evaluatedFrom ?? null,
    statistics,
    equity: equityPoints(curve),
    benchmark: {
      return_pct: hold === null ? null : hold * PERCENT,
      max_drawdown_pct: curve.benchmarkDepth * PERCENT,
      equity: benchmarkPoints(curve),
    },
    monthly_returns: monthlyReturns(curve),
    drawdowns: curve.deepest.map(drawdownOf),
    open_trades: legs.flatMap(openPositions),
    trades: run.trades,
    trades_count: run.trades_count,
    ruined: legs.every(({ account }) => account.isRuined),
    cancelled_orders: Object.fromEntries(
      [...run.cancelled].sort(([left], [right]) => (left < right ? -1 : 1)),
    ),
    warnings: warningsOf(run),
  };
};
