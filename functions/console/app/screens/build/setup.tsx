import { TIMEFRAMES } from '../../../../../shared/domain/strategies/strategies.ts';
import { CHOICE_LABELS } from '../../rules/labels.ts';
import { Field, Select, TextInput } from '../../ui/field.tsx';
import { InstrumentsField } from '../../ui/instruments-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Market } from './market.ts';

interface SetupProps {
  readonly market: Market;
  readonly onMarket: (market: Market) => void;
  /** True once the strategy exists. */
  readonly isMade: boolean;
  /** True once the strategy has rules. */
  readonly hasRules: boolean;
  readonly nameError?: string | undefined;
  readonly symbolError?: string | undefined;
}

/** Name, instruments and timeframe of a new strategy. */
export const Setup = ({ market, onMarket, isMade, hasRules, nameError, symbolError }: SetupProps) => (
  <section class="card" aria-label="Name and market">
    <h2>Name and market</h2>
    {isMade && (
      <Notice>
        {hasRules
          ? 'The strategy exists.'
          : 'The strategy exists already, without these rules. Save again to give them to it.'}{' '}
        Its name and market can be changed on its own page.
      </Notice>
    )}
    <div class="slots">
      <div class="slot slot-wide">
        <Field label="Name" error={nameError}>
          <TextInput
            value={market.name}
            onValue={(name) => onMarket({ ...market, name })}
            maxLength={100}
            disabled={isMade}
            autocomplete="off"
          />
        </Field>
      </div>
      <div class="slot slot-kind">
        <Field label="Length of a bar">
          <Select
            value={market.timeframe}
            onValue={(timeframe) => onMarket({ ...market, timeframe })}
            options={TIMEFRAMES.map((value) => ({ value, label: CHOICE_LABELS[value] ?? value }))}
            disabled={isMade}
          />
        </Field>
      </div>
    </div>
    <InstrumentsField
      symbols={market.symbols}
      onSymbols={(symbols) => onMarket({ ...market, symbols })}
      disabled={isMade}
      error={symbolError}
    />
  </section>
);
