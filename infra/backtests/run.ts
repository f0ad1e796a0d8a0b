import type { Subject } from '../../functions/backtests/forms/body.ts';
import { type Finished, runSetup } from '../../functions/backtests/running/run-setup.ts';
import { type BarColumns, barCount, firstBarFrom, sliceBars } from '../../shared/domain/candles/bars.ts';
import { coveringBars, type SmallerSeries } from '../../shared/domain/candles/covering.ts';
import type { ReadSmaller } from '../../shared/domain/engine/backtest/advance-run.ts';
import { makeSetup } from '../../shared/domain/engine/backtest/make-setup.ts';
import type { BacktestSetup } from '../../shared/domain/engine/backtest/setup.ts';
import { warmUpOf } from '../../shared/domain/engine/backtest/warm-up.ts';
import { type ResolvedRules, resolveParams } from '../../shared/domain/engine/rules/params.ts';
import { rulesHash } from '../../shared/domain/engine/rules/rules-hash.ts';
import type { Rules } from '../../shared/domain/engine/rules/shape.ts';
import { misfitTimeframes } from '../../shared/domain/engine/rules/timeframes.ts';
import { UsageError } from '../commands/command-line.ts';
import type { Market } from './market.ts';
import { placed } from './read-json.ts';

/** A backtest on the candles of a file. */
interface Task {
  readonly rules: Rules;
  readonly params: Readonly<Record<string, number>>;
  readonly account: Subject['account'];
  readonly market: Market;
  readonly bars: BarColumns;
  /** Smaller candles that decide about fills within a candle. */
  readonly smaller?: SmallerSeries | undefined;
  /** Milliseconds since the epoch: first candle that may be evaluated, and end of the candles. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Names for messages. */
  readonly rulesFile: string;
  readonly candlesFile: string;
}

const resolved = ({ rules, params, rulesFile, market: { timeframe } }: Task): ResolvedRules => {
  const misfits = misfitTimeframes(rules, timeframe).map(
    (path) =>
      `${rulesFile}: ${placed(path, `the timeframe is no multiple of the candles', which is ${timeframe}`)}`,
  );
  if (misfits.length > 0) throw new UsageError(misfits.join('\n'));
  const result = resolveParams(rules, params);
  if ('rules' in result) return result.rules;
  throw new UsageError(
    result.problems
      .map(
        ({ in: part, path, message }) =>
          `${part === 'params' ? '--params' : `${rulesFile}:`} ${placed(path, message)}`,
      )
      .join('\n'),
  );
};

/** Returns the candles to read: those of the range, and those that warm the indicators up. */
const candlesOf = ({ bars, from, to, market, candlesFile }: Task, rules: ResolvedRules): BarColumns => {
  const end = to === undefined ? barCount(bars) : firstBarFrom(bars, to);
  const first = from === undefined ? 0 : firstBarFrom(bars, from);
  if (barCount(bars) === 0) throw new UsageError(`${candlesFile} has no candles.`);
  if (first >= end) throw new UsageError(`${candlesFile} has no candles in this range.`);
  const start = from === undefined ? 0 : firstBarFrom(bars, from - warmUpOf(rules, market.timeframe));
  return sliceBars(bars, start, end);
};

const setupOf = (task: Task, rules: ResolvedRules, bars: BarColumns): BacktestSetup => {
  const { account, market, params, from, smaller } = task;
  const { instrument, calendar, symbol, timeframe, assetClass } = market;
  const to = (bars.start.at(-1) ?? 0) + 1;
  return makeSetup({
    rules: task.rules,
    resolved: rules,
    params,
    timeframe,
    markets: [
      {
        symbol,
        source: timeframe,
        calendar: calendar.id,
        asset_class: assetClass,
        instrument,
        to,
        ...(smaller && { smaller: [smaller.timeframe] }),
      },
    ],
    strategy: undefined,
    account,
    from,
    read_from: bars.start[0] ?? 0,
  });
};

/** Result of a backtest on the candles of a file. */
interface FileBacktest extends Finished {
  readonly sentence: string;
  readonly rulesHash: string;
}

/** Runs a backtest as `/run_backtest` does on the same candles. @throws UsageError */
export const runOnCandles = async (task: Task): Promise<FileBacktest> => {
  const rules = resolved(task);
  const bars = candlesOf(task, rules);
  const setup = setupOf(task, rules, bars);
  const { smaller } = task;
  const readSmaller: ReadSmaller = async ({ bar }) =>
    smaller && coveringBars({ ...task.market, bar }, smaller);
  return {
    ...(await runSetup(setup, rules, [{ bars }], readSmaller)),
    sentence: setup.sentence,
    rulesHash: rulesHash(task.rules),
  };
};
