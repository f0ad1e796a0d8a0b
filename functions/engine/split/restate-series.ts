import type { Series } from '../../../shared/data/candles/series.ts';
import { findPrograms } from '../../../shared/data/engine/programs.ts';
import { higherThan } from '../../../shared/domain/candles/closed.ts';
import type { SeriesSplit } from '../../../shared/domain/splits/split-bars.ts';
import type { EngineRuntime } from '../engine-runtime.ts';

/**
 * Restates the accounts and programs of a series at a split, after its last bar in old units. Safe to repeat, and for
 * several workers at once.
 *
 * @param series its head with `split.started` set.
 * @param split `at` is the start of the first bar in new units.
 * @returns false if there was no time for all: a repeat goes on.
 */
export const restateSeries = async (
  engine: EngineRuntime,
  series: Series,
  split: SeriesSplit,
): Promise<boolean> => {
  const { symbol, timeframe: source } = series;
  for (const timeframe of [source, ...higherThan(source)]) {
    for (let shard = 0, shards = 1; shard < shards; shard++) {
      const found = await findPrograms(engine.store, symbol, timeframe, shard);
      shards = found.shards;
      if (!engine.hasTime() || split.at <= series.last) return false;
    }
  }
  return true;
};
