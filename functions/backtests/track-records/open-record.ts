import type { Call } from '../../../shared/api/call.ts';
import { unknownRecord, unknownStrategy } from '../../../shared/api/refusals.ts';
import { asStrategy, isOpenToId, type Strategy } from '../../../shared/data/strategies/strategies.ts';
import { asRecord, type TrackRecord } from '../../../shared/data/strategies/track-records.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';

/** A track record that a caller may see. */
export interface OpenRecord {
  readonly strategy: Strategy;
  readonly record: TrackRecord;
  readonly setupItem: Item | undefined;
  readonly countItem: Item | undefined;
  /** True for the owner, and for everybody if the rules are, or were at the end of the record, open. */
  readonly isDisclosed: boolean;
}

interface Wanted {
  readonly user_id: string;
  readonly strategy_id: number;
  /** One of the records of the strategy; the current one if absent. */
  readonly record_id?: number | undefined;
}

/** Returns whether others may see the rules of a record. Opening the present ones opens no former ones. */
const areOpen = ({ record_id, rules_visibility }: Strategy, record: TrackRecord): boolean =>
  record.record_id === record_id ? rules_visibility === 'open' : record.was_open === true;

/**
 * Reads a track record of a strategy that the caller may see.
 *
 * @throws HubError strategy_unknown, record_unknown
 */
export const openRecord = async ({ store }: Call, wanted: Wanted): Promise<OpenRecord> => {
  const [item] = await store.getMany([keys.strategy(wanted.strategy_id)], { consistent: true });
  const strategy = asStrategy(item);
  if (!strategy || !isOpenToId(strategy, wanted.user_id)) throw unknownStrategy();
  const id = wanted.record_id ?? strategy.record_id;
  if (id === undefined) throw unknownRecord();
  const own = {
    record: keys.trackRecord(strategy.user_key, id),
    setup: keys.backtestSetup(id),
    count: keys.recordCount(strategy.user_key),
  };
  const items = await store.getMany(Object.values(own), { consistent: true });
  const record = asRecord(itemWith(items, own.record));
  if (record?.strategy_id !== strategy.strategy_id) throw unknownRecord();
  return {
    strategy,
    record,
    setupItem: itemWith(items, own.setup),
    countItem: itemWith(items, own.count),
    isDisclosed: strategy.user_id === wanted.user_id || areOpen(strategy, record),
  };
};
