import * as z from 'zod';
import { extensionRecord, timeOfRequest } from '../../../shared/api/fields.ts';
import { RANK_FIGURES } from '../../../shared/domain/engine/sweep/figures.ts';
import { MAX_COMBINATIONS } from '../../../shared/domain/engine/sweep/grid.ts';
import { NOT_A_NUMBER } from '../../../shared/domain/read-number.ts';
import { subjectFields } from './body.ts';

/** Part of the time that is in sample, if a request names no split. */
const DEFAULT_SPLIT = 0.7;

const number = () => z.number({ error: NOT_A_NUMBER });

const rangeSchema = extensionRecord(
  'SweepRange',
  z.strictObject({ from: number(), to: number(), step: number().gt(0) }),
);

const valuesSchema = z.union([number(), z.array(number()).min(1).max(MAX_COMBINATIONS), rangeSchema], {
  error: 'value is not a number, a list of numbers, or a range such as {"from": 5, "to": 50, "step": 5}',
});

/** Values to try of a parameter. */
export type SweepValues = z.output<typeof valuesSchema>;

export const sweepIn = extensionRecord(
  'SweepIn',
  z.strictObject({
    ...subjectFields,
    params: z.record(z.string(), valuesSchema),
    split: z
      .union([z.number().gt(0).lt(1), timeOfRequest()], {
        error: 'value is not a fraction between 0 and 1, or a time',
      })
      .default(DEFAULT_SPLIT),
    rank_by: z.enum(RANK_FIGURES).default('sharpe_ratio'),
  }),
);

export type SweepRequest = z.output<typeof sweepIn>;
