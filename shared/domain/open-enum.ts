import * as z from 'zod';
import { own } from './unknown-fields.ts';

/**
 * Schema of a stored enum that newer versions may extend. An unknown value reads as `fallback` and stays stored until
 * this version writes another one. Use a plain enum if there is no safe fallback (side, mode, timeframe): a record
 * with an unknown value is then refused, or omitted from lists.
 */
export const openEnum = <const V extends string, const F extends V | null>(
  values: readonly V[],
  fallback: F,
) => z.enum(values).or(z.string().transform((): V | F => fallback));

/** Schema of a stored list of enum values; omits unknown ones. */
export const openEnumList = <const V extends string>(values: readonly V[]) => {
  const known: ReadonlySet<string> = new Set(values);
  return z.array(z.string()).transform((all) => all.filter((value): value is V => known.has(value)));
};

/** Schema of a stored record by enum value; omits unknown ones. */
export const openRecord = <const V extends string, S extends z.ZodType>(values: readonly V[], entry: S) =>
  z.record(z.string(), entry).transform((all) => {
    const known: Partial<Record<V, z.output<S>>> = {};
    for (const value of values) {
      const found = own<z.output<S>>(all, value);
      if (found !== undefined) known[value] = found;
    }
    return known;
  });
