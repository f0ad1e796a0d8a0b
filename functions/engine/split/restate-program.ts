import type { Series } from '../../../shared/data/candles/series.ts';
import { type EngineProgram, programWrite, readProgram } from '../../../shared/data/engine/programs.ts';
import { restatedStateWrite } from '../../../shared/data/engine/states.ts';
import { TransactionRefusedError } from '../../../shared/data/table/store.ts';
import { saveProgram } from '../../../shared/domain/engine/running/running-program.ts';
import { type LoadedProgram, loadProgram } from '../../../shared/lifecycle/engine-accounts/program-memory.ts';
import { ProgramGoneError } from '../advance-program.ts';
import type { EngineRuntime } from '../engine-runtime.ts';
import { observeAll } from '../warm-up.ts';

const MAX_ATTEMPTS = 8;

/**
 * Computes a program again from its first bar, over restated bars. It begins a millisecond earlier than before: nothing
 * starts then, so its bars are the same, and no container takes its old state for the new one.
 *
 * @param series as it will be once the split is done.
 * @param loaded the program after its last bar in old units.
 * @returns false if there was no time for all bars.
 */
export const restateProgram = async (
  engine: EngineRuntime,
  series: Series,
  listed: EngineProgram,
  loaded: LoadedProgram,
): Promise<boolean> => {
  const { store, memory } = engine;
  const { stored, running, at } = loaded;
  const splits = series.splits?.length ?? 0;
  const from = stored.from - 1;
  const next = loadProgram({ ...stored, from, program: { ...stored.program, saved: '' } });
  if (!(await observeAll(engine, series, next, Number.POSITIVE_INFINITY, at))) return false;
  // Flat accounts are not stored again: their indices must stay right.
  if (next.at === at) next.running.index = running.index;
  const saved = saveProgram(next.running);
  const change = { from, at: next.at, saved_at: next.at, splits };
  const state = { from, state_at: next.at, splits, saved };
  let program = listed;
  for (let tries = 1; ; tries += 1) {
    try {
      await store.transact([restatedStateWrite(stored, state), programWrite(program, change)]);
      memory.programs.forget(stored.program_id);
      return true;
    } catch (error) {
      if (!(error instanceof TransactionRefusedError) || tries === MAX_ATTEMPTS) throw error;
    }
    const read = await readProgram(store, program);
    if (!read) throw new ProgramGoneError();
    if ((read.splits ?? 0) >= splits) return true;
    program = read;
  }
};
