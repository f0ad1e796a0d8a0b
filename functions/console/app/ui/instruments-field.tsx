import { useState } from 'preact/hooks';
import type { InstrumentSuggestion } from '../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../hub.ts';
import { Button } from './button.tsx';
import { Field, Select, TextInput } from './field.tsx';
import { Problem } from './notice.tsx';
import { useDebounced } from './use-debounced.ts';
import { useResource } from './use-resource.ts';

type AssetClass = InstrumentSuggestion['asset_class'];

const ASSET_CLASSES: readonly { readonly value: AssetClass; readonly label: string }[] = [
  { value: 'equity', label: 'Shares' },
  { value: 'index', label: 'Indices' },
  { value: 'forex', label: 'Currencies' },
  { value: 'commodity', label: 'Commodities' },
  { value: 'crypto', label: 'Crypto' },
];

/** Milliseconds without typing after which a search is sent. */
const SETTLE_MS = 250;

interface InstrumentsFieldProps {
  readonly symbols: readonly string[];
  readonly onSymbols: (symbols: readonly string[]) => void;
  /** Gets the instrument that was chosen last. */
  readonly onInstrument?: (instrument: InstrumentSuggestion) => void;
  /** Market that is searched first; shares by default. */
  readonly assetClass?: string;
  readonly hint?: string;
  readonly disabled?: boolean;
  readonly error?: string | false | undefined;
}

const Chosen = ({ symbols, onSymbols, disabled }: InstrumentsFieldProps) => (
  <ul class="chosen" aria-label="Chosen instruments">
    {symbols.map((symbol) => (
      <li key={symbol}>
        {symbol}
        {!disabled && (
          <Button
            kind="quiet"
            aria-label={`Remove ${symbol}`}
            onClick={() => onSymbols(symbols.filter((each) => each !== symbol))}
          >
            ×
          </Button>
        )}
      </li>
    ))}
  </ul>
);

/** Search for instruments by symbol or name, and the chosen ones. */
export const InstrumentsField = (props: InstrumentsFieldProps) => {
  const { symbols, onSymbols, onInstrument, disabled, error, assetClass } = props;
  const { hint = 'Type a symbol or a name, such as AAPL or Apple, and choose from the list.' } = props;
  const [type, setType] = useState<AssetClass>(
    ASSET_CLASSES.find(({ value }) => value === assetClass)?.value ?? 'equity',
  );
  const [text, setText] = useState('');
  const searched = useDebounced(text.trim(), SETTLE_MS);
  const found = useResource(
    async (signal) =>
      searched === ''
        ? []
        : hub.getInstrumentSuggestionsV2({ user_id: ME, instrument: searched, type }, { signal }),
    [searched, type],
  );
  const isOpen = searched !== '' && text.trim() !== '';
  const offered = (found.value ?? []).filter(({ symbol }) => !symbols.includes(symbol));
  const choose = (one: InstrumentSuggestion): void => {
    onSymbols([...symbols, one.symbol]);
    onInstrument?.(one);
    setText('');
  };
  const takeFirst = (): void => {
    const [first] = offered;
    if (first && searched === text.trim() && !found.isLoading) choose(first);
  };
  return (
    <div class="stack">
      {!disabled && (
        <div class="slots">
          <div class="slot slot-kind">
            <Field label="Market">
              <Select value={type} onValue={setType} options={ASSET_CLASSES} />
            </Field>
          </div>
          <div class="slot slot-wide">
            <Field label="Instrument" hint={hint} error={error}>
              <TextInput
                type="search"
                value={text}
                onValue={setText}
                onEnter={isOpen ? takeFirst : undefined}
                autocomplete="off"
                spellcheck={false}
              />
            </Field>
          </div>
        </div>
      )}
      <Problem of={found.error} />
      {isOpen && !disabled && (
        <div role="status">
          {found.isLoading && <p class="muted">Searching…</p>}
          {found.value && !found.isLoading && offered.length === 0 && (
            <p class="muted">Nothing found in this market. Try another word, or another market above.</p>
          )}
          <ul class="suggestions" aria-label="Found instruments">
            {offered.map((one) => (
              <li key={one.symbol}>
                <Button class="suggestion" onClick={() => choose(one)}>
                  <strong>{one.symbol}</strong>
                  <span>
                    {one.name} <span class="muted">{one.exchange}</span>
                  </span>
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {symbols.length > 0 && <Chosen {...props} />}
    </div>
  );
};
