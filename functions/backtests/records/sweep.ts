import * as z from 'zod';
import { extensionRecord, integer, requestRecord, timestamp } from '../../../shared/api/fields.ts';
import type { Sweep } from '../../../shared/data/backtests/sweeps.ts';
import { warningSchema } from '../../../shared/domain/engine/backtest/report.ts';
import { figuresSchema, RANK_FIGURES } from '../../../shared/domain/engine/sweep/figures.ts';
import { combinationAt } from '../../../shared/domain/engine/sweep/grid.ts';
import type { SweepOutcome } from '../../../shared/domain/engine/sweep/join.ts';
import type { SweepSetup } from '../../../shared/domain/engine/sweep/setup.ts';
import { accountOut, presentTerms } from './backtest.ts';
import { presentRunState, runStateFields } from './run-state.ts';

const identityFields = {
  sweep_id: integer(),
  ...runStateFields,
  rank_by: z.enum(RANK_FIGURES),
  combinations: integer(),
  created_at: timestamp(),
  finished_at: timestamp().nullable(),
};

const values = () => z.record(z.string(), z.number());

const bestOut = extensionRecord(
  'SweepCombination',
  z.object({
    rank: integer(),
    params: values(),
    in_sample: figuresSchema.nullable(),
    out_of_sample: figuresSchema.nullable(),
    collapsed: z.boolean(),
  }),
);

/** Sweep with its result. Before it is done, the result is empty. */
export const sweepOut = extensionRecord(
  'SweepOut',
  z.object({
    ...identityFields,
    rules: requestRecord('Rules'),
    params: z.record(z.string(), z.array(z.number())),
    sentence: z.string(),
    from: timestamp().nullable(),
    to: timestamp(),
    split_at: timestamp(),
    currency: z.string(),
    account: accountOut,
    best: z.array(bestOut),
    profitable_in_sample: integer().nullable(),
    profitable_out_of_sample: integer().nullable(),
    warnings: z.array(warningSchema),
    engine_version: integer().nullable(),
    candles_hash: z.string().nullable(),
  }),
);

const summaryOut = extensionRecord(
  'SweepSummary',
  z.object({
    params: values(),
    in_sample: z.number().nullable(),
    out_of_sample: z.number().nullable(),
  }),
);

/** Sweep as lists show it. */
export const sweepItemOut = extensionRecord(
  'SweepItem',
  z.object({ ...identityFields, summary: summaryOut.nullable() }),
);

const identityOf = (sweep: Sweep): Omit<z.output<typeof sweepItemOut>, 'summary'> => ({
  sweep_id: sweep.sweep_id,
  ...presentRunState({ ...sweep, progress: sweep.slices_done / sweep.slices }),
  rank_by: sweep.rank_by,
  combinations: sweep.combinations,
  created_at: sweep.created_at,
  finished_at: sweep.finished_at ?? null,
});

/** Presents a sweep in a list. */
export const presentSweepItem = (sweep: Sweep): z.output<typeof sweepItemOut> => ({
  ...identityOf(sweep),
  summary: sweep.summary,
});

/** Presents a sweep to its owner. */
export const presentSweep = (
  sweep: Sweep,
  { base, axes, split_at }: SweepSetup,
  outcome: SweepOutcome | undefined,
): z.output<typeof sweepOut> => ({
  ...identityOf(sweep),
  ...presentTerms(base),
  params: Object.fromEntries(axes.map(({ name, values: tried }) => [name, tried])),
  split_at: new Date(split_at).toISOString(),
  best: (outcome?.best ?? []).map(({ number, ...figures }, index) => ({
    rank: index + 1,
    params: combinationAt(axes, number),
    ...figures,
  })),
  profitable_in_sample: outcome?.profitable_in_sample ?? null,
  profitable_out_of_sample: outcome?.profitable_out_of_sample ?? null,
  warnings: [...sweep.notices, ...(outcome?.warnings ?? [])],
  engine_version: outcome?.engine_version ?? null,
  candles_hash: outcome?.candles_hash ?? null,
});
