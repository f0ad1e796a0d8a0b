import type * as z from 'zod';
import type { ItemSchema } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import { dueKinds, type Lane } from './lanes.ts';

interface Due {
  readonly now: Date;
  readonly limit: number;
}

/** Lists the due items of a partition of the index, the longest due first. */
export const findDueIn = <S extends ItemSchema>(
  store: Store,
  kind: string,
  schema: S,
  { now, limit }: Due,
): Promise<z.output<S>[]> =>
  store.query(
    {
      IndexName: 'due',
      KeyConditionExpression: 'due_kind = :kind AND due_at <= :now',
      ExpressionAttributeValues: { ':kind': kind, ':now': now.getTime() },
      Limit: limit,
    },
    schema,
  );

/** Lists the due items of a lane, the longest due first. */
export const findDueItems = async <
  S extends ItemSchema & z.ZodType<{ readonly due_at?: number | undefined }>,
>(
  store: Store,
  lane: Lane,
  schema: S,
  due: Due,
): Promise<z.output<S>[]> => {
  const found = await Promise.all(dueKinds(lane).map((kind) => findDueIn(store, kind, schema, due)));
  return found
    .flat()
    .sort((left, right) => (left.due_at ?? 0) - (right.due_at ?? 0))
    .slice(0, due.limit);
};
