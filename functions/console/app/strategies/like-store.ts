/** Like of the user and the number of all likes of a strategy. */
export interface Like {
  readonly isLiked: boolean;
  readonly count: number;
}

/** Strategy with its like as the service answered it. */
export interface Likeable {
  readonly strategy_id: number;
  readonly is_liked: boolean;
  readonly like_count: number;
}

type Likes = ReadonlyMap<number, Like>;

/** Likes that differ from what lists show. */
export interface LikeState {
  read: () => Likes;
  write: (likes: Likes) => void;
}

/** Sends a like to the service. */
export type SendLike = (strategyId: number, isLiked: boolean) => Promise<Likeable>;

const shown = ({ is_liked, like_count }: Likeable): Like => ({ isLiked: is_liked, count: like_count });

/**
 * Likes that show at once: a like is shown before the service has it, and taken back if the service refuses it. Lists
 * that were read before keep showing it.
 */
export const likeStore = ({ read, write }: LikeState, send: SendLike) => {
  const pending = new Set<number>();
  let users = 0;
  const put = (id: number, like: Like | undefined): void => {
    const likes = new Map(read());
    if (like) likes.set(id, like);
    else likes.delete(id);
    write(likes);
  };
  const likeOf = (strategy: Likeable): Like => read().get(strategy.strategy_id) ?? shown(strategy);
  return {
    /** Returns the like to show. */
    likeOf,
    /** Likes a strategy, or takes the like back. A second call waits for the first one's answer: it does nothing. */
    toggle: async (strategy: Likeable): Promise<void> => {
      const id = strategy.strategy_id;
      if (pending.has(id)) return;
      pending.add(id);
      const user = users;
      const earlier = read().get(id);
      const { isLiked, count } = likeOf(strategy);
      put(id, { isLiked: !isLiked, count: Math.max(0, count + (isLiked ? -1 : 1)) });
      try {
        const answered = shown(await send(id, !isLiked));
        if (user === users) put(id, answered);
      } catch (error) {
        if (user === users) put(id, earlier);
        throw error;
      } finally {
        if (user === users) pending.delete(id);
      }
    },
    /** Forgets all likes, as the next user has others. */
    forget: (): void => {
      users += 1;
      pending.clear();
      write(new Map());
    },
    /** Lets newer answers show: forgets the likes of strategies that were read again. */
    refreshed: (strategies: readonly Likeable[]): void => {
      const newer = strategies.filter(({ strategy_id: id }) => read().has(id) && !pending.has(id));
      if (newer.length === 0) return;
      const likes = new Map(read());
      for (const { strategy_id } of newer) likes.delete(strategy_id);
      write(likes);
    },
  };
};
