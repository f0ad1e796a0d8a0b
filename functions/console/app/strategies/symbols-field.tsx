import { useState } from 'preact/hooks';
import type { InstrumentSuggestion } from '../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../hub.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select, TextInput } from '../ui/field.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { useResource } from '../ui/use-resource.ts';

type AssetClass = InstrumentSuggestion['asset_class'];

const MARKETS: readonly { readonly value: AssetClass; readonly label: string }[] = [
  { value: 'equity', label: 'Shares' },
  { value: 'index', label: 'Indices' },
  { value: 'forex', label: 'Currencies' },
  { value: 'commodity', label: 'Commodities' },
  { value: 'crypto', label: 'Crypto' },
];

const TYPING_MS = 250;
const SHOWN = 6;

/** Returns the symbol that is being typed: the part behind the last comma. */
const typedOf = (text: string): string => text.slice(text.lastIndexOf(',') + 1).trim();

/** Puts a symbol in place of the one that is being typed. */
const completed = (text: string, symbol: string): string =>
  [...text.split(',').slice(0, -1), symbol].map((part) => part.trim()).join(', ');

interface SymbolsFieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Asset class of the present instruments, which is searched first. */
  readonly assetClass: string;
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
}

/** Input of one or several instruments, with suggestions for the one that is being typed. */
export const SymbolsField = ({ value, onValue, assetClass, ...field }: SymbolsFieldProps) => {
  const [isTyping, setTyping] = useState(false);
  const [type, setType] = useState(
    MARKETS.find(({ value: known }) => known === assetClass)?.value ?? 'equity',
  );
  const typed = useDebounced(isTyping ? typedOf(value) : '', TYPING_MS);
  const found = useResource(
    async (signal) =>
      typed === ''
        ? []
        : hub.getInstrumentSuggestionsV2({ user_id: ME, instrument: typed, type }, { signal }),
    [typed, type],
  );
  const suggested = isTyping ? (found.value ?? []).slice(0, SHOWN) : [];
  const isNothing = isTyping && typed !== '' && found.value?.length === 0;
  return (
    <div class="stack">
      <Field label="Market" hint="Where suggestions come from.">
        <Select value={type} onValue={setType} options={MARKETS} />
      </Field>
      <Field {...field}>
        <TextInput
          value={value}
          autocomplete="off"
          spellcheck={false}
          onValue={(text) => {
            setTyping(true);
            onValue(text);
          }}
        />
      </Field>
      <p class={isNothing ? 'muted' : 'unseen'} role="status">
        {suggested.length > 0 && `${suggested.length} suggestions follow.`}
        {isNothing && `Nothing in this market begins with “${typed}”. Try another market.`}
      </p>
      {suggested.length > 0 && (
        <ul class="symbol-suggestions" aria-label="Suggested instruments">
          {suggested.map(({ symbol, name }) => (
            <li key={symbol}>
              <Button
                onClick={() => {
                  setTyping(false);
                  onValue(completed(value, symbol));
                }}
              >
                {symbol} <span class="muted">{name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
