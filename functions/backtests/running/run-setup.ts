import { advanceRun, type ReadSmaller } from '../../../shared/domain/engine/backtest/advance-run.ts';
import {
  type CandleFacts,
  hashOfCandles,
  NO_FACTS,
} from '../../../shared/domain/engine/backtest/candle-facts.ts';
import { notesOnCandles } from '../../../shared/domain/engine/backtest/candle-notes.ts';
import {
  type BacktestReport,
  type ReportTrade,
  reportOf,
  tradeOf,
} from '../../../shared/domain/engine/backtest/report.ts';
import { finishBacktest } from '../../../shared/domain/engine/backtest/result.ts';
import { type BacktestRun, startBacktest } from '../../../shared/domain/engine/backtest/run.ts';
import {
  type BacktestSetup,
  inputOf,
  type RunOptions,
} from '../../../shared/domain/engine/backtest/setup.ts';
import type { ResolvedRules } from '../../../shared/domain/engine/rules/params.ts';
import { addFacts, barsOf, type LegBars } from './candles.ts';

/** Result of a backtest and its last trades. */
export interface Finished {
  readonly report: BacktestReport;
  readonly trades: readonly ReportTrade[];
}

/** Ends a run. Returns its report, and the trades that were not taken out before. */
export const finishRun = (
  run: BacktestRun,
  { legs }: BacktestSetup,
  facts: readonly CandleFacts[],
): Finished => {
  const result = finishBacktest(run);
  const known = legs.map(({ symbol }, index) => ({ symbol, facts: facts[index] ?? NO_FACTS }));
  const candles = { hash: hashOfCandles(known), notes: notesOnCandles(known) };
  return { report: reportOf(result, candles), trades: result.trades.map(tradeOf) };
};

/**
 * Runs a backtest over candles that were read at once.
 */
export const runSetup = async (
  setup: BacktestSetup,
  rules: ResolvedRules,
  candles: readonly (LegBars | undefined)[],
  readSmaller: ReadSmaller,
  options?: RunOptions,
): Promise<Finished> => {
  const facts = addFacts(
    setup.legs.map(() => NO_FACTS),
    setup,
    candles,
  );
  const run = startBacktest(inputOf(setup, rules, options));
  return finishRun(run, setup, await advanceRun(run, barsOf(candles), facts, readSmaller));
};
