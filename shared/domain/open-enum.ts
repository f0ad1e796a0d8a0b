import * as z from 'zod';
import { own } from './own.ts';

/**
 * A stored enum that newer versions may extend. A value that this version does not know is read as `fallback` and
 * stays stored until this version writes another one. For values without a safe fallback (side, mode, timeframe)
 * a plain enum: a record with a newer one is refused, or left out of lists.
 */
export const openEnum = <const V extends string, const F extends V | null>(
  values: readonly V[],
  fallback: F,
) => z.enum(values).or(z.string().transform((): V | F => fallback));

/** A stored list of enum values; leaves out those that this version does not know. */
export const openEnumList = <const V extends string>(values: readonly V[]) => {
  const known: ReadonlySet<string> = new Set(values);
  return z.array(z.string()).transform((all) => all.filter((value): value is V => known.has(value)));
};

/** A stored record by enum value; leaves out those that this version does not know. */
export const openRecord = <const V extends string, S extends z.ZodType>(values: readonly V[], entry: S) =>
  z.record(z.string(), entry).transform((all) => {
    const known: Partial<Record<V, z.output<S>>> = {};
    for (const value of values) {
      const found = own<z.output<S>>(all, value);
      if (found !== undefined) known[value] = found;
    }
    return known;
  });
