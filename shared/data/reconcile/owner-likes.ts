import { asMarks, listFavourites } from '../strategies/strategy-marks.ts';
import { type Tallied, tallyKey, tallyWrite } from '../strategies/strategy-tallies.ts';
import { keys } from '../table/keys.ts';
import { type Store, TransactionRefusedError } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { inBatches, MAX_TOGETHER } from './owned-deployments.ts';
import { repaired } from './repaired.ts';
import type { Tally } from './tally.ts';

const readLiked = async (store: Store, userId: string) => {
  const favourites = (await listFavourites(store, userId)).map(({ strategy_id }) => strategy_id);
  const [item] = await store.getMany([keys.strategyMarks(userId)], { consistent: true });
  return { favourites: new Set(favourites), liked: asMarks(item).liked };
};

type Liked = Awaited<ReturnType<typeof readLiked>>;

const wrongMarks = ({ favourites, liked }: Liked) => {
  const missing = [...favourites.difference(liked)];
  const extra = [...liked.difference(favourites)];
  return missing.length + extra.length > 0 ? { missing, extra } : undefined;
};

/** Corrects the marks by the favourites. Each correction checks that the favourite exists or not. */
const repairLikedMarks = async (store: Store, userId: string, tally: Tally): Promise<void> => {
  for (let left = 1; left > 0; ) {
    let ids: number[] = [];
    const outcome = await repaired({
      store,
      measure: async () => wrongMarks(await readLiked(store, userId)),
      same: (one, other) => JSON.stringify(one) === JSON.stringify(other),
      writes: (_, { missing, extra }): Write[] => {
        const liked = extra.length === 0;
        ids = (liked ? missing : extra).slice(0, MAX_TOGETHER);
        left = missing.length + extra.length - ids.length;
        const condition = liked ? 'attribute_exists(pk)' : 'attribute_not_exists(pk)';
        return [
          ...ids.map((id): Write => ({ check: keys.favourite(userId, id), if: { condition } })),
          {
            key: keys.strategyMarks(userId),
            update: `SET entity = :entity ${liked ? 'ADD' : 'DELETE'} liked :ids`,
            values: { ':entity': 'strategy_marks', ':ids': new Set(ids) },
          },
        ];
      },
    });
    if (outcome === 'right') return;
    if (outcome === 'busy') return tally.add('favourite_marks', 'busy');
    for (const id of ids) tally.add('favourite_marks', outcome, `strategy ${id} of ${keys.user(userId).pk}`);
  }
};

const likerOf = (strategyId: number, userId: string): Tallied => ({ kind: 'like', strategyId, userId });

/** Adds missing entries of a user among those who like a strategy. They count once the user's proof is checked. */
const enterLikes = async (store: Store, userId: string, favourites: readonly number[]): Promise<void> => {
  const entered = await inBatches(favourites, (batch) =>
    store.getMany(
      batch.map((strategyId) => tallyKey(likerOf(strategyId, userId))),
      { consistent: true },
    ),
  );
  for (const [index, strategyId] of favourites.entries()) {
    if (entered[index]) continue;
    const check = keys.favourite(userId, strategyId);
    await store
      .transact([
        { check, if: { condition: 'attribute_exists(pk)' } },
        tallyWrite(likerOf(strategyId, userId), undefined, false),
      ])
      .catch((error: unknown) => {
        // The like was taken back meanwhile.
        if (!(error instanceof TransactionRefusedError)) throw error;
      });
  }
};

/** Checks and corrects a user's marks and the lists of likers by the user's favourites. */
export const reconcileLikes = async (store: Store, userId: string, tally: Tally): Promise<void> => {
  const marks = await readLiked(store, userId);
  if (wrongMarks(marks)) await repairLikedMarks(store, userId, tally);
  await enterLikes(store, userId, [...marks.favourites]);
};
