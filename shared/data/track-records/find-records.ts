import { asRecord, type TrackRecord } from '../strategies/track-records.ts';
import { type OnDamaged, placeByKey, readable } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';

/** Records of an author among which the versions of a strategy are looked for: further ones are in the author's list. */
const MOST_READ = 200;

interface Wanted {
  /** Lists the records before this one; the newest ones if absent. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Lists the records that an author ever began, newest first. */
export const findRecords = async (
  store: Store,
  author: string,
  { before, limit }: Wanted,
  onDamaged?: OnDamaged,
): Promise<TrackRecord[]> => {
  const { pk, sk } = keys.trackRecord(author, '');
  const end = before === undefined ? `${sk}~` : keys.trackRecord(author, before - 1).sk;
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
    ExpressionAttributeValues: { ':pk': pk, ':low': sk, ':high': end },
    ScanIndexForward: false,
    Limit: limit,
    ConsistentRead: true,
  });
  return items.flatMap((item) => readable(asRecord, item, placeByKey, onDamaged) ?? []);
};

/** Lists the records of a strategy among the last ones of its author, newest first. */
export const findVersions = async (
  store: Store,
  { author, strategy_id }: Pick<TrackRecord, 'author' | 'strategy_id'>,
  onDamaged?: OnDamaged,
): Promise<TrackRecord[]> => {
  const found = await findRecords(store, author, { limit: MOST_READ }, onDamaged);
  return found.filter((record) => record.strategy_id === strategy_id);
};
