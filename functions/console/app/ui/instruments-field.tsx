import type { InstrumentSuggestion } from '../../../../infra/client/package/src/index.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';
import { Button } from './button.tsx';
import { SymbolSearch } from './symbol-search.tsx';

interface InstrumentsFieldProps {
  readonly symbols: readonly string[];
  readonly onSymbols: (symbols: readonly string[]) => void;
  /** Gets the instrument that was chosen last. */
  readonly onInstrument?: (instrument: InstrumentSuggestion) => void;
  /** Length of the bars that are wanted. */
  readonly timeframe?: Timeframe;
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
  const { symbols, onSymbols, onInstrument, disabled, error, hint, timeframe } = props;
  return (
    <div class="stack">
      {!disabled && (
        <SymbolSearch
          {...(hint !== undefined && { hint })}
          {...(timeframe !== undefined && { timeframe })}
          error={error}
          except={symbols}
          onChoose={(one) => {
            onSymbols([...symbols, one.symbol]);
            onInstrument?.(one);
          }}
        />
      )}
      {symbols.length > 0 && <Chosen {...props} />}
    </div>
  );
};
