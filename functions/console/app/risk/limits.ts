/** Limits that are numbers. */
const NUMBERS = [
  {
    name: 'daily_loss',
    label: 'Loss in a day',
    unit: 'money',
    hint: 'Fall of the equity since the trading day began, with open positions at their prices.',
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
    hint: 'Further entries of the trading day are refused. Exits count, but always leave.',
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

export type Weekday = (typeof WEEKDAYS)[number][0];

/** Share of a limit from which on it is named as close. */
export const CLOSE_PCT = 80;

/** Names the use of a limit. */
export const useWords = (usedPct: number): string => {
  if (usedPct >= 100) return 'Used up';
  return usedPct >= CLOSE_PCT ? 'Nearly used up' : 'Far enough';
};
