import { useState } from 'preact/hooks';
import { countText } from '../../count-text.ts';
import { hub, ME } from '../../hub.ts';
import type { ScreenProps } from '../../router.ts';
import { user } from '../../session.ts';
import { StrategyCards } from '../../strategies/card-list.tsx';
import { likes } from '../../strategies/likes.ts';
import { LinkButton } from '../../ui/button.tsx';
import { isMissing } from '../../ui/ids.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Missing } from '../../ui/missing.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { AuthorRecords } from './records.tsx';

const PAGE_SIZE = 24;

const Nothing = ({ isOwn }: { readonly isOwn: boolean }) =>
  isOwn ? (
    <>
      <p>None of your strategies is on your profile. Open a strategy to choose who can see it.</p>
      <LinkButton href="#/strategies">Your strategies</LinkButton>
    </>
  ) : (
    <>
      <p>This author shows no strategy now.</p>
      <LinkButton href="#/explore">Explore all strategies</LinkButton>
    </>
  );

const Author = ({ params: { user_key: userKey = '' } }: ScreenProps) => {
  const [page, setPage] = useState(1);
  const isOwn = userKey === user.value?.userKey;
  const published = useResource(
    async (signal) => {
      const answer = await hub.getPublishedStrategies(
        { user_key: userKey, user_id: ME, page, size: PAGE_SIZE },
        { signal },
      );
      likes.refreshed(answer.items);
      return answer;
    },
    [userKey, page],
  );
  if (!published.value && isMissing(published.error)) {
    return (
      <Missing
        thing="author"
        reason="the author has left"
        ways={[{ href: '#/explore', label: 'Explore all strategies' }]}
      />
    );
  }
  const name = published.value?.items[0]?.author.name;
  return (
    <Screen
      title={isOwn ? 'Your profile' : (name ?? 'Profile')}
      lead={
        isOwn ? 'Others see this page of you, and nothing else.' : 'Strategies on the profile of this author.'
      }
    >
      <Loaded of={published} empty={({ total }) => total === 0 && <Nothing isOwn={isOwn} />}>
        {({ items, total, pages }) => (
          <div class="stack">
            <p class="muted">{countText(total, 'strategy', 'strategies')}.</p>
            <StrategyCards strategies={items} label="Strategies of the author" hideAuthor />
            <Pager page={page} pages={pages} onPage={setPage} label="Pages of strategies" />
          </div>
        )}
      </Loaded>
      {published.value && <AuthorRecords userKey={userKey} />}
    </Screen>
  );
};

export default Author;
