import { asBacktest, type Backtest } from '../../../shared/data/backtests/backtests.ts';
import {
  readState,
  StateTooLargeError,
  stateRemovals,
  stateWrites,
} from '../../../shared/data/backtests/job-state.ts';
import { eventWrite } from '../../../shared/data/backtests/jobs.ts';
import {
  ending,
  handOver,
  type Lease,
  LeaseLostError,
  renewal,
  takeLease,
  writeHeld,
} from '../../../shared/data/backtests/leases.ts';
import { reportWrite, setupIn } from '../../../shared/data/backtests/results.ts';
import { TRADES_PER_CHUNK, tradeChunks } from '../../../shared/data/backtests/trades.ts';
import { settleJob } from '../../../shared/data/backtests/work-budget.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { barCount } from '../../../shared/domain/candles/bars.ts';
import { advanceRun } from '../../../shared/domain/engine/backtest/advance-run.ts';
import { type ReportTrade, tradeOf } from '../../../shared/domain/engine/backtest/report.ts';
import { takeTrades } from '../../../shared/domain/engine/backtest/run.ts';
import { saveBacktest } from '../../../shared/domain/engine/backtest/saved-run.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import { storedRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
import { textId } from '../../../shared/ids.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import { addFacts, barsOf, readLegs } from '../running/candles.ts';
import { finishRun } from '../running/run-setup.ts';
import { MAX_LISTED, sliceEnd } from '../running/slices.ts';
import { smallerReader } from '../running/smaller-reader.ts';
import { workPerBar } from '../setup/setup.ts';
import { endedEventWrites } from '../storing/ended-event.ts';
import { summaryOf } from '../storing/store.ts';
import { JobFailedError, MAX_ATTEMPTS } from './attempts.ts';
import { beginOrGoOn, endOf, type Progress, shareDone } from './backtest-progress.ts';
import { readSeries } from './read-series.ts';

/** Time between two saves, in milliseconds. */
const SAVE_MS = 10_000;

interface Job {
  readonly runtime: Runtime;
  readonly lease: Lease;
  readonly backtest: Backtest;
  readonly setup: BacktestSetup;
}

/** Takes the trades out of the run, and leaves out those beyond the limit. */
const collectTrades = (progress: Progress, ended: readonly ReportTrade[]): void => {
  const room = Math.max(0, MAX_LISTED - progress.stored - progress.waiting.length);
  for (const trade of ended.slice(0, room)) progress.waiting.push(trade);
};

/** Stores the trades that fill chunks. They are the same however often they are stored. */
const storeChunks = async ({ runtime: { store }, backtest }: Job, progress: Progress): Promise<void> => {
  const full = progress.waiting.length - (progress.waiting.length % TRADES_PER_CHUNK);
  if (full === 0) return;
  const first = progress.stored / TRADES_PER_CHUNK;
  const trades = progress.waiting.splice(0, full);
  const chunks = tradeChunks(backtest.backtest_id, progress.start, trades, first);
  await store.batchWrite(chunks.map((put) => ({ put })));
  progress.stored += full;
};

/** Saves the state, and renews the lease or hands the rest over to another worker. */
const save = async (job: Job, progress: Progress, then: 'go_on' | 'hand_over'): Promise<void> => {
  const { runtime, lease, backtest, setup } = job;
  await storeChunks(job, progress);
  const { run, start, from, parts, ...state } = progress;
  const writes = stateWrites(backtest.backtest_id, { ...state, run: saveBacktest(run) }, parts);
  const fields = {
    progress: shareDone(setup, progress),
    trades: progress.stored,
    start,
    state_parts: writes.length,
  };
  const now = runtime.clock();
  await writeHeld(runtime.store, [
    ...writes,
    ...(then === 'hand_over'
      ? [
          handOver(lease, { ...fields, ...(state.next > from && { attempts: 0 }) }, now),
          eventWrite(backtest.backtest_id, textId(runtime.random), now),
        ]
      : [renewal(lease, fields, now)]),
  ]);
  progress.parts = fields.state_parts;
};

const finish = async (job: Job, progress: Progress): Promise<void> => {
  const { runtime, lease, backtest, setup } = job;
  const { report, trades } = finishRun(progress.run, setup, progress.facts);
  collectTrades(progress, trades);
  await storeChunks(job, progress);
  const last = progress.stored / TRADES_PER_CHUNK;
  const leftOut = progress.run.trades_count - progress.stored - progress.waiting.length;
  const notices: Backtest['notices'] =
    leftOut === 0
      ? []
      : [
          {
            code: 'trades_left_out',
            message: `The list of trades ends after ${MAX_LISTED}; the figures count all.`,
            count: leftOut,
          },
        ];
  await writeHeld(runtime.store, [
    reportWrite(backtest.backtest_id, report),
    ...tradeChunks(backtest.backtest_id, progress.start, progress.waiting, last).map((put) => ({ put })),
    ...stateRemovals(backtest.backtest_id, progress.parts),
    ending(lease, {
      status: 'done',
      progress: 1,
      finished_at: runtime.clock().toISOString(),
      summary: summaryOf(report),
      trades: progress.stored + progress.waiting.length,
      start: progress.start,
      notices: [...backtest.notices, ...notices],
      state_parts: undefined,
    }),
    ...endedEventWrites(runtime, backtest, { status: 'done', now: runtime.clock() }),
  ]);
  const source = backtest.charge?.source ?? 0;
  await settleJob(runtime.store, backtest, Math.ceil(progress.ran + source));
};

const fail = async ({ runtime, lease, backtest }: Omit<Job, 'setup'>, error: string): Promise<void> => {
  const now = runtime.clock();
  await writeHeld(runtime.store, [
    ending(lease, { status: 'failed', error, finished_at: now.toISOString() }),
    ...endedEventWrites(runtime, backtest, { status: 'failed', error, now }),
  ]);
};

/** Runs slices until the candles end, or until there is no time for another one. */
const runSlices = async (job: Job, hasTime: () => boolean): Promise<void> => {
  const { runtime, backtest, setup } = job;
  const { store, clock } = runtime;
  const [series, state] = await Promise.all([
    readSeries(store, setup, 'backtest'),
    readState(store, backtest.backtest_id, backtest.state_parts ?? 0),
  ]);
  const progress = beginOrGoOn(setup, series, state, backtest);
  const end = endOf(setup);
  const perBar = workPerBar(storedRules(setup));
  const tally = { bars: 0 };
  const readSmaller = smallerReader(store, setup, { tally: tally });
  let savedAt = clock().getTime();
  while (progress.next < end) {
    if (!hasTime()) return save(job, progress, 'hand_over');
    const to = sliceEnd(setup, progress.next);
    const candles = await readLegs(store, setup, series, { from: progress.next, to });
    const facts = addFacts(progress.facts, setup, candles);
    const bars = barsOf(candles);
    const before = tally.bars;
    progress.facts = await advanceRun(progress.run, bars, facts, readSmaller);
    progress.ran += bars.reduce((sum, leg) => sum + barCount(leg), 0) * perBar + tally.bars - before;
    collectTrades(progress, takeTrades(progress.run).map(tradeOf));
    progress.next = to;
    if (clock().getTime() - savedAt >= SAVE_MS) {
      await save(job, progress, 'go_on');
      savedAt = clock().getTime();
    }
  }
  await finish(job, progress);
};

const FAILED_OFTEN =
  'The backtest could not be finished. Run it again, over a shorter range or with fewer symbols.';

/** Returns why a backtest failed, for its owner; undefined if another attempt may finish it. */
const reasonOf = (error: unknown): string | undefined => {
  if (error instanceof JobFailedError) return error.message;
  if (error instanceof StateTooLargeError) {
    return 'The rules look back too far for so many bars. Use fewer symbols or shorter lengths.';
  }
  return undefined;
};

/**
 * Runs a queued backtest, or goes on with one, from its last saved state. No-op if another worker has it or if it is
 * over. Saves the state every ten seconds, and before the function's time is over.
 *
 * @param hasTime whether there is time for another slice.
 */
export const workOnBacktest = async (
  runtime: Runtime,
  backtestId: number,
  hasTime: () => boolean,
): Promise<void> => {
  const { store, clock, random, log } = runtime;
  const lease = { key: keys.backtest(backtestId), holder: textId(random) };
  const backtest = asBacktest(await takeLease(store, lease, clock()));
  if (!backtest) return;
  try {
    if ((backtest.attempts ?? 0) > MAX_ATTEMPTS) throw new JobFailedError(FAILED_OFTEN);
    const [setupItem] = await store.getMany([keys.backtestSetup(backtestId)], { consistent: true });
    if (!setupItem) throw new JobFailedError(FAILED_OFTEN);
    await runSlices({ runtime, lease, backtest, setup: setupIn(setupItem) }, hasTime);
  } catch (error) {
    if (error instanceof LeaseLostError) {
      log.warn('a backtest was taken over', { backtest_id: backtestId });
      return;
    }
    const reason = reasonOf(error);
    if (reason === undefined) {
      // Without the lease, the retry of the event goes on at once.
      await writeHeld(store, [handOver(lease, {}, clock())]).catch((more: unknown) => {
        throw new AggregateError([error, more], 'a backtest failed, and its lease could not be returned');
      });
      throw error;
    }
    await fail({ runtime, lease, backtest }, reason);
  }
};
