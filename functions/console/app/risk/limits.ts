import type { RiskLimits, SetRiskLimitsInput } from '../../../../infra/client/package/src/index.ts';
import { typedAmount, typedNumber } from '../typed-decimal.ts';

/** Limits that are numbers. */
const NUMBERS = [
  {
    name: 'daily_loss',
    label: 'Loss in a day',
    unit: 'money',
    hint: 'Fall of the equity since midnight UTC, with open positions at their prices.',
  },
  {
    name: 'daily_loss_pct',
    label: 'Loss in a day, in percent',
    unit: 'percent',
    hint: 'The same, in percent of the equity at the start of the day.',
  },
  {
    name: 'drawdown_pct',
    label: 'Fall below the peak',
    unit: 'percent',
    hint: 'Drawdown: how far the equity may fall below its highest value.',
  },
  {
    name: 'order_value',
    label: 'Value of an order',
    unit: 'money',
    hint: 'Larger entries are refused.',
  },
  {
    name: 'position_value',
    label: 'Value of a position',
    unit: 'money',
    hint: 'Entries that would make the position in a symbol larger are refused.',
  },
  {
    name: 'open_positions',
    label: 'Open positions',
    unit: 'count',
    hint: 'Entries in further symbols are refused.',
  },
  {
    name: 'orders_per_day',
    label: 'Orders in a day',
    unit: 'count',
    hint: 'Further entries of the day (UTC) are refused. Exits count, but always leave.',
  },
  {
    name: 'orders_per_minute',
    label: 'Orders in a minute',
    unit: 'count',
    hint: 'Further entries of the minute are refused. Exits count, but always leave.',
  },
  {
    name: 'paper_days',
    label: 'Days on paper first',
    unit: 'count',
    hint: 'A strategy has to trade on paper for so many days before it may use real money.',
  },
] as const;

export type NumberLimit = (typeof NUMBERS)[number]['name'];

/** Kind of a limit that is a number. */
export interface NumberLimitKind {
  readonly name: NumberLimit;
  readonly label: string;
  readonly unit: 'money' | 'percent' | 'count';
  readonly hint: string;
}

export const NUMBER_LIMITS: readonly NumberLimitKind[] = NUMBERS;

/** Returns the name of a limit for people. */
export const limitLabel = (name: string): string => {
  const known = NUMBER_LIMITS.find((one) => one.name === name)?.label;
  if (known !== undefined) return known;
  if (name === 'symbols') return 'Allowed symbols';
  return name === 'hours' ? 'Allowed hours' : name.replaceAll('_', ' ');
};

export const unitOf = (name: string): NumberLimitKind['unit'] =>
  NUMBER_LIMITS.find((one) => one.name === name)?.unit ?? 'count';

export const WEEKDAYS = [
  ['mon', 'Monday'],
  ['tue', 'Tuesday'],
  ['wed', 'Wednesday'],
  ['thu', 'Thursday'],
  ['fri', 'Friday'],
  ['sat', 'Saturday'],
  ['sun', 'Sunday'],
] as const;

type Weekday = (typeof WEEKDAYS)[number][0];

/** Measure when a loss limit is reached. */
export type LossAction = 'pause' | 'flatten';

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

type LimitsBody = SetRiskLimitsInput['body']['limits'];

const ALL_DAYS: readonly Weekday[] = WEEKDAYS.map(([day]) => day);

/** Makes the form of stored limits. */
export const limitsForm = (limits: RiskLimits | null, timeZone: string): LimitsForm => {
  const text = (name: NumberLimit): string => limits?.[name]?.toString() ?? '';
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
  const value = unit === 'percent' ? typedNumber(text) : typedAmount(text, locale);
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
    const value = typedNumber(text);
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

/** Share of a limit from which on it is named as close. */
export const CLOSE_PCT = 80;

/** Names the use of a limit. */
export const useWords = (usedPct: number): string => {
  if (usedPct >= 100) return 'Used up';
  return usedPct >= CLOSE_PCT ? 'Nearly used up' : 'Far enough';
};
