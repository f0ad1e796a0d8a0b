import { createElement } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { InstrumentSuggestion } from '../../../../infra/client/package/src/index.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';
import { hub, ME } from '../hub.ts';
import { priceWords, spanTexts, testableFirst } from '../instruments/candle-words.ts';
import { Field, useControl } from './field.tsx';
import { Problem, Tag } from './notice.tsx';
import { Suggestion, Suggestions, suggestionKey } from './suggestions.tsx';
import { useDebounced } from './use-debounced.ts';
import { useResource } from './use-resource.ts';

/** Milliseconds without typing after which a search is sent. */
const SETTLE_MS = 250;

interface SymbolSearchProps {
  readonly label?: string;
  readonly hint?: string;
  readonly error?: string | false | undefined;
  /** Length of the bars that are wanted: their candles decide about the state of the prices. */
  readonly timeframe?: Timeframe;
  /** Symbols that are not offered. */
  readonly except?: readonly string[];
  readonly onChoose: (instrument: InstrumentSuggestion) => void;
}

interface OptionProps {
  readonly id: string;
  readonly of: InstrumentSuggestion;
  readonly timeframe: Timeframe | undefined;
  readonly isActive: boolean;
  readonly onChoose: () => void;
}

const Option = ({ id, of: one, timeframe, isActive, onChoose }: OptionProps) => {
  const { candles = [] } = one;
  const { label, tone } = priceWords(candles, timeframe);
  return (
    <Suggestion id={id} isActive={isActive} onChoose={onChoose}>
      <span class="suggestion-name">
        <strong>{one.symbol}</strong> {one.name} <span class="muted">{one.exchange}</span>
      </span>
      <Tag kind={tone}>{label}</Tag>
      {candles.length > 0 && <span class="suggestion-more muted">{spanTexts(candles).join(', ')}</span>}
    </Suggestion>
  );
};

interface BoxProps {
  readonly text: string;
  readonly listId: string;
  readonly isOpen: boolean;
  readonly activeId: string | undefined;
  readonly onText: (text: string) => void;
  readonly onKey: (event: KeyboardEvent) => void;
}

const Box = ({ text, listId, isOpen, activeId, onText, onKey }: BoxProps) =>
  createElement('input', {
    ...useControl(),
    type: 'text',
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': isOpen,
    'aria-controls': listId,
    'aria-activedescendant': activeId,
    autocomplete: 'off',
    spellcheck: false,
    value: text,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onText(currentTarget.value),
    onKeyDown: onKey,
  });

/**
 * Search for an instrument in all markets by symbol or name. Shows which candles are stored and whether prices arrive now,
 * before one is chosen.
 */
export const SymbolSearch = ({
  label = 'Instrument',
  except = [],
  timeframe,
  ...props
}: SymbolSearchProps) => {
  const { hint = 'Type a symbol or a name, such as AAPL or Apple, and choose from the list.' } = props;
  const listId = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const searched = useDebounced(text.trim(), SETTLE_MS);
  const found = useResource(
    async (signal) =>
      searched === ''
        ? []
        : hub.getInstrumentSuggestionsV2(
            { user_id: ME, instrument: searched, any_type: true, with_candles: true },
            { signal },
          ),
    [searched],
  );
  const isWanted = searched !== '' && text.trim() !== '';
  const offered = testableFirst(
    (found.value ?? []).filter(({ symbol }) => !except.includes(symbol)),
    searched,
  );
  const isOpen = isWanted && offered.length > 0;
  const at = Math.min(active, offered.length - 1);
  const idOf = (index: number): string => `${listId}-${index}`;
  const choose = (one: InstrumentSuggestion): void => {
    props.onChoose(one);
    setText('');
    setActive(0);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (!isWanted) return;
    suggestionKey(event, {
      count: offered.length,
      at,
      onActive: setActive,
      onEnter: () => {
        const chosen = offered[at];
        // The list may be that of an earlier text.
        if (chosen && searched === text.trim() && !found.isLoading) choose(chosen);
      },
      onEscape: () => setText(''),
    });
  };
  return (
    <div class="stack">
      <Field label={label} hint={hint} error={props.error}>
        <Box
          text={text}
          listId={listId}
          isOpen={isOpen}
          activeId={isOpen ? idOf(at) : undefined}
          onText={(typed) => {
            setText(typed);
            setActive(0);
          }}
          onKey={onKey}
        />
      </Field>
      <Problem of={found.error} />
      <p class="muted" role="status" hidden={!isWanted || isOpen}>
        {isWanted && found.isLoading && 'Searching…'}
        {isWanted && found.value && !found.isLoading && !isOpen && 'Nothing found. Try another word.'}
      </p>
      <Suggestions id={listId} label="Found instruments" isOpen={isOpen}>
        {offered.map((one, index) => (
          <Option
            key={one.symbol}
            id={idOf(index)}
            of={one}
            timeframe={timeframe}
            isActive={index === at}
            onChoose={() => choose(one)}
          />
        ))}
      </Suggestions>
    </div>
  );
};
