import { setTimeout as sleep } from 'node:timers/promises';
import { findMatches, type Match } from '../../../shared/data/engine/matches.ts';
import {
  changeScannerRun,
  feedOf,
  findScanners,
  readableRun,
  readScannerRun,
  removeScannerRun,
  type Scanner,
  type ScannerGroup,
  type ScannerRun,
} from '../../../shared/data/engine/scanners.ts';
import type { OnDamaged } from '../../../shared/data/table/damaged-items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { higherThan } from '../../../shared/domain/candles/closed.ts';
import { INTRADAY_MS } from '../../../shared/domain/candles/timeframes.ts';
import type { Timeframe } from '../../../shared/domain/strategies/strategies.ts';
import { reportDamaged } from '../../../shared/lifecycle/report-damaged.ts';
import type { GivenWatermark } from '../bar-events.ts';
import { ENGINE } from '../report-bars.ts';
import { reportMatches, type ScanRuntime } from './report-matches.ts';

/** Time for bars that were sent before the watermark and that the bus delivers after it. */
const GRACE_MS = 2000;
/** Bars of five minutes and more close at multiples of it, in every time zone and after every session opening. */
const STEP_MS = 5 * 60_000;

/** A feed's word that all bars that start before a moment were sent, of the symbols named or of all. */
type Watermark = Pick<GivenWatermark, 'source' | 'timeframe' | 'through' | 'symbols'>;

interface Due extends ScannerGroup {
  readonly run: ScannerRun;
  readonly scanners: readonly Scanner[];
}

/** Returns whether a bar of a timeframe can have closed since the last watermark. A repeat is due again. */
const isDue = (timeframe: Timeframe, { closed, through }: ScannerRun, given: Watermark): boolean => {
  if (given.through < closed) return false;
  if (timeframe === given.timeframe || given.through <= through) return true;
  const step = Math.min(INTRADAY_MS[timeframe] ?? STEP_MS, STEP_MS);
  return Math.floor(given.through / step) > Math.floor(through / step);
};

/** Finds the scanners that a watermark concerns, by timeframe. A feed without scanners costs one call. */
const findDue = async (runtime: ScanRuntime, given: Watermark): Promise<Due[]> => {
  const { store } = runtime;
  const onDamaged: OnDamaged = (error) => reportDamaged(runtime, error, ENGINE);
  const feed = feedOf(given.timeframe, given.source);
  const timeframes = [given.timeframe, ...higherThan(given.timeframe)];
  const items = await store.getMany(
    timeframes.map((timeframe) => keys.scannerRun(timeframe, feed)),
    { consistent: true },
  );
  const found = await Promise.all(
    timeframes.map(async (timeframe, index): Promise<Due[]> => {
      const run = readableRun(items[index], onDamaged);
      if (!run || !isDue(timeframe, run, given)) return [];
      const group = { timeframe, feed };
      let isDamaged = false;
      const scanners = await findScanners(store, group, (error) => {
        isDamaged = true;
        onDamaged(error);
      });
      if (scanners.length > 0) return [{ ...group, run, scanners }];
      // A scanner that cannot be read goes on from here once it is mended.
      if (!isDamaged) await removeScannerRun(store, group, run);
      return [];
    }),
  );
  return found.flat();
};

/** Returns how far bars are closed after a watermark: one that names symbols closes all bars of the one before it. */
const closedWith = (
  run: ScannerRun,
  { through, symbols }: Watermark,
): Pick<ScannerRun, 'through' | 'closed'> => {
  const limit = symbols ? (through > run.through ? run.through : run.closed) : through;
  return { through: Math.max(run.through, through), closed: Math.max(run.closed, limit) };
};

/** Notes a watermark before matches are read, so that the writer of a later match sees that it is late. */
const announce = async (
  { store }: ScanRuntime,
  due: Due,
  given: Watermark,
): Promise<ScannerRun | undefined> => {
  let run: ScannerRun | undefined = due.run;
  while (run) {
    const next = closedWith(run, given);
    if (next.through === run.through && next.closed === run.closed) return run;
    const changed = await changeScannerRun(store, due, run, next);
    if (changed) return changed;
    run = await readScannerRun(store, due);
  }
  return undefined;
};

/** Notes that all scanners have reported the bars up to a watermark. */
const settle = async ({ store }: ScanRuntime, due: Due, before: ScannerRun): Promise<void> => {
  const { closed: done } = before;
  let run: ScannerRun | undefined = before;
  while (run && run.done < done) {
    if (await changeScannerRun(store, due, run, { done })) return;
    run = await readScannerRun(store, due);
  }
};

const runGroup = async (runtime: ScanRuntime, due: Due, given: Watermark): Promise<void> => {
  const run = await announce(runtime, due, given);
  if (!run) return;
  const named = new Set(given.symbols);
  const isComplete = ({ until, symbol }: Match): boolean => until <= run.closed || named.has(symbol);
  const range = { after: run.done, through: Math.max(run.closed, given.through) };
  const byRules = Map.groupBy(due.scanners, ({ rules_hash }) => rules_hash);
  const results = await Promise.allSettled(
    [...byRules].map(async ([rules_hash, scanners]) => {
      const scope = { rules_hash, timeframe: due.timeframe, feed: due.feed };
      const found = await findMatches(runtime.store, scope, range, {
        now: runtime.clock(),
        onDamaged: (error) => reportDamaged(runtime, error, ENGINE),
      });
      await reportMatches(runtime, due, scanners, found.filter(isComplete));
      return found.length > 0;
    }),
  );
  const errors = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, 'scanners have not run');
  if (results.some((one) => one.status === 'fulfilled' && one.value)) await settle(runtime, due, run);
};

/**
 * Runs the scanners of a feed whose bars a watermark completes: each reports the matches of its universe, once per
 * instrument and bar. Safe to repeat, and for several workers at once. Waits for bars that are on the way; a match that
 * is written after the run is late, and its writer reports it.
 *
 * @param takenAt time at which the bus took the watermark, in epoch milliseconds.
 * @param graceMs time after it for bars on the way.
 * @throws AggregateError if scanners failed. Others have run; a repeat, or the next watermark, goes on.
 */
export const runScanners = async (
  runtime: ScanRuntime,
  given: Watermark,
  takenAt: number,
  graceMs = GRACE_MS,
): Promise<void> => {
  const due = await findDue(runtime, given);
  if (due.length === 0) return;
  const left = takenAt + graceMs - runtime.clock().getTime();
  if (left > 0) await sleep(Math.min(left, graceMs));
  const settled = await Promise.allSettled(due.map((one) => runGroup(runtime, one, given)));
  const errors = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, 'scanners have not run');
};
