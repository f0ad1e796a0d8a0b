import { readNumber } from '../read-number.ts';
import type { DateOrder } from './dialects.ts';

/** Marks of the decimals of numbers. */
export const DECIMALS = ['point', 'comma'] as const;

export type Decimal = (typeof DECIMALS)[number];

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Matches dates whose order of day and month is not certain. */
const TWO_NUMBERS = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})/;

type Parts = readonly [year: string, month: string, day: string];

/** Returns the number of a month by its English name; an empty text for another name. */
const monthOf = (name = ''): string => {
  const index = MONTHS.indexOf(name.slice(0, 3).toLowerCase());
  return index < 0 ? '' : String(index + 1);
};

interface DateForm {
  readonly form: RegExp;
  readonly parts: (match: readonly string[], order: DateOrder | undefined) => Parts;
}

/** Forms of dates apart from ISO 8601. */
const DATE_FORMS: readonly DateForm[] = [
  { form: /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})(?!\d)/, parts: ([, y = '', m = '', d = '']) => [y, m, d] },
  { form: /^(\d{4})(\d{2})(\d{2})(?!\d)/, parts: ([, y = '', m = '', d = '']) => [y, m, d] },
  { form: /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/, parts: ([, d = '', m = '', y = '']) => [y, m, d] },
  {
    form: TWO_NUMBERS,
    parts: ([, a = '', b = '', y = ''], order) => (order === 'mdy' ? [y, a, b] : [y, b, a]),
  },
  {
    form: /^(\d{1,2})[- ]([a-z]{3,9})[- ,]+(\d{4})/i,
    parts: ([, d = '', m = '', y = '']) => [y, monthOf(m), d],
  },
  {
    form: /^([a-z]{3,9})\.? (\d{1,2}),? (\d{4})/i,
    parts: ([, m = '', d = '', y = '']) => [y, monthOf(m), d],
  },
];

const CLOCK =
  /^(?<hour>\d{1,2})(?::(?<minute>\d{2})(?::(?<second>\d{2})(?:\.\d+)?)?|(?<minutes>\d{2})(?<seconds>\d{2})?)? ?(?<half>[ap]m)?(?<zone> ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?$/i;

const twoDigits = (text: string | number): string => String(text).padStart(2, '0');

const zoneOf = (text = ''): string => (/^ ?(?:utc|gmt|z)$/i.test(text) ? 'Z' : text.trim());

/** Writes a time of day as ISO 8601; undefined for another text. */
const clockOf = (text: string): string | undefined => {
  const { hour, minute, second, minutes, seconds, half, zone } = CLOCK.exec(text)?.groups ?? {};
  if (hour === undefined) return undefined;
  const past =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  return `${twoDigits(past)}:${minute ?? minutes ?? '00'}:${second ?? seconds ?? '00'}${zoneOf(zone)}`;
};

const HYPHEN = 45;

/** Writes a time of a file as ISO 8601 where its form is known, and leaves it as it is where not. */
export const isoTime = (written: string, order: DateOrder | undefined): string => {
  const text = written.trim();
  if (text.charCodeAt(4) === HYPHEN && text.charCodeAt(7) === HYPHEN) {
    return text.indexOf(' ', 11) < 0 ? text : text.replace(/ (?=[+-]\d)/, '').replace(/ (?:UTC|GMT)$/i, 'Z');
  }
  const fraction = /^(\d{9,10})\.\d+$/.exec(text);
  if (fraction?.[1] !== undefined) return fraction[1];
  for (const { form, parts } of DATE_FORMS) {
    const match = form.exec(text);
    if (!match) continue;
    const [year, month, day] = parts(match, order);
    const rest = text.slice(match[0].length).replace(/^[T,]? */i, '');
    const clock = rest === '' ? undefined : (clockOf(rest) ?? rest);
    const date = `${year}-${twoDigits(month)}-${twoDigits(day)}`;
    return clock === undefined ? date : `${date}T${clock}`;
  }
  return text;
};

/** Returns the order of day and month that dates show; the first uncertain date if none shows it. */
export const dateOrderOf = (times: readonly string[]): { order?: DateOrder; uncertain?: string } => {
  const dates = times.map((text) => TWO_NUMBERS.exec(text.trim())).filter((match) => match !== null);
  if (dates.some(([, first]) => Number(first) > 12)) return { order: 'dmy' };
  if (dates.some(([, , second]) => Number(second) > 12)) return { order: 'mdy' };
  return dates[0] ? { uncertain: dates[0][0] } : {};
};

const UNITS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 };

const THOUSANDS: Readonly<Record<Decimal, RegExp>> = {
  point: /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/,
  comma: /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d*)?$/,
};

/** Removes signs of currencies, spaces and apostrophes. */
const bare = (text: string): string => text.replace(/[\s$€£¥₹'’]/g, '');

/** Reads a number with thousands, signs of currencies, or a unit such as 12.3M; NaN for another text. */
const markedNumber = (text: string, decimal: Decimal): number => {
  const [, body = '', unit] = /^(.*?)([kmb])?$/i.exec(bare(text)) ?? [];
  const grouped = THOUSANDS[decimal].test(body) ? body.replaceAll(decimal === 'point' ? ',' : '.', '') : body;
  // A point in a file with decimal commas is no decimal.
  if (decimal === 'comma' && grouped.includes('.')) return Number.NaN;
  const number = readNumber(decimal === 'comma' ? grouped.replace(',', '.') : grouped);
  if (number === undefined) return Number.NaN;
  return unit === undefined
    ? number
    : (readNumber(String(number * (UNITS[unit.toLowerCase()] ?? 1))) ?? number);
};

/** Reads a number of a file; NaN for another text. */
export const fileNumber = (text: string | undefined, decimal: Decimal): number => {
  if (text === undefined) return Number.NaN;
  const plain = decimal === 'point' ? readNumber(text) : undefined;
  return plain ?? markedNumber(text, decimal);
};

/** Matches numbers that have a decimal comma for certain, and those that have a decimal point. */
const SHOWS_COMMA = /^[+-]?(?:\d+(?:\.\d{3})+,\d+|\d+,(?:\d{1,2}|\d{4,})|0,\d+|\d{4,},\d+)$/;
const SHOWS_POINT = /^[+-]?(?:\d+(?:,\d{3})+\.\d+|\d+\.(?:\d{1,2}|\d{4,})|\d+(?:,\d{3}){2,}|0\.\d+)$/;

/** Returns the mark of decimals that numbers show; the first uncertain number if they show none, or both. */
export const decimalOf = (
  numbers: readonly string[],
): { readonly decimal: Decimal } | { readonly uncertain: string } => {
  const commas = numbers
    .filter((text) => text.includes(','))
    .map((text) => bare(text).replace(/[kmb]$/i, ''));
  const shown = commas.find((text) => SHOWS_COMMA.test(text));
  const first = commas[0];
  if (first === undefined) return { decimal: 'point' };
  const hasPoint = numbers.some((text) => SHOWS_POINT.test(bare(text).replace(/[kmb]$/i, '')));
  if (shown !== undefined) return hasPoint ? { uncertain: shown } : { decimal: 'comma' };
  return hasPoint ? { decimal: 'point' } : { uncertain: first };
};
