import { format } from '../format.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/notice.tsx';
import { useAction } from '../ui/use-action.ts';
import type { Likeable } from './like-store.ts';
import { likes } from './likes.ts';

/** Button that likes a strategy, or takes the like back. */
export const LikeButton = ({
  strategy,
}: {
  readonly strategy: Likeable & { readonly strategy_name: string };
}) => {
  const liking = useAction(() => likes.toggle(strategy));
  const { isLiked, count } = likes.likeOf(strategy);
  return (
    <>
      <Button class="like" aria-pressed={isLiked} onClick={() => void liking.run()}>
        <span class="unseen">Like {strategy.strategy_name}. Likes: </span>
        <span aria-hidden="true">{isLiked ? '♥' : '♡'}</span> {format.count(count)}
      </Button>
      <Problem of={liking.error} />
    </>
  );
};
