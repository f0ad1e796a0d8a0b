import { changeHead } from '../../../shared/data/candles/change-head.ts';
import { heldBar } from '../../../shared/data/candles/held-bars.ts';
import type { Series } from '../../../shared/data/candles/series.ts';
import { SERIES_DUE } from '../../../shared/data/engine/events.ts';
import { ratioText } from '../../../shared/domain/splits/ratio.ts';
import { settlePrograms } from '../advance-series.ts';
import type { EngineRuntime } from '../engine-runtime.ts';
import { isoOf, reportBars } from '../report-bars.ts';
import { restateSeries } from './restate-series.ts';

/** Attempts at accounts before the split. One that cannot be served at the first has failed at the second. */
const ATTEMPTS = 2;

/** Returns the declared split of a series, unless it is another one than that of a time. */
const pendingIn = (series: Series | undefined, at: number) =>
  series?.split?.at === at ? series.split : undefined;

/** Lets all bars before the split count as arrived, so that larger bars which end with it are closed in old units. */
const closeBefore = (series: Series, at: number): Series | undefined =>
  pendingIn(series, at) && (series.through ?? Number.NEGATIVE_INFINITY) < at
    ? { ...series, through: at }
    : undefined;

/** Advances all accounts and programs to the last bar in old units: they never see one later. */
const settle = async (engine: EngineRuntime, series: Series): Promise<boolean> => {
  const before: EngineRuntime = { ...engine, isBeforeSplit: true };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (await settlePrograms(before, series)) return true;
    if (!engine.hasTime()) return false;
  }
  return false;
};

const begin = (series: Series, at: number): Series | undefined => {
  const split = pendingIn(series, at);
  return split && !split.started ? { ...series, split: { ...split, started: true } } : undefined;
};

/** Notes the split as done. A bar in old units that waited for confirmation is dropped: nothing confirms it now. */
const finish = (series: Series, at: number): Series | undefined => {
  const pending = pendingIn(series, at);
  if (!pending) return undefined;
  const { split: _, held, ...rest } = series;
  const isKept = held !== undefined && (held.start[0] ?? at) >= at;
  const { started: _started, ...done } = pending;
  return { ...rest, ...(isKept && { held }), splits: [...(series.splits ?? []), done] };
};

/**
 * Restates the accounts and programs of a series at its declared split, before the first bar from it on is taken. Safe
 * to repeat, and for several workers at once: a repeat goes on where a crash or the time stopped it.
 *
 * @param known the head of the series as last read.
 * @returns false if it is not done: a repeat goes on, and an event for another run is on its way.
 * @throws AggregateError for programs or accounts that could not be advanced to the last bar.
 */
export const passSplit = async (engine: EngineRuntime, known: Series): Promise<boolean> => {
  const { store, log } = engine;
  if (!known.split) return true;
  const { at } = known.split;
  const closed = await changeHead(store, known, (series) => closeBefore(series, at));
  if (!closed || !pendingIn(closed, at)) return true;
  if (!closed.split?.started && !(await settle(engine, closed))) return false;
  const series = await changeHead(store, closed, (found) => begin(found, at));
  const split = pendingIn(series, at);
  if (!series || !split) return true;
  const { symbol, timeframe } = series;
  if (!(await restateSeries(engine, series, split))) {
    await engine.putEvent(SERIES_DUE, { version: 1, symbol, source: timeframe, timeframe, shard: 0 });
    return false;
  }
  const done = await changeHead(store, series, (found) => finish(found, at));
  log.info('a series is split', { symbol, timeframe, ratio: ratioText(split), at: isoOf(at) });
  const held = heldBar(series);
  if (held && done && !done.held) {
    reportBars(engine, series, {
      ...{ accepted: [], refused: [], held: undefined, known: undefined, late: 0 },
      dropped: [held],
    });
  }
  return true;
};
