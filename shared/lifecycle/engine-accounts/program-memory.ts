import type { EngineProgram } from '../../data/engine/programs.ts';
import { asStoredProgram, type StoredProgram } from '../../data/engine/states.ts';
import { keys } from '../../data/table/keys.ts';
import type { Store } from '../../data/table/store.ts';
import { type BarColumns, barCount } from '../../domain/candles/bars.ts';
import { calendarById } from '../../domain/candles/calendar.ts';
import { type MarketTime, marketTimeOf } from '../../domain/engine/market-time.ts';
import { resolvedRulesOf } from '../../domain/engine/rules/stored-resolved.ts';
import { type Frames, observeBars } from '../../domain/engine/running/frames.ts';
import {
  type RunningProgram,
  restoreProgram,
  startProgram,
} from '../../domain/engine/running/running-program.ts';

/** Programs that a container keeps; some tens of megabytes. */
const MAX_PROGRAMS = 2000;
/** Observations of single bars that a container keeps for accounts; some hundred megabytes, at about 3 KB each. */
const MAX_FRAMES = 60_000;

/** A program in the memory of a container. Changed in place. Its state is a function of its bars. */
export interface LoadedProgram {
  readonly stored: StoredProgram;
  readonly running: RunningProgram;
  /** Start of the last observed bar. */
  at: number;
  /** Observations of the bars after the saved state, from which accounts catch up. */
  frames: Frames[];
  /** Index of the first bar after the saved state. */
  saved_index: number;
  /** Start of the bar up to which this container has done all work. */
  done_at: number;
}

const times = new Map<string, MarketTime>();

const timeOf = (calendar: string): MarketTime => {
  const time = times.get(calendar) ?? marketTimeOf(calendarById(calendar));
  times.set(calendar, time);
  return time;
};

const runningOf = ({ timeframe, calendar, program, state_at, from }: StoredProgram) => {
  const rules = resolvedRulesOf(program.rules);
  const time = timeOf(calendar);
  return program.saved === ''
    ? { running: startProgram(rules, timeframe, time), at: from - 1 }
    : { running: restoreProgram(rules, timeframe, time, program.saved), at: state_at };
};

/** Returns a program from its stored state. */
export const loadProgram = (stored: StoredProgram): LoadedProgram => {
  const { running, at } = runningOf(stored);
  return { stored, running, at, frames: [], saved_index: running.index, done_at: at };
};

/**
 * Advances a program by bars that follow its last one. Bars that it has seen are left out.
 *
 * @param keepAfter start of the last bar whose observation no account needs.
 */
export const observeNext = (loaded: LoadedProgram, bars: BarColumns, keepAfter: number): void => {
  const frames = observeBars(loaded.running, bars);
  const last = frames.bars.start.at(-1);
  if (last === undefined) return;
  loaded.at = last;
  if (last > keepAfter) loaded.frames.push(frames);
  else loaded.saved_index = loaded.running.index;
};

/** Drops the observations up to the last bar of the saved state. */
export const dropFrames = (loaded: LoadedProgram, savedAt: number): void => {
  const kept = loaded.frames.filter(({ bars }) => (bars.start.at(-1) ?? 0) > savedAt);
  const dropped = loaded.frames.at(loaded.frames.length - kept.length - 1);
  if (kept.length === loaded.frames.length || !dropped) return;
  loaded.saved_index = dropped.first + barCount(dropped.bars);
  loaded.frames = kept;
};

/** Keeps the programs that a container has loaded. They need no check: their state is a function of their bars. */
export class ProgramMemory {
  readonly #known = new Map<string, LoadedProgram>();

  /** Returns a program if its state is not older than the saved one. */
  recall({ program_id, from, saved_at }: EngineProgram): LoadedProgram | undefined {
    const loaded = this.#known.get(program_id);
    return loaded?.stored.from === from && loaded.at >= saved_at ? loaded : undefined;
  }

  keep(loaded: LoadedProgram): void {
    const { program_id } = loaded.stored;
    this.#known.delete(program_id);
    this.#known.set(program_id, loaded);
  }

  /** Drops programs, idlest first, until all fit into the memory of a container. */
  trim(): void {
    let frames = 0;
    for (const { frames: own } of this.#known.values()) frames += own.length;
    for (const [idlest, { frames: own }] of this.#known) {
      if (this.#known.size <= MAX_PROGRAMS && frames <= MAX_FRAMES) return;
      this.#known.delete(idlest);
      frames -= own.length;
    }
  }

  forget(programId: string): void {
    this.#known.delete(programId);
  }
}

/** Programs by id, and the failures of those that cannot be loaded. */
interface Recalled {
  readonly loaded: ReadonlyMap<string, LoadedProgram>;
  readonly failures: readonly unknown[];
}

/**
 * Returns programs from memory, or from their stored states in one call per 100; omits removed ones. A state that cannot
 * be read does not block the other programs.
 */
export const recallOrLoad = async (
  store: Store,
  memory: ProgramMemory,
  programs: readonly EngineProgram[],
): Promise<Recalled> => {
  const failures: unknown[] = [];
  const loaded = new Map<string, LoadedProgram>();
  const missing: EngineProgram[] = [];
  for (const program of programs) {
    const known = memory.recall(program);
    if (known) loaded.set(program.program_id, known);
    else missing.push(program);
  }
  const items =
    missing.length === 0
      ? []
      : await store.getMany(
          missing.map(({ program_id }) => keys.programState(program_id)),
          { consistent: true },
        );
  for (const item of items) {
    try {
      const stored = asStoredProgram(item);
      if (stored) loaded.set(stored.program_id, loadProgram(stored));
    } catch (error) {
      failures.push(error);
    }
  }
  for (const program of loaded.values()) memory.keep(program);
  memory.trim();
  return { loaded, failures };
};
