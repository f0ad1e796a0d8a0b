import { readClosedBars } from '../../shared/data/candles/read-closed.ts';
import type { Series } from '../../shared/data/candles/series.ts';
import { saveProgramState } from '../../shared/data/engine/states.ts';
import { barCount, firstBarFrom, sliceBars } from '../../shared/domain/candles/bars.ts';
import { saveProgram } from '../../shared/domain/engine/running/running-program.ts';
import { type LoadedProgram, observeNext } from '../../shared/lifecycle/engine-accounts/program-memory.ts';
import type { EngineRuntime } from './engine-runtime.ts';

/** Bars that are observed at once. */
const SLICE = 5000;

/** Saves the state of a program that is not listed yet. */
export const saveWarming = (
  { store }: EngineRuntime,
  { stored, running, at }: LoadedProgram,
): Promise<void> => {
  const state = { state_at: at, saved: saveProgram(running) };
  return saveProgramState(store, stored, state, { isWarming: true });
};

/**
 * Advances a program through all closed bars, without accounts.
 *
 * @param keepAfter start of the last bar whose observation no account needs.
 * @param to start of the last bar to observe; by default the last closed one.
 * @returns false if there was no time for all bars.
 */
export const observeAll = async (
  { store, hasTime }: EngineRuntime,
  series: Series,
  loaded: LoadedProgram,
  keepAfter: number,
  to = Number.POSITIVE_INFINITY,
): Promise<boolean> => {
  const { timeframe } = loaded.stored;
  for (;;) {
    const { bars, isAll } = await readClosedBars(store, series, timeframe, {
      after: loaded.at,
      isBar: loaded.running.index > 0,
    });
    const count = Math.min(barCount(bars), firstBarFrom(bars, to + 1));
    for (let from = 0; from < count; from += SLICE) {
      observeNext(loaded, sliceBars(bars, from, Math.min(count, from + SLICE)), keepAfter);
    }
    if (isAll || count < barCount(bars)) return true;
    if (!hasTime()) return false;
  }
};
