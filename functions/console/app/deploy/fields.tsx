import { createElement } from 'preact';
import { format } from '../format.ts';
import { Checkbox, Field, NumberInput, Select, TextInput, useControl } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { fieldProblem } from '../ui/problem-text.ts';
import type { Choices } from './choices.ts';
import { type DeployForm, type FormProblems, MAX_SYMBOLS } from './form.ts';

interface FieldsProps {
  readonly form: DeployForm;
  readonly of: Choices;
  readonly problems: FormProblems;
  /** Error of the last try, for the fields that the service refused. */
  readonly error: unknown;
  readonly onChange: (more: Partial<DeployForm>) => void;
}

const toggled = <T,>(list: readonly T[], one: T, isOn: boolean): readonly T[] =>
  isOn ? [...list, one] : list.filter((other) => other !== one);

const DayInput = ({ value, onValue }: { value: string; onValue: (value: string) => void }) =>
  createElement('input', {
    ...useControl(),
    type: 'date',
    value,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      onValue(currentTarget.value),
  });

/** Problem of several checkboxes. Screen readers announce it, as it belongs to none of them. */
const GroupProblem = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="field-error" role="alert">
      {text}
    </p>
  );

const Symbols = ({ form, of: { strategy }, problems, onChange }: FieldsProps) => {
  if (strategy.symbols.length === 1) return null;
  const isFull = form.symbols.length >= MAX_SYMBOLS && strategy.rules_hash !== null;
  return (
    <fieldset class="choices">
      <legend>Symbols</legend>
      <div class="row">
        {strategy.symbols.map((symbol) => {
          const isOn = form.symbols.includes(symbol);
          return (
            <Checkbox
              key={symbol}
              checked={isOn}
              disabled={!isOn && isFull}
              onChecked={(on) => onChange({ symbols: toggled(form.symbols, symbol, on) })}
            >
              {symbol}
            </Checkbox>
          );
        })}
      </div>
      <GroupProblem text={problems.symbols} />
    </fieldset>
  );
};

const Channels = ({ form, of: { hasEmail, hasPhone, plan }, problems, onChange }: FieldsProps) => {
  const toggle = (channel: DeployForm['channels'][number], on: boolean): void =>
    onChange({ channels: toggled(form.channels, channel, on) });
  return (
    <fieldset class="choices">
      <legend>Tell me by</legend>
      <div class="row">
        <Checkbox checked={form.channels.includes('push')} onChecked={(on) => toggle('push', on)}>
          Push message
        </Checkbox>
        <Checkbox
          checked={form.channels.includes('email')}
          disabled={!hasEmail}
          onChecked={(on) => toggle('email', on)}
        >
          E-mail{!hasEmail && ' (verify yours first)'}
        </Checkbox>
        <Checkbox
          checked={form.channels.includes('sms')}
          disabled={!hasPhone}
          onChecked={(on) => toggle('sms', on)}
        >
          Text message{plan === 'free' ? ' (pro plan)' : !hasPhone && ' (verify your phone first)'}
        </Checkbox>
      </div>
      <GroupProblem text={problems.channels} />
      <p class="field-hint">All of it is in the list of notifications, too.</p>
    </fieldset>
  );
};

const Money = ({ form, problems, error, onChange }: FieldsProps) => (
  <div class="pair">
    <Field
      label={form.way === 'live' ? 'Capital it may use' : 'Capital on paper'}
      error={problems.capital ?? fieldProblem(error, 'starting_capital')}
    >
      <NumberInput value={form.capital} onValue={(capital) => onChange({ capital })} />
    </Field>
    <Field
      label="Currency"
      hint="That of the prices."
      error={problems.currency ?? fieldProblem(error, 'currency')}
    >
      <TextInput value={form.currency} onValue={(currency) => onChange({ currency })} maxLength={5} />
    </Field>
  </div>
);

const Costs = ({ form, problems, error, onChange }: FieldsProps) => (
  <details class="costs" open={Boolean(problems.commission || problems.spread || problems.slippage)}>
    <summary>
      Costs: commission {form.commission || '0'} %, spread {form.spread || '0'} %, slippage{' '}
      {form.slippage || '0'} %
    </summary>
    <div class="pair">
      <Field
        label="Commission"
        hint="Of the value, per entry and exit."
        error={problems.commission ?? fieldProblem(error, 'commission_rate')}
      >
        <NumberInput value={form.commission} unit="%" onValue={(commission) => onChange({ commission })} />
      </Field>
      <Field
        label="Spread"
        hint="Entries are worse by it."
        error={problems.spread ?? fieldProblem(error, 'spread_rate')}
      >
        <NumberInput value={form.spread} unit="%" onValue={(spread) => onChange({ spread })} />
      </Field>
      <Field
        label="Slippage"
        hint="Market orders and stops fill worse by it."
        error={problems.slippage ?? fieldProblem(error, 'slippage_rate')}
      >
        <NumberInput value={form.slippage} unit="%" onValue={(slippage) => onChange({ slippage })} />
      </Field>
    </div>
  </details>
);

const FREQUENCIES = [
  { value: 'every_signal', label: 'Every signal' },
  { value: 'once_per_bar', label: 'At most once a bar' },
  { value: 'once_per_day', label: 'At most once a day' },
] as const;

const Universe = ({ form, of: { universes }, problems, error, onChange }: FieldsProps) => {
  const chosen = universes.find(({ universe_id }) => universe_id === form.universe);
  return (
    <Field
      label="Instruments to watch"
      hint={chosen?.description}
      error={problems.universe ?? fieldProblem(error, 'universe_id')}
    >
      <Select
        value={form.universe}
        onValue={(universe) => onChange({ universe })}
        options={[
          { value: '', label: 'Choose…' },
          ...universes.map(({ universe_id, name, symbols_count }) => ({
            value: universe_id,
            label: `${name} (${format.count(symbols_count)})`,
          })),
        ]}
      />
    </Field>
  );
};

const UNPROTECTED = [
  { value: 'close', label: 'Close the position' },
  { value: 'keep', label: 'Keep the position and try again' },
] as const;

const Account = ({ form, of: { connections }, problems, error, onChange }: FieldsProps) => (
  <>
    <Notice kind="warn">It will place orders at your broker by itself. Try it on paper first.</Notice>
    <Field label="Account" error={problems.account ?? fieldProblem(error, 'account_id')}>
      <Select
        value={form.account}
        onValue={(account) => onChange({ account })}
        options={[
          { value: '', label: 'Choose…' },
          ...connections.map(({ account_id, adapter, environment, currency }) => ({
            value: account_id,
            label: `${adapter} ${account_id}, ${currency}${environment === 'paper' ? ', test account' : ''}`,
          })),
        ]}
      />
    </Field>
    <Field
      label="If the broker refuses a stop"
      hint="You are notified in both cases."
      error={fieldProblem(error, 'when_unprotected')}
    >
      <Select
        value={form.unprotected}
        onValue={(unprotected) => onChange({ unprotected })}
        options={UNPROTECTED}
      />
    </Field>
  </>
);

/** Fields of the deploying dialog for the chosen way. */
export const DeployFields = (props: FieldsProps) => {
  const { form, of: choices, problems, error, onChange } = props;
  const { way } = form;
  if (way === 'scanner') return <Universe {...props} />;
  return (
    <>
      {way === 'live' && <Account {...props} />}
      <Symbols {...props} />
      {way === 'notification' ? (
        <Field label="How often" error={fieldProblem(error, 'frequency')}>
          <Select
            value={form.frequency}
            onValue={(frequency) => onChange({ frequency })}
            options={FREQUENCIES}
          />
        </Field>
      ) : (
        <Money {...props} />
      )}
      {way === 'paper' && choices.strategy.rules_hash !== null && <Costs {...props} />}
      <Channels {...props} />
      <Field
        label="Last day (optional)"
        hint="It runs until you stop it if you choose none."
        error={problems.endDay ?? fieldProblem(error, 'expires_at')}
      >
        <DayInput value={form.endDay} onValue={(endDay) => onChange({ endDay })} />
      </Field>
    </>
  );
};
