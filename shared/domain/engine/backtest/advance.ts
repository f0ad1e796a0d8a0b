import { type BarColumns, barCount, columnsOf, firstBarFrom, readBar } from '../../candles/bars.ts';
import type { ClosedTrade } from '../account/account.ts';
import { finishAccount, needsSmaller, trade } from '../account/trade.ts';
import { COUNT } from '../group.ts';
import { at } from '../memory.ts';
import { observe } from '../observe.ts';
import { addMarks, finishCurve } from './curve/curve.ts';
import { type BacktestRun, type BacktestTrade, type Leg, MARKS } from './run.ts';
import { tallyTrade } from './tally.ts';

/** A bar that reaches a level after its open, so that smaller bars decide about its fills. */
export interface AskedBar {
  /** Position of its leg. */
  readonly leg: number;
  /** Start, open, high, low, close and volume. */
  readonly bar: Float64Array;
}

/** Returns the smaller bars of a bar; `asks` if it needs some that were not supplied. */
const smallerOf = (leg: Leg, bar: Float64Array, from: number): BarColumns | 'asks' | undefined => {
  const { supplied, program, account } = leg;
  if (!leg.hasSmaller || at(bar, 0) < from) return undefined;
  if (supplied?.start === at(bar, 0)) return supplied.bars;
  return needsSmaller(program.trading, account, bar) ? 'asks' : undefined;
};

/** Supplies the smaller bars that make up the bar which asked for them; none if no stored ones do. */
export const supplySmaller = (
  run: BacktestRun,
  { leg, bar }: AskedBar,
  bars: BarColumns | undefined,
): void => {
  const asking = run.legs[leg];
  if (asking) asking.supplied = { start: at(bar, 0), bars };
};

/** Returns the index of the first bar that a leg has not seen. */
const firstNew = ({ state }: Leg, bars: BarColumns): number => {
  const last = at(state.bar, 0);
  return Number.isNaN(last) ? 0 : firstBarFrom(bars, last + 1);
};

/** Advances a leg by a bar. Returns whether the bar is part of the result. */
const advanceLeg = (
  leg: Leg,
  bars: BarColumns,
  index: number,
  from: number,
  within?: BarColumns,
): boolean => {
  const { program, state, account } = leg;
  const { bar } = state;
  const lastClose = at(bar, 4);
  readBar(bars, index, bar);
  leg.bars += 1;
  observe(program, state);
  if (at(bar, 0) < from) return false;
  trade(program.trading, account, bar, state.observation, within);
  if (account.evaluatedFrom >= 0 && Number.isNaN(leg.base)) leg.base = lastClose;
  return true;
};

/** Returns a trade with its number. Fields are named, since spreading an object is several times slower. */
const numbered = (trade: ClosedTrade, number: number, symbol: string): BacktestTrade => ({
  number,
  symbol,
  side: trade.side,
  quantity: trade.quantity,
  entry_bar: trade.entry_bar,
  entry_at: trade.entry_at,
  entry_price: trade.entry_price,
  exit_bar: trade.exit_bar,
  exit_at: trade.exit_at,
  exit_price: trade.exit_price,
  exit_reason: trade.exit_reason,
  stop: trade.stop,
  target: trade.target,
  pnl: trade.pnl,
  fees: trade.fees,
  swap: trade.swap,
  return_pct: trade.return_pct,
  mae_pct: trade.mae_pct,
  mfe_pct: trade.mfe_pct,
});

/** Counts closed trades, in the order of closing: a bar of one symbol may book an exit before that of another one. */
const countClosed = (run: BacktestRun, ended: readonly Leg[]): void => {
  const { most_trades: most = Number.POSITIVE_INFINITY } = run.input;
  const bySymbol = ended.toSorted((left, right) => (left.symbol < right.symbol ? -1 : 1));
  const closed = bySymbol.flatMap(({ account, symbol }) =>
    account.closed.map((trade) => ({ trade, symbol })),
  );
  if (ended.length > 1) closed.sort((left, right) => left.trade.exit_at - right.trade.exit_at);
  for (const { trade, symbol } of closed) {
    tallyTrade(run.tally, trade);
    run.trades_count += 1;
    if (run.trades.length < most) run.trades.push(numbered(trade, run.trades_count, symbol));
  }
  for (const { account } of ended) account.closed.length = 0;
};

/** Takes out the trades and orders of legs that ended. */
const takeEnded = (run: BacktestRun, legs: readonly Leg[]): void => {
  const ended = legs.filter(({ account }) => account.closed.length > 0);
  if (ended.length > 0) countClosed(run, ended);
  for (const { account } of legs) {
    for (const { reason } of account.cancelled) {
      run.cancelled.set(reason, (run.cancelled.get(reason) ?? 0) + 1);
    }
    account.cancelled.length = 0;
  }
};

/** Returns the value of holding a leg: the capital as it is if its price was not above zero. */
const benchmarkOf = ({ account, base, state }: Leg): number => {
  const capital = account.settings.starting_capital;
  return base > 0 ? (capital * at(state.bar, 4)) / base : capital;
};

/** Adds the closes to the curve, except the last `kept`. */
const flushMarks = (run: BacktestRun, kept: number): void => {
  const { marks } = run;
  const count = run.marked - kept;
  if (count <= 0) return;
  addMarks(run.curve, marks, count, run.barDays);
  if (kept > 0) {
    marks.start[0] = at(marks.start, count);
    marks.equity[0] = at(marks.equity, count);
    marks.benchmark[0] = at(marks.benchmark, count);
  }
  run.marked = kept;
};

const addMark = (run: BacktestRun, start: number, equity: number, benchmark: number): void => {
  const { marks, curve, legs } = run;
  if (run.marked === MARKS) flushMarks(run, 1);
  if (Number.isNaN(curve.evaluatedAt) && legs.some(({ account }) => account.evaluatedFrom >= 0)) {
    curve.evaluatedAt = start;
  }
  const index = run.marked;
  marks.start[index] = start;
  marks.equity[index] = equity;
  marks.benchmark[index] = benchmark;
  run.marked = index + 1;
};

const advanceOne = (run: BacktestRun, leg: Leg, bars: BarColumns, from: number): AskedBar | undefined => {
  const { account, hasSmaller } = leg;
  const length = barCount(bars);
  const bar = new Float64Array(COUNT);
  for (let index = firstNew(leg, bars); index < length; index += 1) {
    let within: BarColumns | undefined;
    if (hasSmaller) {
      readBar(bars, index, bar);
      const smaller = smallerOf(leg, bar, from);
      if (smaller === 'asks') return { leg: 0, bar };
      within = smaller;
    }
    if (!advanceLeg(leg, bars, index, from, within)) continue;
    if (account.closed.length > 0 || account.cancelled.length > 0) takeEnded(run, run.legs);
    addMark(run, at(bars.start, index), account.equity, benchmarkOf(leg));
  }
  return undefined;
};

const nextStart = (slices: readonly BarColumns[], next: Int32Array): number => {
  let start = Number.POSITIVE_INFINITY;
  for (let leg = 0; leg < slices.length; leg += 1) {
    start = Math.min(start, slices[leg]?.start[next[leg] ?? 0] ?? Number.POSITIVE_INFINITY);
  }
  return start;
};

/** Notes the smaller bars of the bars that start at a moment. Returns the first bar that lacks them. */
const noteSmaller = (
  { legs }: BacktestRun,
  slices: readonly BarColumns[],
  next: Int32Array,
  within: (BarColumns | undefined)[],
  { start, from }: { readonly start: number; readonly from: number },
): AskedBar | undefined => {
  const bar = new Float64Array(COUNT);
  for (const [index, leg] of legs.entries()) {
    const bars = slices[index];
    const cursor = next[index] ?? 0;
    within[index] = undefined;
    if (!leg.hasSmaller || bars?.start[cursor] !== start) continue;
    readBar(bars, cursor, bar);
    const smaller = smallerOf(leg, bar, from);
    if (smaller === 'asks') return { leg: index, bar };
    within[index] = smaller;
  }
  return undefined;
};

/** Advances several legs in the order of time. */
const advanceMany = (run: BacktestRun, slices: readonly BarColumns[], from: number): AskedBar | undefined => {
  const { legs } = run;
  const next = Int32Array.from(legs, (leg, index) => firstNew(leg, slices[index] ?? NO_BARS));
  const within: (BarColumns | undefined)[] = [];
  const hasSmaller = legs.some((leg) => leg.hasSmaller);
  for (;;) {
    const start = nextStart(slices, next);
    if (start === Number.POSITIVE_INFINITY) return undefined;
    const asked = hasSmaller ? noteSmaller(run, slices, next, within, { start, from }) : undefined;
    if (asked) return asked;
    let isPart = false;
    let hasEnded = false;
    let equity = 0;
    let benchmark = 0;
    for (let index = 0; index < legs.length; index += 1) {
      const leg = legs[index];
      const bars = slices[index];
      if (!leg || !bars) continue;
      const cursor = next[index] ?? 0;
      if (bars.start[cursor] === start) {
        next[index] = cursor + 1;
        if (advanceLeg(leg, bars, cursor, from, within[index])) isPart = true;
        if (leg.account.closed.length > 0 || leg.account.cancelled.length > 0) hasEnded = true;
      }
      equity += leg.account.equity;
      benchmark += benchmarkOf(leg);
    }
    if (hasEnded) takeEnded(run, legs);
    if (isPart) addMark(run, start, equity, benchmark);
  }
};

const NO_BARS = columnsOf([]);

/**
 * Advances a backtest by bars that follow those before. Any division of the bars gives the same result. Bars that it has
 * seen are left out.
 *
 * @param slices bars of each leg, all of the same span of time.
 * @returns the bar before which it stopped for smaller ones, if the legs have some: supply them, and call again.
 */
export const advanceBacktest = (run: BacktestRun, slices: readonly BarColumns[]): AskedBar | undefined => {
  const from = run.input.from ?? Number.NEGATIVE_INFINITY;
  const [leg, ...others] = run.legs;
  const [bars] = slices;
  const isOne = leg && bars && others.length === 0;
  const asked = isOne ? advanceOne(run, leg, bars, from) : advanceMany(run, slices, from);
  flushMarks(run, 1);
  return asked;
};

/** Ends the accounts and adds the last bar, with the equity that the end of data left. */
export const endRun = (run: BacktestRun): void => {
  for (const leg of run.legs) {
    if (leg.account.bar === 0) continue;
    finishAccount(leg.program.trading, leg.account, leg.state.bar);
  }
  takeEnded(run, run.legs);
  if (run.marked > 0) {
    run.marks.equity[run.marked - 1] = run.legs.reduce((sum, { account }) => sum + account.equity, 0);
  }
  flushMarks(run, 0);
  finishCurve(run.curve);
};
