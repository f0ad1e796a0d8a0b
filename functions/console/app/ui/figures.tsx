import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Moment, ShownTime } from '../format/times.ts';
import { type Amount, isShown, NONE } from '../format/values.ts';
import { format } from '../format.ts';

/** Text in place of a missing value for screen readers. */
const NONE_SPOKEN = 'no value';

interface ShownProps {
  readonly text: string;
  readonly tone?: string | undefined;
  /** The number of the text, by which tables are sorted and exported. */
  readonly value?: Amount;
  /** Currency, or `%`. */
  readonly unit?: string;
}

/** Text of a figure. A missing value is spoken as such. */
export const Shown = ({ text, tone = '', value, unit }: ShownProps) => {
  if (text === NONE) {
    return (
      <span class="figure-text">
        <span aria-hidden="true">{text}</span>
        <span class="unseen">{NONE_SPOKEN}</span>
      </span>
    );
  }
  const look = `figure-text ${tone}`;
  return isShown(value) ? (
    <data class={look} value={value} data-unit={unit}>
      {text}
    </data>
  ) : (
    <span class={look}>{text}</span>
  );
};

const toneOf = (value: Amount, signed: boolean | undefined): string | undefined => {
  if (!signed || !value) return undefined;
  return value > 0 ? 'gain' : 'loss';
};

interface SignedProps {
  readonly value: Amount;
  /** True for gains and losses: they have a sign and a colour. */
  readonly signed?: boolean;
}

/** Amount of money. */
export const Money = ({ value, currency, signed }: SignedProps & { readonly currency: string }) => (
  <Shown
    text={format.money(value, currency, { signed })}
    tone={toneOf(value, signed)}
    value={value}
    unit={currency}
  />
);

/** Percentage, given in percent points. */
export const Percent = ({ value, signed }: SignedProps) => (
  <Shown text={format.percent(value, { signed })} tone={toneOf(value, signed)} value={value} unit="%" />
);

/** Quantity of an instrument. */
export const Quantity = ({ value, signed }: SignedProps) => (
  <Shown text={format.quantity(value, { signed })} value={value} />
);

/** Price of an instrument. */
export const Price = ({ value }: Pick<SignedProps, 'value'>) => (
  <Shown text={format.price(value)} value={value} />
);

/** Number of things. */
export const Count = ({ value }: Pick<SignedProps, 'value'>) => (
  <Shown text={format.count(value)} value={value} />
);

/** Ratio, such as a Sharpe ratio. */
export const Ratio = ({ value }: Pick<SignedProps, 'value'>) => (
  <Shown text={format.ratio(value)} value={value} />
);

/** Length of time, given in seconds. */
export const Duration = ({ value }: Pick<SignedProps, 'value'>) => (
  <Shown text={format.duration(value)} value={value} unit="s" />
);

const Time = ({ of: { text, title, iso } }: { readonly of: ShownTime }) =>
  iso === '' ? (
    <Shown text={text} />
  ) : (
    <time dateTime={iso} title={title}>
      {text}
    </time>
  );

/** Moment in the user's time zone. */
export const When = ({ at, seconds = false }: { readonly at: Moment; readonly seconds?: boolean }) => (
  <Time of={format.when(at, { seconds })} />
);

/** Day in the user's time zone. */
export const Day = ({ at }: { readonly at: Moment }) => <Time of={format.day(at)} />;

/** Month, given as `2024-03`. */
export const Month = ({ month }: { readonly month: string }) => (
  <Time of={{ text: format.month(month), title: '', iso: month }} />
);

/** Time of a bar: the day of bars of a day or longer. */
export const BarTime = ({ at, timeframe }: { readonly at: Moment; readonly timeframe: string }) => (
  <Time of={format.bar(at, timeframe)} />
);

const TICK_MS = 1_000;
const SLOW_TICK_MS = 15_000;
const MINUTE_MS = 60_000;

interface AgeProps {
  readonly at: Moment;
  /** Age from which on it is marked as old, in milliseconds. */
  readonly oldMs?: number;
}

/** Time since a moment, such as `12s ago`. It goes on by itself, and is marked once it is old. */
export const Age = ({ at, oldMs = MINUTE_MS }: AgeProps) => {
  const [now, setNow] = useState(Date.now());
  const { iso, title } = format.when(at, { seconds: true });
  const age = now - Date.parse(iso);
  const isFast = age < MINUTE_MS;
  useEffect(() => {
    setNow(Date.now());
    if (iso === '') return;
    const timer = setInterval(() => setNow(Date.now()), isFast ? TICK_MS : SLOW_TICK_MS);
    return () => clearInterval(timer);
  }, [iso, isFast]);
  if (iso === '') return <Shown text={NONE} />;
  return (
    <time class={age > oldMs ? 'age age-old' : 'age'} dateTime={iso} title={title}>
      {format.age(at, now)}
    </time>
  );
};

interface FigureProps {
  readonly label: ComponentChildren;
  readonly value: ComponentChildren;
  readonly hint?: ComponentChildren;
}

/** Statistic with its name. Put several into `<dl class="figures">`. */
export const Figure = ({ label, value, hint }: FigureProps) => (
  <div class="figure">
    <dt>{label}</dt>
    <dd>{value}</dd>
    {hint && <dd class="figure-hint">{hint}</dd>}
  </div>
);
