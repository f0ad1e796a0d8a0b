import { TIMEFRAMES } from '../../../../../shared/domain/strategies/strategies.ts';
import { CHOICE_LABELS } from '../../rules/labels.ts';
import { Field, Select, TextInput } from '../../ui/field.tsx';
import { InstrumentsField } from '../../ui/instruments-field.tsx';
import type { Market } from './market.ts';

/** Numbers of bars that a chart can show. */
const BARS = [250, 500, 1000, 1500] as const;

interface SetupProps {
  readonly market: Market;
  readonly onMarket: (market: Market) => void;
  /** True once the strategy exists: its name and market are changed on its own page. */
  readonly isMade: boolean;
  readonly nameError?: string | undefined;
  /** Symbol and number of bars of the chart. */
  readonly symbol: string | undefined;
  readonly onSymbol: (symbol: string) => void;
  readonly bars: number;
  readonly onBars: (bars: number) => void;
}

/** Name, instruments and timeframe of a strategy, and what its chart shows. */
export const Setup = (props: SetupProps) => {
  const { market, onMarket, isMade, nameError, symbol, onSymbol, bars, onBars } = props;
  return (
    <section class="card builder-market" aria-label="Name and market">
      {!isMade && (
        <>
          <div class="market-name">
            <Field label="Name" error={nameError}>
              <TextInput
                value={market.name}
                onValue={(name) => onMarket({ ...market, name })}
                maxLength={100}
                autocomplete="off"
              />
            </Field>
          </div>
          <div class="market-instrument">
            <InstrumentsField
              symbols={market.symbols}
              timeframe={market.timeframe}
              onSymbols={(symbols) => onMarket({ ...market, symbols })}
              hint={market.symbols.length > 0 ? '' : 'A symbol or a name, such as AAPL or Apple.'}
            />
          </div>
          <Field label="Length of a bar">
            <Select
              value={market.timeframe}
              onValue={(timeframe) => onMarket({ ...market, timeframe })}
              options={TIMEFRAMES.map((value) => ({ value, label: CHOICE_LABELS[value] ?? value }))}
            />
          </Field>
        </>
      )}
      {market.symbols.length > 1 && (
        <Field label="Symbol of the chart">
          <Select
            value={symbol ?? ''}
            onValue={onSymbol}
            options={market.symbols.map((value) => ({ value, label: value }))}
          />
        </Field>
      )}
      <Field label="Bars of the chart">
        <Select
          value={String(bars)}
          onValue={(value) => onBars(Number(value))}
          options={BARS.map((value) => ({ value: String(value), label: `newest ${value}` }))}
        />
      </Field>
    </section>
  );
};
