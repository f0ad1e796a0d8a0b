import {
  sweepEnding,
  sweepEventWrite,
  unfinishedCheck,
  writeUnlessOver,
} from '../../../shared/data/backtests/sweep-jobs.ts';
import {
  beginSlice,
  findDoneSlices,
  leaveSlice,
  readSlices,
  storeSlice,
} from '../../../shared/data/backtests/sweep-slices.ts';
import {
  asSweep,
  isUnfinished,
  outcomeWrite,
  type Sweep,
  sweepSetupIn,
} from '../../../shared/data/backtests/sweeps.ts';
import { settleJob } from '../../../shared/data/backtests/work-budget.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { hashOfCandles, NO_FACTS } from '../../../shared/domain/engine/backtest/candle-facts.ts';
import { notesOnCandles } from '../../../shared/domain/engine/backtest/candle-notes.ts';
import { rankFigure } from '../../../shared/domain/engine/sweep/figures.ts';
import { combinationAt } from '../../../shared/domain/engine/sweep/grid.ts';
import {
  joinSlices,
  MixedSlicesError,
  outcomeOf,
  type SliceResult,
  type SweepOutcome,
} from '../../../shared/domain/engine/sweep/join.ts';
import type { SweepSetup } from '../../../shared/domain/engine/sweep/setup.ts';
import { combinationsIn, divideSlices, type SliceRange } from '../../../shared/domain/engine/sweep/slices.ts';
import { tryCombinations } from '../../../shared/domain/engine/sweep/try-combinations.ts';
import { ENGINE_VERSION } from '../../../shared/domain/engine/version.ts';
import { textId } from '../../../shared/ids.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import { addFacts, barsOf, readLegs } from '../running/candles.ts';
import { JobFailedError, MAX_ATTEMPTS } from './attempts.ts';
import { readSeries } from './read-series.ts';

/** The most events that a worker sends to divide a range. */
const MAX_EVENTS = 50;

const FAILED_OFTEN =
  'The sweep could not be finished. Run it again, over a shorter range or with fewer symbols.';
const MIXED = 'The candles or the engine changed while the sweep ran. Run it again.';

interface Job {
  readonly runtime: Runtime;
  readonly sweep: Sweep;
  readonly setup: SweepSetup;
}

/** Sends events for the slices of a range that are not done. Returns whether there are any. */
const divide = async ({ runtime, sweep }: Job, range: SliceRange): Promise<boolean> => {
  const { store, random, clock } = runtime;
  const { sweep_id: id } = sweep;
  const done = sweep.slices_done === 0 ? new Set<number>() : await findDoneSlices(store, id);
  const ranges = divideSlices(range, (slice) => done.has(slice), MAX_EVENTS);
  if (ranges.length === 0) return false;
  const now = clock();
  await writeUnlessOver(store, [
    unfinishedCheck(id),
    ...ranges.map((one) => sweepEventWrite(id, one, textId(random), now)),
  ]);
  return true;
};

/** Computes and stores a slice. The candles are read once. */
const computeSlice = async (
  { runtime: { store, clock }, sweep, setup }: Job,
  slice: number,
): Promise<void> => {
  const { base } = setup;
  const candles = await readLegs(store, base, await readSeries(store, base, 'sweep'));
  const facts = addFacts(
    base.legs.map(() => NO_FACTS),
    base,
    candles,
  );
  const known = base.legs.map(({ symbol }, index) => ({ symbol, facts: facts[index] ?? NO_FACTS }));
  const result: SliceResult = {
    engine_version: ENGINE_VERSION,
    candles_hash: hashOfCandles(known),
    notes: notesOnCandles(known),
    tried: tryCombinations(setup, barsOf(candles), combinationsIn(setup, slice)),
  };
  await storeSlice(store, sweep.sweep_id, slice, result, clock());
};

/** Takes up a slice; no-op if it is done or another worker has it. */
const runSlice = async (job: Job, slice: number): Promise<void> => {
  const { store, clock } = job.runtime;
  const { sweep_id: id } = job.sweep;
  const attempts = await beginSlice(store, id, slice, clock());
  if (attempts === undefined) return;
  if (attempts > MAX_ATTEMPTS) throw new JobFailedError(FAILED_OFTEN);
  try {
    await computeSlice(job, slice);
  } catch (error) {
    // Without the lease, the retry of the event goes on at once.
    await leaveSlice(store, id, slice).catch((more: unknown) => {
      throw new AggregateError([error, more], 'a slice failed, and its lease could not be returned');
    });
    throw error;
  }
};

/** Returns the best combination with the figures that it is ranked by. */
const summaryOf = ({ best: [first] }: SweepOutcome, { axes, rank_by }: SweepSetup): Sweep['summary'] =>
  first
    ? {
        params: combinationAt(axes, first.number),
        in_sample: rankFigure(first.in_sample, rank_by),
        out_of_sample: rankFigure(first.out_of_sample, rank_by),
      }
    : null;

/** Joins the slices if all are done. Workers may do it at once or again: the sweep ends once. */
const joinIfDone = async ({ runtime, sweep: { sweep_id: id }, setup }: Job): Promise<void> => {
  const { store, clock } = runtime;
  const [item] = await store.getMany([keys.sweep(id)], { consistent: true });
  const sweep = asSweep(item);
  if (!sweep || !isUnfinished(sweep) || sweep.slices_done < sweep.slices) return;
  const [first, ...others] = await readSlices(store, id, sweep.slices);
  if (!first) throw new Error('a sweep has no slices');
  const outcome = outcomeOf(joinSlices(first, ...others), setup.rank_by);
  await writeUnlessOver(store, [
    outcomeWrite(id, outcome),
    sweepEnding(id, {
      status: 'done',
      finished_at: clock().toISOString(),
      summary: summaryOf(outcome, setup),
    }),
  ]);
};

const reasonOf = (error: unknown): string | undefined => {
  if (error instanceof JobFailedError) return error.message;
  return error instanceof MixedSlicesError ? MIXED : undefined;
};

/**
 * Takes up slices of a sweep: computes a single one, or sends events for several. The worker that finds all slices done
 * joins them. No-op for a sweep that is over.
 */
export const workOnSweep = async (runtime: Runtime, sweepId: number, range: SliceRange): Promise<void> => {
  const { store, clock } = runtime;
  const [item, setupItem] = await store.getMany([keys.sweep(sweepId), keys.sweepSetup(sweepId)], {
    consistent: true,
  });
  const sweep = asSweep(item);
  if (!sweep || !setupItem || !isUnfinished(sweep)) return;
  const job = { runtime, sweep, setup: sweepSetupIn(setupItem) };
  try {
    if (range.to - range.from > 1 && (await divide(job, range))) return;
    if (range.to - range.from === 1) await runSlice(job, range.from);
    await joinIfDone(job);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const fields = { status: 'failed', error: reason, finished_at: clock().toISOString() } as const;
    if (!(await writeUnlessOver(store, [sweepEnding(sweepId, fields)]))) return;
    // The slices that were not done cost nothing.
    await settleJob(store, sweep, Math.ceil((sweep.work * sweep.slices_done) / sweep.slices));
  }
};
