import { figuresSource } from '../../../shared/data/strategies/figures-source.ts';
import { changeEverywhere } from '../../../shared/data/strategies/listings.ts';
import { findStrategy } from '../../../shared/data/strategies/strategies.ts';
import { performanceOf, type TrackRecord } from '../../../shared/data/strategies/track-records.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { Write } from '../../../shared/data/table/writes.ts';

/** Returns the writes that show a record on its strategy and its cards; none if it does not show now. */
export const cardWrites = async (store: Store, record: TrackRecord): Promise<Write[]> => {
  const strategy = await findStrategy(store, record.strategy_id);
  if (strategy?.record_id !== record.record_id || figuresSource(strategy) !== 'record') return [];
  const change = {
    update: 'SET performance = :performance',
    values: { ':performance': performanceOf(record) },
  };
  return changeEverywhere(strategy, change, {
    ...change,
    condition: 'record_id = :record',
    values: { ...change.values, ':record': record.record_id },
  });
};
