import * as z from 'zod';

/** Schema of a name that an engine gives. Must be well-formed Unicode; other text is not found again. */
export const nameInput = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((name) => name.isWellFormed(), { error: 'is not well-formed Unicode text' });

/** Schema of a symbol. Books are records by symbol, so names that every object has are refused. */
export const symbolInput = nameInput(64).refine((symbol) => !(symbol in {}), {
  error: 'is not a valid symbol',
});
