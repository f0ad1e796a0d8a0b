import { useEffect, useRef, useState } from 'preact/hooks';
import { format } from '../../format.ts';
import { hub } from '../../hub.ts';
import { navigate, type ScreenProps } from '../../router.ts';
import { StrategyCards } from '../../strategies/card-list.tsx';
import { likes } from '../../strategies/likes.ts';
import { countText } from '../../strategies/texts.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { type Resource, useResource } from '../../ui/use-resource.ts';
import { Categories } from './categories.tsx';
import { type Found, findStrategies } from './find.ts';
import { addressOf, type ExploreView, viewOf } from './view.ts';

const TYPING_MS = 250;

/** Keeps what was found last while a newer search runs, so that the cards do not vanish with each letter. */
const useSteady = <T,>(resource: Resource<T>): Resource<T> => {
  const last = useRef<T>(undefined);
  if (resource.value !== undefined) last.current = resource.value;
  if (resource.error !== undefined || resource.value !== undefined || last.current === undefined)
    return resource;
  return { ...resource, value: last.current };
};

const headline = ({ total, isCut }: Found, { words, isLiked }: ExploreView): string => {
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
  const [typed, setTyped] = useState(view.words);
  const settled = useDebounced(typed, TYPING_MS);
  const shownWords = useRef(view.words);
  useEffect(() => {
    if (settled.trim() === shownWords.current.trim()) return;
    shownWords.current = settled;
    navigate(addressOf({ ...view, words: settled, page: 1 }), { replace: true });
  }, [settled]);
  // Back and links change the words in the address.
  useEffect(() => {
    if (view.words.trim() === shownWords.current.trim()) return;
    shownWords.current = view.words;
    setTyped(view.words);
  }, [view.words]);

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
        <Field label="Search" hint="Name, symbol, author or category.">
          <TextInput type="search" value={typed} onValue={setTyped} maxLength={100} autocomplete="off" />
        </Field>
        <Categories of={categories.value ?? []} view={view} />
      </search>
      <Loaded of={found} empty={({ strategies }) => strategies.length === 0 && <Nothing view={view} />}>
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
              onPage={(page) => {
                scrollTo(0, 0);
                navigate(addressOf({ ...view, page }));
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
