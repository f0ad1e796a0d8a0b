import { format } from '../format.ts';
import { hub, ME } from '../hub.ts';
import { Field, NumberInput, TextInput } from '../ui/field.tsx';
import { Notice, Problem } from '../ui/notice.tsx';
import { fieldProblem } from '../ui/problem-text.ts';
import { SymbolSearch } from '../ui/symbol-search.tsx';
import { useAction } from '../ui/use-action.ts';
import { useOnce } from '../ui/use-once.ts';
import type { Choices } from './choices.ts';
import type { DeployForm, FormProblems } from './form.ts';
import { replayableOf, replayDays, type Unpriced } from './prices.ts';

interface PricesProps {
  readonly form: DeployForm;
  readonly of: Choices;
  readonly problems: FormProblems;
  readonly error: unknown;
  readonly unpriced: readonly Unpriced[];
  readonly onChange: (more: Partial<DeployForm>) => void;
  /** Gets the copy of the strategy on another instrument. */
  readonly onCopied: (strategyId: number) => void;
}

const unpricedText = ({ symbol, words }: Unpriced): string =>
  words.end === undefined
    ? `There are no candles of ${symbol} here.`
    : `No prices of ${symbol} arrive: its candles end on ${words.end}.`;

/** Copies the strategy to another instrument, whose prices the search shows. */
const AnotherInstrument = ({ of: { strategy }, onCopied }: Pick<PricesProps, 'of' | 'onCopied'>) => {
  const once = useOnce();
  const action = useAction(async (symbol: string) => {
    const asked = { user_id: ME, strategy_key: strategy.strategy_key, symbol };
    onCopied((await once(asked, (options) => hub.copyStrategy(asked, options))).strategy_id);
  });
  return (
    <>
      <SymbolSearch
        label="Run a copy on another instrument"
        hint="Such as NOVA.DEMO of the demo market. The copy is a strategy of yours."
        timeframe={strategy.timeframe}
        except={strategy.symbols}
        onChoose={({ symbol }) => void action.run(symbol)}
      />
      <Problem of={action.error} />
    </>
  );
};

/** Says that no prices arrive, and the ways out. */
const Stop = ({ form, of: choices, unpriced, onCopied }: PricesProps) => (
  <div class="stack">
    <Notice kind="warn">
      {unpriced.map((one) => (
        <p key={one.symbol}>{unpricedText(one)}</p>
      ))}
      <p>It would wait for ever. The ways out:</p>
      <ul>
        <li>
          Run a copy of the strategy on an instrument whose prices arrive, such as one of the demo market.
        </li>
        {choices.canReplay && form.way !== 'paper' && (
          <li>Choose “On paper”, which can replay recorded candles of one instrument.</li>
        )}
        <li>
          {choices.hasFeeds ? (
            <a href="#/prices">Switch public prices on</a>
          ) : (
            'Ask whoever runs this service to connect a feed of these prices.'
          )}
        </li>
      </ul>
    </Notice>
    <AnotherInstrument of={choices} onCopied={onCopied} />
  </div>
);

/** Choice between prices that arrive and recorded ones, or the stop if there are neither. */
export const Prices = (props: PricesProps) => {
  const { form, of: choices, problems, error, unpriced, onChange } = props;
  const recorded =
    form.way === 'paper' && choices.canReplay && replayableOf(choices.strategy, choices.instruments);
  const hasNone = unpriced.length > 0;
  if (!recorded) return hasNone ? <Stop {...props} /> : null;
  const days = replayDays(recorded);
  return (
    <fieldset class="ways">
      <legend>Prices</legend>
      <label class={hasNone ? 'way way-closed' : 'way'}>
        <input
          type="radio"
          name="prices"
          checked={form.prices === 'arriving'}
          disabled={hasNone}
          onChange={() => onChange({ prices: 'arriving' })}
        />
        <span>
          <strong>Those that arrive</strong>
          {unpriced.map((one) => (
            <span key={one.symbol} class="muted">
              {unpricedText(one)}
            </span>
          ))}
        </span>
      </label>
      <label class="way">
        <input
          type="radio"
          name="prices"
          checked={form.prices === 'replay'}
          onChange={() => onChange({ prices: 'replay' })}
        />
        <span>
          <strong>Replay of recorded candles</strong>
          <span class="muted">
            From a past day on, under a symbol of its own. Its figures count nowhere else, and it ends with
            the candles.
          </span>
        </span>
      </label>
      {form.prices === 'replay' && (
        <>
          <Field
            label="Replay from"
            hint={`Candles from ${format.bar(recorded.from, '1d').text} to ${format.bar(recorded.to, '1d').text}.`}
            error={problems.replayFrom ?? fieldProblem(error, 'replay_from')}
          >
            <TextInput
              type="date"
              value={form.replayFrom}
              min={days.first}
              max={days.last}
              onValue={(replayFrom) => onChange({ replayFrom })}
            />
          </Field>
          <Field
            label="Speed"
            hint={`Candles of ${recorded.timeframe}.`}
            error={problems.replaySpeed ?? fieldProblem(error, 'replay_speed')}
          >
            <NumberInput
              value={form.replaySpeed}
              unit="candles a minute"
              onValue={(replaySpeed) => onChange({ replaySpeed })}
            />
          </Field>
        </>
      )}
    </fieldset>
  );
};
