import type { Series } from '../../shared/data/candles/series.ts';
import { changeProgram, type EngineProgram, readProgram } from '../../shared/data/engine/programs.ts';
import { saveProgramState } from '../../shared/data/engine/states.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { barCount, sliceBars } from '../../shared/domain/candles/bars.ts';
import { hasEntrySignal } from '../../shared/domain/engine/running/frames.ts';
import { saveProgram } from '../../shared/domain/engine/running/running-program.ts';
import type { Span } from '../../shared/lifecycle/engine-accounts/advance-account.ts';
import {
  dropFrames,
  type LoadedProgram,
  observeNext,
} from '../../shared/lifecycle/engine-accounts/program-memory.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { raiseSignals } from './raise-signals.ts';
import { keepMatches } from './scan/keep-matches.ts';
import type { NextBars } from './series-reader.ts';
import { type Served, serveAccounts } from './serve-accounts.ts';

/** Bars that accounts are advanced through at once. */
const SLICE = 500;
/** Bars between two saved states of a program: without active accounts, and with them, as then these are saved too. */
const SAVE_BARS = 16;
const SAVE_BARS_BUSY = 256;

interface Work {
  readonly engine: EngineRuntime;
  readonly series: Series;
  readonly loaded: LoadedProgram;
  /** Notes the bars as done even if nothing happened. */
  readonly settle?: boolean | undefined;
}

/** The program was removed. */
export class ProgramGoneError extends Error {
  constructor() {
    super('a program was removed');
    this.name = 'ProgramGoneError';
  }
}

/** Program that notes expected entries. */
interface Expecting {
  readonly program: EngineProgram;
  /** True if an account could be active before. */
  readonly wasBusy: boolean;
}

/**
 * Notes that accounts may enter up to a bar, before they do. A worker that finds no active account meanwhile then
 * cannot note that there is none.
 */
export const expectEntries = async (store: Store, before: EngineProgram, end: number): Promise<Expecting> => {
  let program = before;
  while (!program.busy || (program.entries_at ?? Number.NEGATIVE_INFINITY) < end) {
    const changed = await changeProgram(store, program, { busy: true, entries_at: end });
    if (changed) return { program: changed, wasBusy: program.busy };
    const read = await readProgram(store, program);
    if (!read) throw new ProgramGoneError();
    program = read;
  }
  return { program, wasBusy: true };
};

/** Returns whether an account without a trade may enter at a bar after a moment. */
const mayEnter = ({ running, frames }: Span, after: number): boolean =>
  // Accounts that count bars in a row are always active.
  running.program.trading.runs.length === 0 &&
  frames.some((each) =>
    each.bars.start.some((start, position) => start > after && hasEntrySignal(each, position)),
  );

/**
 * Returns whether a program is busy after a bar: an account is active, or a worker of a later bar expects entries. It
 * may move accounts after this worker has looked for them.
 */
const isBusyAfter = (
  { entries_at = Number.NEGATIVE_INFINITY }: EngineProgram,
  isActive: boolean,
  end: number,
): boolean => isActive || entries_at > end;

/** Program after its work. */
interface Worked {
  readonly program: EngineProgram;
  /** True if an account could not be served: its bars are not done, and the state before them is kept. */
  readonly isBehind: boolean;
}

const ready = (program: EngineProgram): Worked => ({ program, isBehind: false });

/**
 * Saves the state after the last bar. Saves active accounts first: none may need bars before the state.
 *
 * @returns the program afterwards.
 */
const saveState = async (
  { engine, loaded }: Work,
  program: EngineProgram,
  span: Span,
  { saved, isActive }: { readonly saved: string; readonly isActive: boolean },
): Promise<Worked> => {
  const { store } = engine;
  if (isActive) {
    const { failures, isBehind } = await serveAccounts(engine, program, span, 'A', { save: true });
    if (failures.length > 0) throw new AggregateError(failures, 'accounts could not be saved');
    if (isBehind) return { program, isBehind };
  }
  const at = span.end;
  const busy = isBusyAfter(program, isActive, at);
  const changed = await changeProgram(store, program, { at, saved_at: at, busy });
  // Another worker may have moved accounts that this one did not see: they need the bars since the last state.
  if (!changed) return ready((await readProgram(store, program)) ?? program);
  await saveProgramState(store, loaded.stored, { state_at: at, saved });
  dropFrames(loaded, at);
  return ready(changed);
};

/** Keeps the bars on which an entry's condition holds, if scanners use the program. Returns whether there were any. */
const keepForScanners = async (
  { engine, series }: Work,
  program: EngineProgram,
  { running, frames }: Span,
  after: number,
  failures: unknown[],
): Promise<boolean> => {
  if (!program.scans) return false;
  try {
    return await keepMatches(engine, program, series, { running, frames, after });
  } catch (error) {
    // Accounts are served all the same.
    failures.push(error);
    return true;
  }
};

/** Does the work of the bars that were observed but not worked on. Returns the program afterwards. */
const serve = async (work: Work, listed: EngineProgram): Promise<Worked> => {
  const { engine, loaded, settle } = work;
  const { running } = loaded;
  const { calendar } = loaded.stored;
  const span: Span = { running, calendar, frames: [...loaded.frames], end: loaded.at };
  const doneAt = Math.max(listed.at, loaded.done_at);
  if (span.end <= doneAt && !(settle && listed.at < span.end)) return ready(listed);
  const bars = running.index - loaded.saved_index;
  const saved = bars >= (listed.busy ? SAVE_BARS_BUSY : SAVE_BARS) ? saveProgram(running) : undefined;
  const failures: unknown[] = [];
  let isBehind = false;
  const isMatched = await keepForScanners(work, listed, span, doneAt, failures);
  let program = listed;
  let wasBusy = listed.busy;
  const canEnter = mayEnter(span, doneAt);
  const seen = new Set<number>();
  const serveFlat = async (): Promise<Served> => {
    const before = async () => {
      ({ program, wasBusy } = await expectEntries(engine.store, program, span.end));
    };
    const served = await serveAccounts(engine, program, span, 'F', { before, seen });
    failures.push(...served.failures);
    isBehind ||= served.isBehind;
    return served;
  };
  if (canEnter) {
    const { count } = await serveFlat();
    // Another worker may have moved all accounts since the program was read.
    if (count === 0 && !program.busy) {
      program = (await readProgram(engine.store, program)) ?? program;
      wasBusy = program.busy;
    }
  }
  let isActive = false;
  if (program.busy) {
    const served = await serveAccounts(engine, program, span, 'A');
    failures.push(...served.failures);
    isBehind ||= served.isBehind;
    isActive = served.active > 0;
    // A worker of earlier bars may have closed a trade between the two looks, so that neither found its account.
    if (canEnter && wasBusy) isActive = (await serveFlat()).active > 0 || isActive;
  }
  const raised = await raiseSignals(engine, program, span, doneAt);
  failures.push(...raised.failures);
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} deployments failed`);
  if (isBehind || raised.isBehind) return { program, isBehind: true };
  loaded.done_at = span.end;
  if (saved !== undefined && (!isActive || bars >= SAVE_BARS_BUSY)) {
    return saveState(work, program, span, { saved, isActive });
  }
  const busy = isBusyAfter(program, isActive, span.end);
  const isIdle = raised.count === 0 && !isMatched && program === listed && program.busy === busy;
  if (!settle && isIdle) return ready(program);
  const changed = await changeProgram(engine.store, program, { at: span.end, busy });
  return ready(changed ?? (await readProgram(engine.store, program)) ?? program);
};

/**
 * Advances a program through the closed bars that it has not seen, in order, and serves the deployments that it works
 * for. Safe to repeat, and for several workers at once.
 *
 * @returns whether all bars are done, an account could not be served, or there was no time for all bars.
 */
export const advanceProgram = async (
  work: Work,
  listed: EngineProgram,
  nextBars: NextBars,
): Promise<'done' | 'behind' | 'out_of_time'> => {
  const { engine, loaded } = work;
  let program = listed;
  dropFrames(loaded, program.saved_at);
  for (;;) {
    const { bars, isAll } = await nextBars(loaded);
    const count = barCount(bars);
    for (let from = 0; from < count || from === 0; from += SLICE) {
      observeNext(loaded, sliceBars(bars, from, Math.min(count, from + SLICE)), program.saved_at);
      const worked = await serve(work, program);
      program = worked.program;
      if (isAll && from + SLICE >= count) return worked.isBehind ? 'behind' : 'done';
      if (!engine.hasTime()) return 'out_of_time';
    }
  }
};
