import { typedNumber } from '../typed-decimal.ts';

/** Limit over all deployments with real orders. */
export interface OverallKind {
  readonly name: 'daily_loss' | 'exposure' | 'orders_per_day' | 'orders_per_minute';
  readonly label: string;
  readonly hint: string;
  readonly isMoney: boolean;
}

export const OVERALL_LIMITS: readonly OverallKind[] = [
  {
    name: 'daily_loss',
    label: 'Loss in a day',
    hint: 'Of all deployments together since 00:00 UTC. It stops all of them.',
    isMoney: true,
  },
  {
    name: 'exposure',
    label: 'Exposure',
    hint: 'Value of all positions and of the entries on their way. Entries beyond it are refused.',
    isMoney: true,
  },
  {
    name: 'orders_per_day',
    label: 'Orders in a day',
    hint: 'Further entries of the day (UTC) are refused.',
    isMoney: false,
  },
  {
    name: 'orders_per_minute',
    label: 'Orders in a minute',
    hint: 'Further entries of the minute are refused.',
    isMoney: false,
  },
];

/** Returns why a typed limit cannot be set; undefined for one that can, or none. */
export const overallProblem = (
  { isMoney }: OverallKind,
  text: string,
  locale?: string,
): string | undefined => {
  if (text === '') return undefined;
  const value = typedNumber(text, locale);
  if (value === undefined || value <= 0) {
    return 'Write a number above 0, or leave the field empty for no limit.';
  }
  return isMoney || Number.isInteger(value) ? undefined : 'Write a whole number.';
};

/** Returns the limits of a form without problems. */
export const readOverall = (
  numbers: Readonly<Record<OverallKind['name'], string>>,
  locale?: string,
): Partial<Record<OverallKind['name'], number>> =>
  Object.fromEntries(
    OVERALL_LIMITS.flatMap(({ name }) => {
      const value = numbers[name] === '' ? undefined : typedNumber(numbers[name], locale);
      return value === undefined ? [] : [[name, value]];
    }),
  );
