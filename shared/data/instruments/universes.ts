import { type Universe, universeSchema } from '../../domain/instruments/instrument-records.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';

/** Lists the universes of instruments by name, in one call. */
export const listUniverses = async (store: Store): Promise<Universe[]> => {
  const { pk } = keys.universe('');
  const found = await store.query(
    { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } },
    universeSchema,
  );
  return found.sort((left, right) => left.name.localeCompare(right.name, 'en'));
};
