import * as z from 'zod';

const NON_FINITE = ['NaN', 'Infinity', '-Infinity'] as const;

/** Schema of a stored number. JSON has no numbers that are not finite; {@link storedText} writes their names. */
export const stored = z.union([z.number(), z.enum(NON_FINITE).transform(Number)]);

/** Writes a state as JSON. */
export const storedText = (state: unknown): string =>
  JSON.stringify(state, (_, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  );
