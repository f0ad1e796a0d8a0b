import { type ClosedBars, readClosedBars } from '../../shared/data/candles/read-closed.ts';
import type { Series } from '../../shared/data/candles/series.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { firstBarFrom, sliceBars } from '../../shared/domain/candles/bars.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import type { LoadedProgram } from '../../shared/lifecycle/engine-accounts/program-memory.ts';

/** Reads the closed bars that a program has not seen. */
export type NextBars = (loaded: LoadedProgram) => Promise<ClosedBars>;

/** Returns a reader that reads the same bars once for all programs of a series. Programs that lag most come first. */
export const sharedReader = (store: Store, series: Series, timeframe: Timeframe): NextBars => {
  let shared: { readonly after: number; readonly found: Promise<ClosedBars> } | undefined;
  return async ({ at, running }) => {
    if (shared && at >= shared.after) {
      const { bars, isAll } = await shared.found;
      if (isAll) return { bars: sliceBars(bars, firstBarFrom(bars, at + 1)), isAll };
    }
    const found = readClosedBars(store, series, timeframe, { after: at, isBar: running.index > 0 });
    shared ??= { after: at, found };
    return found;
  };
};
