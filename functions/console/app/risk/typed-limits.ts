import type { RiskLimits, SetRiskLimitsInput } from '../../../../infra/client/package/src/index.ts';
import { numberText, typedNumber } from '../typed-decimal.ts';
import { NUMBER_LIMITS, type NumberLimit, type NumberLimitKind, WEEKDAYS, type Weekday } from './limits.ts';

/** Measure when a loss limit is reached. */
export type LossAction = 'pause' | 'flatten';

export const LOSS_ACTIONS: readonly { readonly value: LossAction; readonly label: string }[] = [
  { value: 'pause', label: 'Pause: no new entries, stops and exits go on' },
  { value: 'flatten', label: 'Halt and close all positions' },
];

/** Limits of one level as typed. */
export interface LimitsForm {
  readonly numbers: Readonly<Record<NumberLimit, string>>;
  /** Symbols, apart by commas or spaces. */
  readonly symbols: string;
  readonly hasHours: boolean;
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  readonly weekdays: readonly Weekday[];
  readonly action: LossAction;
}

type LimitsBody = NonNullable<SetRiskLimitsInput['body']['limits']>;

const ALL_DAYS: readonly Weekday[] = WEEKDAYS.map(([day]) => day);

/** Makes the form of stored limits. */
export const limitsForm = (limits: RiskLimits | null, timeZone: string): LimitsForm => {
  const text = (name: NumberLimit): string => {
    const value = limits?.[name] ?? undefined;
    return value === undefined ? '' : numberText(value);
  };
  const hours = limits?.hours[0];
  const named = hours?.weekdays;
  return {
    numbers: {
      daily_loss: text('daily_loss'),
      daily_loss_pct: text('daily_loss_pct'),
      drawdown_pct: text('drawdown_pct'),
      order_value: text('order_value'),
      position_value: text('position_value'),
      open_positions: text('open_positions'),
      orders_per_day: text('orders_per_day'),
      orders_per_minute: text('orders_per_minute'),
      paper_days: text('paper_days'),
    },
    symbols: limits?.symbols?.join(', ') ?? '',
    hasHours: hours !== undefined,
    from: hours?.from ?? '09:00',
    to: hours?.to ?? '17:00',
    timeZone: hours?.time_zone ?? timeZone,
    weekdays: named ? ALL_DAYS.filter((day) => named.includes(day)) : ALL_DAYS,
    action: limits?.action ?? 'pause',
  };
};

const MAX_PERCENT = 100;

const problemOf = ({ unit }: NumberLimitKind, text: string, locale?: string): string | undefined => {
  if (text === '') return undefined;
  const value = typedNumber(text, locale);
  if (value === undefined)
    return 'Write a number such as 1500 or 2.5, without points, spaces or commas between thousands.';
  if (value <= 0) return 'Write a number above 0, or leave the field empty for no limit.';
  if (unit === 'count' && !Number.isInteger(value)) return 'Write a whole number.';
  if (unit === 'percent' && value > MAX_PERCENT) return 'Write at most 100.';
  return undefined;
};

type Problematic = NumberLimit | 'hours' | 'timeZone';

/** Limits of a form, or its problems by the name of the field. */
export interface ReadLimits {
  readonly limits: LimitsBody;
  readonly problems: Readonly<Partial<Record<Problematic, string>>>;
}

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Reads a form, in the locale of the user by default. Empty fields set no limit. */
export const readLimits = (form: LimitsForm, locale?: string): ReadLimits => {
  const problems: Partial<Record<Problematic, string>> = {};
  const numbers: Partial<Record<NumberLimit, number>> = {};
  for (const kind of NUMBER_LIMITS) {
    const text = form.numbers[kind.name].trim();
    const problem = problemOf(kind, text, locale);
    const value = typedNumber(text, locale);
    if (problem !== undefined) problems[kind.name] = problem;
    else if (value !== undefined) numbers[kind.name] = value;
  }
  const symbols = form.symbols.split(/[\s,;]+/).filter((symbol) => symbol !== '');
  const { hasHours, from, to, timeZone, weekdays } = form;
  if (hasHours && !(TIME.test(from) && TIME.test(to))) problems.hours = 'Write times such as 09:30.';
  else if (hasHours && weekdays.length === 0) problems.hours = 'Choose at least one day.';
  if (hasHours && !isTimeZone(timeZone)) {
    problems.timeZone = 'There is no such time zone. Write one such as Europe/Berlin.';
  }
  const days = weekdays.length < ALL_DAYS.length ? { weekdays } : {};
  return {
    limits: {
      ...numbers,
      ...(symbols.length > 0 && { symbols }),
      ...(hasHours && { hours: { time_zone: timeZone, from, to, ...days } }),
      ...(form.action === 'flatten' && { action: 'flatten' }),
    },
    problems,
  };
};
