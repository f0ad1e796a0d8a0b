import { useState } from 'preact/hooks';
import { format } from '../../format.ts';
import { navigate, type ScreenProps } from '../../router.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Checkbox, Field, TextInput } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { useSearch } from '../../ui/use-search.ts';
import { useSteady } from '../../ui/use-steady.ts';
import { loadOwn, type OwnPage } from './load.ts';
import { OwnCard } from './own-card.tsx';
import { ShareKeyDialog } from './share-key-dialog.tsx';
import { type OwnView, ownAddressOf, ownViewOf } from './view.ts';

const Nothing = ({ view, page }: { readonly view: OwnView; readonly page: OwnPage }) => {
  if (view.words.trim() !== '') {
    return <p>None of these strategies has “{view.words.trim()}” in its name or symbols.</p>;
  }
  if (view.isArchived) return <p>Nothing is archived. A strategy that you archive moves here.</p>;
  if (page.built + page.copied > 0) {
    return view.isCopied ? (
      <>
        <p>You have copied no strategy yet.</p>
        <LinkButton href="#/explore">Find one in Explore</LinkButton>
      </>
    ) : (
      <>
        <p>You have built no strategy of your own yet.</p>
        <LinkButton href="#/build" kind="primary">
          Build a strategy
        </LinkButton>
      </>
    );
  }
  return (
    <>
      <p>You have no strategies yet. Begin with one of these:</p>
      <ul>
        <li>
          <a href="#/build">Build one</a>: pick a template such as the golden cross, or say yourself when to
          buy and sell.
        </li>
        <li>
          <a href="#/explore">Copy one</a> that others have published.
        </li>
      </ul>
      <p>Then test it on past prices, and run it on paper.</p>
    </>
  );
};

const Strategies = ({ query }: ScreenProps) => {
  const view = ownViewOf(query);
  const [isCopying, setCopying] = useState(false);
  const { typed, setTyped } = useSearch(view.words, (words) =>
    navigate(ownAddressOf({ ...view, words, page: 1 }), { replace: true }),
  );
  const own = useSteady(useResource((signal) => loadOwn(view, signal), [view]));
  const tab = (isCopied: boolean, label: string, count: number | undefined) => ({
    href: `#${ownAddressOf({ ...view, isCopied, page: 1 })}`,
    label: count === undefined ? label : `${label} (${format.count(count)})`,
    isCurrent: view.isCopied === isCopied,
  });
  return (
    <Screen
      title="Strategies"
      lead="Your strategies: those that you have built, and copies of those of others."
      actions={
        <>
          <Button onClick={() => setCopying(true)}>Copy with a share key</Button>
          <LinkButton href="#/build" kind="primary">
            New strategy
          </LinkButton>
        </>
      }
    >
      <Tabs
        label="Kinds of strategies"
        items={[tab(false, 'Built', own.value?.built), tab(true, 'Copied', own.value?.copied)]}
      />
      <search class="row">
        <Field label="Search">
          <TextInput type="search" value={typed} onValue={setTyped} maxLength={200} autocomplete="off" />
        </Field>
        <Checkbox
          checked={view.isArchived}
          onChecked={(isArchived) => navigate(ownAddressOf({ ...view, isArchived, page: 1 }))}
        >
          Archived
        </Checkbox>
      </search>
      <Loaded of={own} empty={(page) => page.total === 0 && <Nothing view={view} page={page} />}>
        {({ strategies, pages }) => (
          <div class="stack" aria-busy={own.isLoading}>
            <ul class="cards" aria-label="Your strategies">
              {strategies.map((strategy) => (
                <OwnCard key={strategy.strategy_id} strategy={strategy} />
              ))}
            </ul>
            <Pager
              page={view.page}
              pages={pages}
              onPage={(page, how) => navigate(ownAddressOf({ ...view, page }), how)}
              label="Pages of strategies"
            />
          </div>
        )}
      </Loaded>
      <ShareKeyDialog open={isCopying} onClose={() => setCopying(false)} />
    </Screen>
  );
};

export default Strategies;
