import type { Series } from '../../shared/data/candles/series.ts';
import { SERIES_DUE } from '../../shared/data/engine/events.ts';
import { type EngineProgram, findPrograms } from '../../shared/data/engine/programs.ts';
import { noteSettled } from '../../shared/data/engine/series-in-use.ts';
import { higherThan } from '../../shared/domain/candles/closed.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { attendAll } from '../jobs/attend-all.ts';
import { advanceProgram, ProgramGoneError } from './advance-program.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { type LoadedProgram, recallOrLoad } from './program-memory.ts';
import { sharedReader } from './series-reader.ts';
import { OutOfTimeError } from './serve-accounts.ts';

/** Part of the programs of a series. */
export interface SeriesPart {
  readonly symbol: string;
  /** Timeframe of the stored bars. */
  readonly source: Timeframe;
  readonly timeframe: Timeframe;
  readonly shard: number;
  /** Whether to note the bars as done even if nothing happened. */
  readonly settle?: boolean | undefined;
}

type Loaded = readonly [EngineProgram, LoadedProgram];

/** Advances programs of a shard. Returns whether all are done. @throws AggregateError */
const advanceAll = async (
  engine: EngineRuntime,
  series: Series,
  { timeframe, settle }: SeriesPart,
  programs: readonly EngineProgram[],
): Promise<boolean> => {
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
  const advance = async ([program, own]: Loaded): Promise<void> => {
    try {
      if (!(await advanceProgram(engine, series, program, own, nextBars, settle))) isDone = false;
    } catch (error) {
      if (error instanceof OutOfTimeError) isDone = false;
      else if (!(error instanceof ProgramGoneError)) throw error;
    }
  };
  const { done, failures } = await attendAll(lagging, advance, engine.hasTime);
  const errors = [...unread, ...failures.map(({ error }) => error)];
  if (errors.length > 0) {
    throw new AggregateError(
      errors,
      `${errors.length} programs of ${series.symbol} ${timeframe} could not be advanced`,
    );
  }
  return isDone && done === lagging.length;
};

/**
 * Advances the programs of a shard. Puts an event for another run if time runs out.
 *
 * @param spread whether to put an event for each further shard.
 * @returns the number of shards, and whether the programs are done.
 */
export const advanceShard = async (
  engine: EngineRuntime,
  series: Series,
  part: SeriesPart,
  spread = false,
): Promise<{ readonly shards: number; readonly isDone: boolean }> => {
  const { programs, shards } = await findPrograms(engine.store, part.symbol, part.timeframe, part.shard);
  const others = spread ? Array.from({ length: shards - 1 }, (_, index) => index + 1) : [];
  await Promise.all(others.map((shard) => engine.putEvent(SERIES_DUE, { version: 1, ...part, shard })));
  const own = programs.filter(({ source }) => source === series.timeframe);
  const isDone = own.length === 0 || (await advanceAll(engine, series, part, own));
  if (!isDone) await engine.putEvent(SERIES_DUE, { version: 1, ...part });
  return { shards, isDone };
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
      advanceShard(engine, series, { symbol, source, timeframe, shard: 0 }, true),
    ),
  );
  const errors = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, `programs of ${symbol} failed`);
};

/** Makes sure that all programs of a series are done, and notes it. A sweep sends the event until it is noted. */
export const settleSeries = async (engine: EngineRuntime, series: Series): Promise<void> => {
  const { symbol, timeframe: source, rev } = series;
  let isSettled = true;
  for (const timeframe of [source, ...higherThan(source)]) {
    for (let shard = 0, shards = 1; shard < shards; shard++) {
      const part = { symbol, source, timeframe, shard, settle: true };
      const advanced = await advanceShard(engine, series, part);
      shards = advanced.shards;
      isSettled &&= advanced.isDone;
    }
  }
  if (isSettled) await noteSettled(engine.store, { symbol, timeframe: source }, rev);
};
