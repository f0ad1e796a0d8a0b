import { attendAll } from '../../../shared/attend-all.ts';
import type { Series } from '../../../shared/data/candles/series.ts';
import { type EngineProgram, findPrograms, readProgram } from '../../../shared/data/engine/programs.ts';
import { higherThan } from '../../../shared/domain/candles/closed.ts';
import type { SeriesSplit } from '../../../shared/domain/splits/split-bars.ts';
import type { Timeframe } from '../../../shared/domain/strategies/strategies.ts';
import type { Span } from '../../../shared/lifecycle/engine-accounts/advance-account.ts';
import { recallOrLoad } from '../../../shared/lifecycle/engine-accounts/program-memory.ts';
import { advanceProgram, ProgramGoneError } from '../advance-program.ts';
import type { EngineRuntime } from '../engine-runtime.ts';
import { type NextBars, sharedReader } from '../series-reader.ts';
import { OutOfTimeError, servePages } from '../serve-accounts.ts';
import type { BookedSplit } from './book-split.ts';
import { restateAccount } from './restate-account.ts';
import { restateProgram } from './restate-program.ts';

const ATTEMPTS = 2;

/** A series at a split. */
interface Splitting {
  readonly series: Series;
  /** The series once the split is done. */
  readonly after: Series;
  readonly split: BookedSplit;
}

const isDone = ({ splits = 0 }: EngineProgram, { after }: Splitting): boolean =>
  splits >= (after.splits?.length ?? 0);

/** Restates the accounts that hold something, and the books of those that have failed. Returns whether all are. */
const restateAccounts = async (
  engine: EngineRuntime,
  program: EngineProgram,
  span: Span,
  { split }: Splitting,
): Promise<boolean> => {
  const seen = new Set<number>();
  let isAll = true;
  for (const kind of ['A', 'F'] as const) {
    const served = await servePages(engine, program, {
      kind,
      end: span.end,
      seen,
      attend: async (sub) => {
        // A flat account on paper has nothing to restate. The books of one at a broker may differ.
        if (sub.kind === 'A' || (sub.kind === 'F' && (sub.error !== undefined || sub.is_live))) {
          await restateAccount(engine, span, sub, split);
        }
        return false;
      },
    });
    if (served.failures.length > 0)
      throw new AggregateError(served.failures, 'accounts could not be restated');
    isAll &&= !served.isBehind;
  }
  return isAll;
};

/** Restates a program and its accounts. Returns false if there was no time. */
const restateOne = async (
  engine: EngineRuntime,
  listed: EngineProgram,
  nextBars: NextBars,
  splitting: Splitting,
): Promise<boolean> => {
  const { series, after } = splitting;
  const { store, memory } = engine;
  const { loaded, failures } = await recallOrLoad(store, memory.programs, [listed]);
  if (failures.length > 0) throw new AggregateError(failures, 'a program could not be loaded');
  const own = loaded.get(listed.program_id);
  if (!own) return true;
  // Bars that another worker has settled, and accounts that could not be served then.
  const outcome = await advanceProgram({ engine, series, loaded: own, settle: true }, listed, nextBars);
  if (outcome === 'out_of_time') return false;
  const program = await readProgram(store, listed);
  if (!program || isDone(program, splitting)) return true;
  const { calendar } = own.stored;
  const span = { running: own.running, calendar, frames: [...own.frames], end: own.at };
  // An account that cannot be served fails at the first attempt: the second books the split only.
  for (let attempt = 1; !(await restateAccounts(engine, program, span, splitting)); attempt += 1) {
    if (attempt === ATTEMPTS) throw new Error('an account could not be restated');
  }
  return restateProgram(engine, after, program, own);
};

/** Restates the programs of a shard. Returns false if there was no time for all. */
const restateShard = async (
  engine: EngineRuntime,
  programs: readonly EngineProgram[],
  timeframe: Timeframe,
  splitting: Splitting,
): Promise<boolean> => {
  const { series } = splitting;
  const nextBars = sharedReader(engine.store, series, timeframe);
  const due = programs.filter(
    (program) => program.source === series.timeframe && !isDone(program, splitting),
  );
  let isAll = true;
  const attend = async (program: EngineProgram): Promise<void> => {
    try {
      if (!(await restateOne(engine, program, nextBars, splitting))) isAll = false;
    } catch (error) {
      if (error instanceof OutOfTimeError) isAll = false;
      else if (!(error instanceof ProgramGoneError)) throw error;
    }
  };
  const { done, failures } = await attendAll(due, attend, engine.hasTime);
  if (failures.length > 0) {
    throw new AggregateError(
      failures.map(({ error }) => error),
      `programs of ${series.symbol} ${timeframe} could not be restated`,
    );
  }
  return isAll && done === due.length;
};

/**
 * Restates the accounts and programs of a series at a split, after its last bar in old units. Safe to repeat, and for
 * several workers at once: each account and each program knows the splits that it was restated at.
 *
 * @param series its head with `split.started` set.
 * @param split `at` is the start of the first bar in new units.
 * @returns false if there was no time for all: a repeat goes on.
 * @throws AggregateError for accounts and programs that could not be restated, after all others of their shard were.
 */
export const restateSeries = async (
  runtime: EngineRuntime,
  series: Series,
  { at, units, of }: SeriesSplit,
): Promise<boolean> => {
  const engine: EngineRuntime = { ...runtime, isBeforeSplit: true };
  const { symbol, timeframe: source, bars, splits = [] } = series;
  const split = { at, units, of };
  const splitting: Splitting = {
    series,
    after: { ...series, splits: [...splits, split] },
    split: { ...split, close: bars.close.at(-1) ?? Number.NaN },
  };
  for (const timeframe of [source, ...higherThan(source)]) {
    for (let shard = 0, shards = 1; shard < shards; shard++) {
      const found = await findPrograms(engine.store, symbol, timeframe, shard);
      shards = found.shards;
      if (found.failures.length > 0) throw new AggregateError(found.failures, 'programs could not be read');
      if (!(await restateShard(engine, found.programs, timeframe, splitting))) return false;
    }
  }
  return true;
};
