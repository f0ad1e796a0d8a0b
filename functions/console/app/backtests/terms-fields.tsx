import { Checkbox, Field, NumberInput, Select, TextInput } from '../ui/field.tsx';
import { InstrumentsField } from '../ui/instruments-field.tsx';
import type { AccountDraft, Draft, DraftProblems, Terms, Timeframe } from './draft.ts';

interface TermsProps<T extends Terms> {
  readonly draft: T;
  readonly onDraft: (draft: T) => void;
  readonly problems: DraftProblems;
}

export const TIMEFRAMES: readonly { readonly value: Timeframe; readonly label: string }[] = [
  { value: '1m', label: '1 minute' },
  { value: '3m', label: '3 minutes' },
  { value: '5m', label: '5 minutes' },
  { value: '15m', label: '15 minutes' },
  { value: '30m', label: '30 minutes' },
  { value: '1h', label: '1 hour' },
  { value: '4h', label: '4 hours' },
  { value: '1d', label: '1 day' },
  { value: '1w', label: '1 week' },
];

/** Fields that choose the span of time. */
export const PeriodFields = <T extends Terms>({ draft, onDraft, problems }: TermsProps<T>) => (
  <>
    <Field label="From" hint="Empty: the first stored bar." error={problems.from}>
      <TextInput type="date" value={draft.from} onValue={(from) => onDraft({ ...draft, from })} />
    </Field>
    <Field label="To" hint="Empty: the newest stored bar." error={problems.to}>
      <TextInput type="date" value={draft.to} onValue={(to) => onDraft({ ...draft, to })} />
    </Field>
  </>
);

/** Fields that choose the market and the span of time. */
export const MarketFields = ({ draft, onDraft, problems }: TermsProps<Draft>) => (
  <div class="stack">
    <InstrumentsField
      hint="Type a symbol or a name, such as AAPL or Apple, and choose from the list. Several share the capital."
      symbols={draft.symbols}
      timeframe={draft.timeframe}
      error={problems.symbols ?? problems.symbol}
      onSymbols={(symbols) => onDraft({ ...draft, symbols })}
    />
    <div class="cards">
      <Field label="Length of a bar" error={problems.timeframe}>
        <Select
          value={draft.timeframe}
          options={TIMEFRAMES}
          onValue={(timeframe) => onDraft({ ...draft, timeframe })}
        />
      </Field>
      <PeriodFields draft={draft} onDraft={onDraft} problems={problems} />
    </div>
    <Checkbox
      checked={draft.candles === 'own'}
      onChecked={(isOwn) => onDraft({ ...draft, candles: isOwn ? 'own' : 'hub' })}
    >
      Use my candles
    </Checkbox>
    <p class="field-hint">
      Those that you imported under <a href="#/candles">Your candles</a>, instead of the hub’s.
    </p>
  </div>
);

type NumberField = Exclude<
  keyof AccountDraft,
  'financing' | 'fill_at' | 'stop_basis' | 'entry_bar' | 'close_at_end'
>;

interface FieldText {
  readonly name: NumberField;
  readonly label: string;
  readonly hint: string;
  readonly unit?: string;
}

const MAIN: readonly FieldText[] = [
  { name: 'starting_capital', label: 'Starting capital', hint: 'In the currency of the prices.' },
  { name: 'commission_rate', label: 'Commission', hint: 'Of the value of each entry and exit.', unit: '%' },
  {
    name: 'slippage_rate',
    label: 'Slippage',
    hint: 'By which market and stop orders fill worse.',
    unit: '%',
  },
];

const ADVANCED: readonly FieldText[] = [
  { name: 'spread_rate', label: 'Spread', hint: 'By which entries are worse.', unit: '%' },
  { name: 'commission_fixed', label: 'Fixed commission', hint: 'Of each entry and exit, as an amount.' },
  {
    name: 'commission_per_unit',
    label: 'Commission per unit',
    hint: 'Of each entry and exit, as an amount.',
  },
  { name: 'commission_min', label: 'Smallest commission', hint: 'Of each entry and exit, as an amount.' },
  {
    name: 'margin',
    label: 'Margin',
    hint: 'Part of a trade’s value that it ties up. 50 % is a leverage of 2.',
    unit: '%',
  },
  {
    name: 'maintenance',
    label: 'Maintenance margin',
    hint: 'Equity below this part of the position’s value ends it. 0 %: when nothing is left.',
    unit: '%',
  },
  { name: 'size_step', label: 'Step of sizes', hint: 'Empty: that of the instrument.' },
];

/** Fields of the account; rare ones are folded away. */
export const AccountFields = <T extends Terms>({ draft, onDraft, problems }: TermsProps<T>) => {
  const { account } = draft;
  const change = (part: Partial<AccountDraft>): void =>
    onDraft({ ...draft, account: { ...account, ...part } });
  const input = ({ name, label, hint, unit }: FieldText) => (
    <Field key={name} label={label} hint={hint} error={problems[name]}>
      <NumberInput
        value={account[name]}
        onValue={(value) => change({ [name]: value })}
        {...(unit !== undefined && { unit })}
      />
    </Field>
  );
  const hasProblem = ADVANCED.some(({ name }) => problems[name] !== undefined);
  return (
    <div class="stack">
      <div class="cards">{MAIN.map(input)}</div>
      <details open={hasProblem}>
        <summary>Advanced: spread, margin, fills</summary>
        <div class="cards">
          {ADVANCED.map(input)}
          <Field
            label="Orders fill"
            hint="At the close looks into the future of live trading: results are too good."
          >
            <Select
              value={account.fill_at}
              options={[
                { value: 'next_open', label: 'At the open of the next bar' },
                { value: 'signal_close', label: 'At the close of the signal bar' },
              ]}
              onValue={(fill_at) => change({ fill_at })}
            />
          </Field>
          <Field label="Stops and targets are measured from">
            <Select
              value={account.stop_basis}
              options={[
                { value: 'fill', label: 'The price of the fill' },
                { value: 'signal_close', label: 'The close of the signal bar' },
              ]}
              onValue={(stop_basis) => change({ stop_basis })}
            />
          </Field>
          <Field
            label="If a bar does not tell which price came first"
            hint="Smaller bars decide if they are stored; else the test assumes the worse."
          >
            <Select
              value={account.entry_bar}
              options={[
                { value: 'worst', label: 'Smaller bars, else the worse for you' },
                { value: 'next_bar', label: 'As backtesting.py: stops from the next bar on' },
              ]}
              onValue={(entry_bar) => change({ entry_bar })}
            />
          </Field>
          <Field label="Trades open at the end">
            <Select
              value={account.close_at_end}
              options={[
                { value: 'mark', label: 'Stay open' },
                { value: 'last_open', label: 'Close at the open of the last bar' },
              ]}
              onValue={(close_at_end) => change({ close_at_end })}
            />
          </Field>
          <Field label="Overnight charges">
            <Select
              value={account.financing}
              options={[
                { value: 'none', label: 'None' },
                { value: 'instrument', label: 'Those of the instrument' },
              ]}
              onValue={(financing) => change({ financing })}
            />
          </Field>
        </div>
      </details>
    </div>
  );
};
