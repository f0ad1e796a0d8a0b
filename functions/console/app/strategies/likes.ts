import { effect, signal } from '@preact/signals';
import { hub, ME } from '../hub.ts';
import { user } from '../session.ts';
import { type Like, likeStore } from './like-store.ts';

const changed = signal<ReadonlyMap<number, Like>>(new Map());

/** Likes of the user, the same on all screens. */
export const likes = likeStore(
  {
    read: () => changed.value,
    write: (next) => {
      changed.value = next;
    },
  },
  (strategyId, isLiked) => {
    const input = { user_id: ME, strategy_id: strategyId };
    return isLiked ? hub.likeStrategy(input) : hub.unlikeStrategy(input);
  },
);

let owner: string | undefined;
effect(() => {
  const userKey = user.value?.userKey;
  if (userKey !== owner) likes.forget();
  owner = userKey;
});
