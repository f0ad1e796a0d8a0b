import { hub, ME } from '../../hub.ts';
import type { ScreenProps } from '../../router.ts';
import { barsText } from '../../strategies/texts.ts';
import { LinkButton } from '../../ui/button.tsx';
import { askable, idOf, isMissing } from '../../ui/ids.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Missing } from '../../ui/missing.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useResource } from '../../ui/use-resource.ts';

/** Loads the editor, which brings the schema of rules, after the frame of the screen. */
const loadEditor = async () => (await import('./editor.tsx')).StrategyEditor;

/** Builder of a new strategy, or of the rules of an own one. */
const Build = ({ params: { id } }: ScreenProps) => {
  const opened = useResource(
    async (signal) => {
      const [Editor, strategy] = await Promise.all([
        loadEditor(),
        id === undefined
          ? undefined
          : hub.getStrategy({ user_id: ME, strategy_id: askable(idOf(id)) }, { signal }),
      ]);
      return { Editor, strategy };
    },
    [id],
  );
  if (!opened.value && isMissing(opened.error)) {
    return <Missing thing="strategy" ways={[{ href: '#/strategies', label: 'Your strategies' }]} />;
  }
  const strategy = opened.value?.strategy;
  const title = id === undefined ? 'New strategy' : `Rules of ${strategy?.strategy_name ?? 'a strategy'}`;
  const lead =
    id === undefined
      ? 'Say when to buy and sell, test it on past prices, and save it.'
      : strategy && `${strategy.symbols.join(', ')} on ${barsText(strategy.timeframe)}.`;
  return (
    <Screen
      title={title}
      lead={lead}
      actions={id !== undefined && <LinkButton href={`#/strategies/${id}`}>Back to the strategy</LinkButton>}
    >
      <Loaded
        of={opened}
        empty={({ strategy: other }) =>
          other && !other.is_own ? (
            <>
              <p>This strategy belongs to somebody else. Copy it on its page, then change the copy.</p>
              <LinkButton href={`#/strategies/${other.strategy_id}`}>Show the strategy</LinkButton>
            </>
          ) : undefined
        }
      >
        {({ Editor, strategy: own }) => <Editor key={id ?? 'new'} strategy={own} />}
      </Loaded>
    </Screen>
  );
};

export default Build;
