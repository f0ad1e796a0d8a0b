import type { BarFacts, ConditionAt } from '../../../deployments/bar-facts.ts';
import { decisionName, differenceName } from '../../../deployments/parity-words.ts';
import { format } from '../../../format.ts';
import { Money } from '../../../ui/figures.tsx';

interface BarPanelProps {
  readonly of: BarFacts;
  readonly timeframe: string;
  readonly currency: string;
}

const SIGNS = { true: '✓', false: '×', undefined: '–' } as const;
const SPOKEN = { true: 'holds: ', false: 'does not hold: ', undefined: 'not known: ' } as const;
const TONES = { true: 'sign-good', false: 'sign-bad', undefined: 'muted' } as const;

const Conditions = ({ title, of: conditions }: { title: string; of: readonly ConditionAt[] }) =>
  conditions.length === 0 ? null : (
    <section>
      <h3>{title}</h3>
      <ul class="bar-conditions">
        {conditions.map(({ text, level, holds }, index) => (
          <li key={index} data-level={Math.min(level, 4)}>
            <span class={TONES[`${holds}`]}>
              <span aria-hidden="true">{SIGNS[`${holds}`]}</span>
              <span class="unseen">{SPOKEN[`${holds}`]}</span>
            </span>{' '}
            {text}
          </li>
        ))}
      </ul>
    </section>
  );

const Texts = ({ title, of: texts, none }: { title: string; of: readonly string[]; none: string }) => (
  <section>
    <h3>{title}</h3>
    {texts.length === 0 ? (
      <p class="muted">{none}</p>
    ) : (
      <ul class="plain-list">
        {texts.map((text, index) => (
          <li key={index}>{text}</li>
        ))}
      </ul>
    )}
  </section>
);

const fillText = ({
  side,
  filled_quantity,
  average_price,
  fees,
  currency,
}: BarFacts['filled'][number]): string =>
  `${side === 'buy' ? 'Bought' : 'Sold'} ${format.quantity(filled_quantity)} at ${format.price(average_price)}, fees ${format.money(fees, currency)}`;

const orderText = ({ side, order_type, quantity }: BarFacts['placed'][number]): string =>
  `${side === 'buy' ? 'Buy' : 'Sell'} ${format.quantity(quantity)}, ${order_type.replace('_', ' ')}`;

type Difference = NonNullable<BarFacts['differences']>[number];

const differenceText = (one: Difference): string => {
  if ('expected' in one) {
    return `${differenceName(one.kind)}: ${one.expected ?? 'not there'} in the backtest, ${one.found ?? 'not there'} here`;
  }
  const name = decisionName(one.decision);
  if (one.kind !== 'matched') return `${name}: ${one.kind}${one.reason === null ? '' : `, ${one.reason}`}`;
  return `${name}: ${format.price(one.backtest_price)} in the backtest, ${format.price(one.price)} here`;
};

/** Conditions, decision, fills and differences of a bar. */
export const BarPanel = ({ of: facts, timeframe, currency }: BarPanelProps) => {
  const { start, close, values, entries, exits, decisions, placed, filled, differences } = facts;
  const effect = differences?.reduce(
    (sum, one) =>
      'slippage' in one ? sum + one.slippage + one.fees + one.delay + one.missing + one.extra : sum,
    0,
  );
  return (
    <div class="bar-panel">
      <section>
        <h3>{format.bar(start, timeframe).text}</h3>
        <ul class="plain-list">
          <li>
            Close <strong>{format.price(close)}</strong>
          </li>
          {values.map(({ label, value }) => (
            <li key={label}>
              {label} <strong>{format.price(value)}</strong>
            </li>
          ))}
        </ul>
      </section>
      <Conditions title="To enter" of={entries} />
      <Conditions title="To leave" of={exits} />
      <Texts
        title="Decision"
        of={decisions.length > 0 ? decisions : placed.map(orderText)}
        none="Nothing was ordered."
      />
      <Texts title="Fill" of={filled.map(fillText)} none="Nothing was filled." />
      {differences && (
        <section>
          <Texts title="Difference from the backtest" of={differences.map(differenceText)} none="None." />
          {effect !== undefined && effect !== 0 && (
            <p>
              Effect <Money value={effect} currency={currency} signed />
            </p>
          )}
        </section>
      )}
    </div>
  );
};
