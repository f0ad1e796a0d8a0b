import { type BarColumns, barCount } from '../../candles/bars.ts';
import type { ClosedTrade } from '../account/account.ts';
import { finishAccount, trade } from '../account/trade.ts';
import { at } from '../memory.ts';
import { observe } from '../observe.ts';
import { addMarks, finishCurve } from './curve/curve.ts';
import { type BacktestRun, type BacktestTrade, type Leg, MARKS } from './run.ts';
import { tallyTrade } from './tally.ts';

/** Advances a leg by a bar. Returns whether the bar is part of the result. */
const advanceLeg = (run: BacktestRun, leg: Leg, bars: BarColumns, index: number, from: number): boolean => {
  const { program, state, account } = leg;
  const { bar } = state;
  const lastClose = at(bar, 4);
  bar[0] = at(bars.start, index);
  bar[1] = at(bars.open, index);
  bar[2] = at(bars.high, index);
  bar[3] = at(bars.low, index);
  bar[4] = at(bars.close, index);
  bar[5] = at(bars.volume, index);
  leg.bars += 1;
  observe(program, state);
  if (at(bar, 0) < from) return false;
  trade(program.trading, account, bar, state.observation);
  if (account.evaluatedFrom >= 0 && Number.isNaN(leg.base)) {
    leg.base = lastClose;
    if (Number.isNaN(run.curve.evaluatedAt)) run.curve.evaluatedAt = at(bar, 0);
  }
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
  pnl: trade.pnl,
  fees: trade.fees,
  swap: trade.swap,
  return_pct: trade.return_pct,
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
  const { marks } = run;
  if (run.marked === MARKS) flushMarks(run, 1);
  const index = run.marked;
  marks.start[index] = start;
  marks.equity[index] = equity;
  marks.benchmark[index] = benchmark;
  run.marked = index + 1;
};

const advanceOne = (run: BacktestRun, leg: Leg, bars: BarColumns, from: number): void => {
  const { account } = leg;
  const length = barCount(bars);
  for (let index = 0; index < length; index += 1) {
    if (!advanceLeg(run, leg, bars, index, from)) continue;
    if (account.closed.length > 0 || account.cancelled.length > 0) takeEnded(run, run.legs);
    addMark(run, at(bars.start, index), account.equity, benchmarkOf(leg));
  }
};

const nextStart = (slices: readonly BarColumns[], next: Int32Array): number => {
  let start = Number.POSITIVE_INFINITY;
  for (let leg = 0; leg < slices.length; leg += 1) {
    start = Math.min(start, slices[leg]?.start[next[leg] ?? 0] ?? Number.POSITIVE_INFINITY);
  }
  return start;
};

/** Advances several legs in the order of time. */
const advanceMany = (run: BacktestRun, slices: readonly BarColumns[], from: number): void => {
  const { legs } = run;
  const next = new Int32Array(legs.length);
  for (;;) {
    const start = nextStart(slices, next);
    if (start === Number.POSITIVE_INFINITY) return;
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
        if (advanceLeg(run, leg, bars, cursor, from)) isPart = true;
        if (leg.account.closed.length > 0 || leg.account.cancelled.length > 0) hasEnded = true;
      }
      equity += leg.account.equity;
      benchmark += benchmarkOf(leg);
    }
    if (hasEnded) takeEnded(run, legs);
    if (isPart) addMark(run, start, equity, benchmark);
  }
};

/**
 * Advances a backtest by bars that follow those before. Any division of the bars gives the same result.
 *
 * @param slices bars of each leg, all of the same span of time.
 */
export const advanceBacktest = (run: BacktestRun, slices: readonly BarColumns[]): void => {
  const from = run.input.from ?? Number.NEGATIVE_INFINITY;
  const [leg, ...others] = run.legs;
  const [bars] = slices;
  if (leg && bars && others.length === 0) advanceOne(run, leg, bars, from);
  else advanceMany(run, slices, from);
  flushMarks(run, 1);
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
