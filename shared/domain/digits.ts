import { isRecord } from './unknown-fields.ts';

/** Decimal digits that every double holds. Later ones are noise of computing. */
export const DOUBLE_DIGITS = 15;

/** Numbers from here on have no decimals within the digits of a double. */
const WHOLE = 1e14;
const DECIMALS = 1e6;
const MAX_EXACT = 1e15;
/** Deeper values stay as they are, to bound the stack. No schema reads them. */
const MAX_DEPTH = 64;

/**
 * Returns a number at 15 significant digits: without the noise that computing with doubles leaves. Whole numbers keep
 * all digits, as identifiers have more.
 *
 * @example
 * atDigits(0.1 + 0.2); // 0.3
 */
export const atDigits = (value: number): number => {
  if (Number.isInteger(value)) return value;
  // Most numbers have few decimals; checking it is cheaper than writing their digits.
  const scaled = Math.round(value * DECIMALS);
  if (Math.abs(scaled) < MAX_EXACT && scaled / DECIMALS === value) return value;
  return Number(value.toPrecision(DOUBLE_DIGITS));
};

/** Rounding would make a whole number of it: an identifier with a fraction would become another identifier. */
const takenNumber = (value: number): number => (Math.abs(value) < WHOLE ? atDigits(value) : value);

/** Maps the numbers of a JSON value. Copies only what changes. */
const mapped = (value: unknown, map: (number: number) => number, depth = 0): unknown => {
  if (typeof value === 'number') return map(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    let copy: unknown[] | undefined;
    for (let index = 0; index < items.length; index++) {
      const next = mapped(items[index], map, depth + 1);
      if (!Object.is(next, items[index])) {
        copy ??= [...items];
        copy[index] = next;
      }
    }
    return copy ?? value;
  }
  if (!isRecord(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const next = mapped(value[key], map, depth + 1);
    if (!Object.is(next, value[key])) {
      copy ??= { ...value };
      copy[key] = next;
    }
  }
  return copy ?? value;
};

/** Takes the numbers of a JSON value that enters at the digits that doubles hold. Texts keep their digits. */
export const takenNumbers = (value: unknown): unknown => mapped(value, takenNumber);

/** Returns a value that leaves, with its numbers at the digits that doubles hold. */
export const shownNumbers = (value: unknown): unknown => mapped(value, atDigits);

/** Returns the fields of a record that leaves, as {@link shownNumbers} does. */
export const shownFields = (record: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, shownNumbers(value)]));
