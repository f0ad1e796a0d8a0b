import * as z from 'zod';

/** Schema of a split of a series: bars that start before `at` have old units, `units` new ones for each `of`. */
export const splitSchema = z.object({ at: z.number(), units: z.int().min(1), of: z.int().min(1) });
