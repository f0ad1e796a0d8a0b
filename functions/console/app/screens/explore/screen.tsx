import { SUFFICIENT_DAYS } from '../../../../../shared/domain/track-records/sufficient.ts';
import { countText } from '../../count-text.ts';
import { format } from '../../format.ts';
import { hub } from '../../hub.ts';
import { navigate, type ScreenProps } from '../../router.ts';
import { StrategyCards } from '../../strategies/card-list.tsx';
import { likes } from '../../strategies/likes.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { useSearch } from '../../ui/use-search.ts';
import { useSteady } from '../../ui/use-steady.ts';
import { Categories } from './categories.tsx';
import { type Found, findStrategies } from './find.ts';
import { Order } from './order.tsx';
import { addressOf, canBeRanked, type ExploreView, isRanked, viewOf } from './view.ts';

/** Says what an order by figures after luck takes off them. */
const luckText = ({ strategies }: Found): string => {
  const records = strategies[0]?.rank_figures?.records_begun ?? 0;
  return records < 2
    ? ''
    : ` Of ${countText(records, 'record')} that authors began, the best would look good by luck alone: the order takes that off each figure, more from short records than from long ones.`;
};

const headline = (found: Found, view: ExploreView): string => {
  const { total, isCut } = found;
  const { words, isLiked } = view;
  if (isRanked(view)) {
    const ranked = `${countText(total, 'strategy', 'strategies')} with a record of at least ${SUFFICIENT_DAYS} days, ranked each hour.`;
    return view.sort === 'return' || view.sort === 'sharpe' ? ranked + luckText(found) : ranked;
  }
  if (isCut) return `The ${format.count(total)} best liked that match. Type more to narrow them down.`;
  const things = countText(total, 'strategy', 'strategies');
  if (words.trim() !== '') return total === 1 ? `${things} matches.` : `${things} match.`;
  return isLiked ? `${things} that you like.` : `${things}.`;
};

const Nothing = ({ view }: { readonly view: ExploreView }) => {
  if (view.words.trim() !== '') {
    return (
      <>
        <p>No strategy matches “{view.words.trim()}”.</p>
        <p>Type the beginning of a name, a symbol or an author. Fewer words find more.</p>
        <LinkButton href={`#${addressOf({ ...view, words: '', page: 1 })}`}>Clear the search</LinkButton>
      </>
    );
  }
  if (isRanked(view)) {
    return (
      <>
        <p>
          No such strategy has a track record of {SUFFICIENT_DAYS} days yet. The hub makes a record of each
          published strategy with rules, from the bars after its publication.
        </p>
        <LinkButton href="#/explore">See all strategies</LinkButton>
      </>
    );
  }
  if (view.isLiked) {
    return (
      <>
        <p>You like no strategy yet. The heart on a card keeps a strategy here.</p>
        <LinkButton href="#/explore">See all strategies</LinkButton>
      </>
    );
  }
  return (
    <>
      <p>No strategy is published here yet. Yours could be the first.</p>
      <LinkButton href="#/build" kind="primary">
        Build a strategy
      </LinkButton>
    </>
  );
};

const Explore = ({ query }: ScreenProps) => {
  const view = viewOf(query);
  const { typed, setTyped } = useSearch(view.words, (words) =>
    navigate(addressOf({ ...view, words, page: 1 }), { replace: true }),
  );
  const found = useSteady(
    useResource(
      async (signal) => {
        const result = await findStrategies(view, signal);
        likes.refreshed(result.strategies);
        return result;
      },
      [view],
    ),
  );
  const categories = useResource((signal) => hub.getStrategyCategories({}, { signal }), []);
  return (
    <Screen
      title="Explore"
      lead="Strategies that others have published. Copy one, test it, and run it on paper before you trust it."
    >
      <search class="stack">
        <div class="toolbar">
          <Field label="Search">
            <TextInput
              type="search"
              value={typed}
              onValue={setTyped}
              placeholder="Name, symbol, author or category"
              maxLength={100}
              autocomplete="off"
            />
          </Field>
          {canBeRanked(view) && <Order view={view} />}
        </div>
        <Categories of={categories.value ?? []} view={view} />
      </search>
      <Loaded of={found} empty={({ total }) => total === 0 && <Nothing view={view} />}>
        {(value) => (
          <div class="stack" aria-busy={found.isLoading}>
            <p class="muted" role="status">
              {headline(value, view)}
              {value.unlisted > 0 &&
                ` ${countText(value.unlisted, 'strategy', 'strategies')} that you like ${value.unlisted === 1 ? 'is' : 'are'} no longer in Explore.`}
            </p>
            <StrategyCards strategies={value.strategies} label="Strategies" />
            <Pager
              page={value.page}
              pages={value.pages}
              onPage={(page, how) => {
                scrollTo(0, 0);
                navigate(addressOf({ ...view, page }), how);
              }}
              label="Pages of strategies"
            />
          </div>
        )}
      </Loaded>
    </Screen>
  );
};

export default Explore;
