import { attendAll } from '../../shared/attend-all.ts';
import type { Series } from '../../shared/data/candles/series.ts';
import { SERIES_DUE } from '../../shared/data/engine/events.ts';
import { type EngineProgram, findPrograms } from '../../shared/data/engine/programs.ts';
import { noteSettled } from '../../shared/data/engine/series-in-use.ts';
import { higherThan } from '../../shared/domain/candles/closed.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { type LoadedProgram, recallOrLoad } from '../../shared/lifecycle/engine-accounts/program-memory.ts';
import { advanceProgram, ProgramGoneError } from './advance-program.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { sharedReader } from './series-reader.ts';
import { OutOfTimeError } from './serve-accounts.ts';

/** Part of the programs of a series. */
export interface SeriesPart {
  readonly symbol: string;
  /** Timeframe of the stored bars. */
  readonly source: Timeframe;
  readonly timeframe: Timeframe;
  readonly shard: number;
  /** Notes the bars as done even if nothing happened. */
  readonly settle?: boolean | undefined;
}

type Loaded = readonly [EngineProgram, LoadedProgram];

/** Result of advancing programs of a shard. */
interface Advanced {
  /** False if there was no time for all. */
  readonly isDone: boolean;
  /** False if a program or an account has yet to do its bars. */
  readonly isSettled: boolean;
  /** Errors of programs. They do not block the others. */
  readonly errors: readonly unknown[];
}

/** Advances programs of a shard. */
const advanceAll = async (
  engine: EngineRuntime,
  series: Series,
  { timeframe, settle }: SeriesPart,
  programs: readonly EngineProgram[],
): Promise<Advanced> => {
  const { loaded, failures: unread } = await recallOrLoad(engine.store, engine.memory.programs, programs);
  const nextBars = sharedReader(engine.store, series, timeframe);
  // The program that lags most reads the bars for all.
  const lagging = programs
    .flatMap((program): Loaded[] => {
      const own = loaded.get(program.program_id);
      return own ? [[program, own]] : [];
    })
    .toSorted(([, left], [, right]) => left.at - right.at);
  let isDone = true;
  let isSettled = true;
  const advance = async ([program, own]: Loaded): Promise<void> => {
    try {
      const outcome = await advanceProgram({ engine, series, loaded: own, settle }, program, nextBars);
      if (outcome === 'out_of_time') isDone = false;
      if (outcome === 'behind') isSettled = false;
    } catch (error) {
      if (error instanceof OutOfTimeError) isDone = false;
      else if (!(error instanceof ProgramGoneError)) throw error;
    }
  };
  const { done, failures } = await attendAll(lagging, advance, engine.hasTime);
  const errors = [...unread, ...failures.map(({ error }) => error)];
  isDone &&= done === lagging.length;
  return { isDone, isSettled: isSettled && isDone, errors };
};

/** Result of advancing a shard. */
interface ShardAdvanced extends Pick<Advanced, 'isSettled' | 'errors'> {
  readonly shards: number;
}

interface Spreading {
  /** Puts an event for each further shard. */
  readonly spread?: boolean;
}

const NONE: Advanced = { isDone: true, isSettled: true, errors: [] };

const advanceOne = async (
  engine: EngineRuntime,
  series: Series,
  part: SeriesPart,
  { spread = false }: Spreading = {},
): Promise<ShardAdvanced> => {
  const { symbol, timeframe, shard } = part;
  const { programs, failures, shards } = await findPrograms(engine.store, symbol, timeframe, shard);
  const others = spread ? Array.from({ length: shards - 1 }, (_, index) => index + 1) : [];
  await Promise.all(
    others.map((other) => engine.putEvent(SERIES_DUE, { version: 1, ...part, shard: other })),
  );
  const own = programs.filter(({ source }) => source === series.timeframe);
  const { isDone, isSettled, errors } = own.length === 0 ? NONE : await advanceAll(engine, series, part, own);
  if (!isDone) await engine.putEvent(SERIES_DUE, { version: 1, ...part });
  return { shards, isSettled, errors: [...failures, ...errors] };
};

/**
 * Advances the programs of a shard. Puts an event for another run if time runs out.
 *
 * @throws AggregateError for programs that could not be read or advanced, after all others were.
 */
export const advanceShard = async (
  engine: EngineRuntime,
  series: Series,
  part: SeriesPart,
  spreading?: Spreading,
): Promise<void> => {
  const { errors } = await advanceOne(engine, series, part, spreading);
  if (errors.length === 0) return;
  const programs = `programs of ${part.symbol} ${part.timeframe}`;
  throw new AggregateError(errors, `${errors.length} ${programs} could not be advanced`);
};

/**
 * Advances all programs of a series and some timeframes through the stored bars. Programs beyond the first shard are
 * left to other runs, by an event per shard.
 *
 * @param series the head of the series as it is stored now.
 * @param timeframes timeframes of which a bar has closed.
 */
export const advanceSeries = async (
  engine: EngineRuntime,
  series: Series,
  timeframes: readonly Timeframe[],
): Promise<void> => {
  const { symbol, timeframe: source } = series;
  const settled = await Promise.allSettled(
    timeframes.map((timeframe) =>
      advanceShard(engine, series, { symbol, source, timeframe, shard: 0 }, { spread: true }),
    ),
  );
  const errors = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, `programs of ${symbol} failed`);
};

/**
 * Advances all programs of a series, of all shards and timeframes.
 *
 * @returns whether all are done. Those that had no time go on by an event.
 * @throws AggregateError for programs that could not be read or advanced, after all others were.
 */
export const settlePrograms = async (engine: EngineRuntime, series: Series): Promise<boolean> => {
  const { symbol, timeframe: source } = series;
  let isSettled = true;
  const errors: unknown[] = [];
  for (const timeframe of [source, ...higherThan(source)]) {
    for (let shard = 0, shards = 1; shard < shards; shard++) {
      const part = { symbol, source, timeframe, shard, settle: true };
      const advanced = await advanceOne(engine, series, part);
      shards = advanced.shards;
      isSettled &&= advanced.isSettled;
      errors.push(...advanced.errors);
    }
  }
  if (errors.length > 0) {
    throw new AggregateError(errors, `${errors.length} programs of ${symbol} could not be advanced`);
  }
  return isSettled;
};

/** Makes sure that all programs of a series are done, and notes it. A sweep sends the event until it is noted. */
export const settleSeries = async (engine: EngineRuntime, series: Series): Promise<void> => {
  if (await settlePrograms(engine, series)) await noteSettled(engine.store, series, series.rev);
};
