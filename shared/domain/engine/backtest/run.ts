import type { BarColumns } from '../../candles/bars.ts';
import { type BarDays, barDaysOf, type TradingDays } from '../../candles/trading-days.ts';
import type { Timeframe } from '../../strategies/strategies.ts';
import { type Account, type CancelReason, type ClosedTrade, openAccount } from '../account/account.ts';
import type { AccountSettings } from '../account/settings.ts';
import { compile, type Program } from '../compile.ts';
import type { MarketTime } from '../market-time.ts';
import { newState, type ProgramState } from '../observe.ts';
import type { ResolvedRules } from '../rules/params.ts';
import { CURVE_POINTS, type Curve, type Marks, newCurve } from './curve/state.ts';
import { type LegCosts, type LegFields, settingsOf } from './leg-settings.ts';
import { newTally, type Tally } from './tally.ts';

/** A symbol of a backtest. */
export interface BacktestLeg {
  readonly symbol: string;
  /** Part of the starting capital; the parts sum up to 1. */
  readonly share: number;
  /** Time of the symbol's exchange. */
  readonly time: MarketTime;
  readonly size_step: number;
  readonly contract_size: number;
  readonly direction: AccountSettings['direction'];
  /** True if the caller has smaller bars, to decide about fills within a bar. Absent: none are asked for. */
  readonly hasSmaller?: boolean;
  /** Terms of swap; absent: none is charged. */
  readonly swap?: NonNullable<AccountSettings['swap']>;
  /** Terms of its own; absent: those of the account. */
  readonly costs?: LegCosts;
}

/** Everything that decides a backtest, except its bars. */
export interface BacktestInput {
  readonly rules: ResolvedRules;
  readonly timeframe: Timeframe;
  /** Terms of the account. The starting capital is that of all legs together. */
  readonly account: Omit<AccountSettings, LegFields>;
  readonly currency: string;
  readonly legs: readonly BacktestLeg[];
  /** Start of the first bar that may be evaluated. Bars before it warm indicators up and are not part of the result. */
  readonly from?: number;
  /** Trading days of the account. */
  readonly days: TradingDays;
  /** Points of the equity curve: at most 500, or every bar. */
  readonly curve?: 'thinned' | 'every_bar';
  /** Trades that are kept until they are taken out; more are only counted. Absent: all are kept. */
  readonly most_trades?: number;
}

export interface BacktestTrade extends ClosedTrade {
  readonly number: number;
  readonly symbol: string;
}

/** Smaller bars that make up a bar; none if no stored ones do. */
interface SuppliedBars {
  readonly start: number;
  readonly bars: BarColumns | undefined;
}

export interface Leg {
  readonly symbol: string;
  readonly program: Program;
  state: ProgramState;
  account: Account;
  /** Bars of the leg, those of the warm-up included. */
  bars: number;
  /** Close from which holding is counted; NaN until a bar is evaluated. */
  base: number;
  readonly hasSmaller: boolean;
  /** Smaller bars of the bar that asked for them. */
  supplied: SuppliedBars | undefined;
}

/** A backtest that runs. Changed in place. */
export interface BacktestRun {
  readonly input: BacktestInput;
  readonly legs: readonly Leg[];
  readonly barDays: BarDays;
  curve: Curve;
  tally: Tally;
  /** Closes that are not in the curve yet. The last one always is held back: the end of data may change it. */
  readonly marks: Marks;
  marked: number;
  /** Trades since they were last taken. */
  trades: BacktestTrade[];
  trades_count: number;
  readonly cancelled: Map<CancelReason, number>;
}

/** Closes that go into the curve together: a loop over them is faster than a call for each. */
export const MARKS = 256;

/** Programs of the rules by the time of the exchange. Runs of the same rules and timeframe can share them. */
export type Programs = Map<MarketTime, Program>;

/**
 * Begins a backtest.
 *
 * @param programs compiled before for the same rules and timeframe; further ones are added.
 * @throws RangeError for an operand of a timeframe smaller than the backtest's.
 */
export const startBacktest = (input: BacktestInput, programs: Programs = new Map()): BacktestRun => {
  const programFor = (time: MarketTime): Program => {
    const program = programs.get(time) ?? compile(input.rules, input.timeframe, time);
    programs.set(time, program);
    return program;
  };
  const legs = input.legs.map((leg): Leg => {
    const program = programFor(leg.time);
    return {
      symbol: leg.symbol,
      program,
      state: newState(program),
      account: openAccount(settingsOf(input, leg), program.trading.runs.length),
      bars: 0,
      base: Number.NaN,
      hasSmaller: leg.hasSmaller === true,
      supplied: undefined,
    };
  });
  // The sum of the rounded shares: a total that differs by rounding would be a drawdown.
  const capital = legs.reduce((sum, { account }) => sum + account.settings.starting_capital, 0);
  return {
    input,
    legs,
    barDays: barDaysOf(input.days, input.timeframe),
    curve: newCurve(capital, input.curve === 'every_bar' ? Number.POSITIVE_INFINITY : CURVE_POINTS),
    tally: newTally(capital),
    marks: {
      start: new Float64Array(MARKS),
      equity: new Float64Array(MARKS),
      benchmark: new Float64Array(MARKS),
      peak: new Float64Array(MARKS),
    },
    marked: 0,
    trades: [],
    trades_count: 0,
    cancelled: new Map(),
  };
};

/** Takes out the trades that ended since the last call, for storing them while the backtest runs. */
export const takeTrades = (run: BacktestRun): BacktestTrade[] => {
  const { trades } = run;
  run.trades = [];
  return trades;
};
