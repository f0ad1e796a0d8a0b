import * as z from 'zod';
import { CANDLE_OWNERS } from '../../domain/engine/backtest/setup.ts';
import { RANK_FIGURES } from '../../domain/engine/sweep/figures.ts';
import { outcomeSchema, type SweepOutcome } from '../../domain/engine/sweep/join.ts';
import { type SweepSetup, sweepSetupSchema } from '../../domain/engine/sweep/setup.ts';
import { TIMEFRAMES } from '../../domain/strategies/strategies.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Write } from '../table/writes.ts';
import { BACKTEST_STATUSES } from './backtests.ts';
import { chargeSchema } from './work-budget.ts';

/** The best combination of a sweep with the figures that it is ranked by, for lists. */
const summarySchema = z.object({
  params: z.record(z.string(), z.number()),
  in_sample: z.number().nullable(),
  out_of_sample: z.number().nullable(),
});

const sweepSchema = z.object({
  sweep_id: z.number(),
  user_id: z.string(),
  strategy_id: z.number().optional(),
  symbols: z.array(z.string()),
  timeframe: z.enum(TIMEFRAMES),
  /** Owner of the candles. */
  candles: z.enum(CANDLE_OWNERS).default('hub'),
  /** `removed` waits for the removal of its items. */
  status: z.enum([...BACKTEST_STATUSES, 'removed']),
  /** Reason of a failure, for the owner. */
  error: z.string().optional(),
  rules_hash: z.string(),
  /** Work in bars × (indicators + conditions). */
  work: z.number(),
  /** Budgets that the work is settled with. */
  charge: chargeSchema.optional(),
  rank_by: z.enum(RANK_FIGURES),
  combinations: z.number(),
  slices: z.number(),
  slices_done: z.number(),
  created_at: z.string(),
  finished_at: z.string().optional(),
  summary: summarySchema.nullable(),
  /** Remarks that are not part of the result. */
  notices: z.array(z.object({ code: z.string(), message: z.string(), count: z.number().optional() })),
});

/** A sweep without its setup and result. */
export type Sweep = z.output<typeof sweepSchema>;

/** Parses an item as a sweep; undefined for none and for one that was removed. */
export const asSweep = (item: Item | undefined): Sweep | undefined => {
  const sweep = item && parseItem(sweepSchema, item);
  return sweep?.status === 'removed' ? undefined : sweep;
};

/** Returns whether workers still have to do something for a sweep. */
export const isUnfinished = ({ status }: Sweep): boolean => status === 'queued' || status === 'running';

const setupItem = z.object({ setup: packed(sweepSetupSchema) });
const outcomeItem = z.object({ outcome: packed(outcomeSchema) });

/** Parses the setup of a sweep. */
export const sweepSetupIn = (item: Item): SweepSetup => parseItem(setupItem, item).setup;

/** Parses the result of a sweep; undefined if it is not finished. */
export const outcomeIn = (item: Item | undefined): SweepOutcome | undefined =>
  item && parseItem(outcomeItem, item).outcome;

export const sweepSetupWrite = (sweepId: number, setup: SweepSetup): Write => ({
  put: { ...keys.sweepSetup(sweepId), entity: 'sweep_setup', setup: pack(setup) },
});

export const outcomeWrite = (sweepId: number, outcome: SweepOutcome): Write => ({
  put: { ...keys.sweepOutcome(sweepId), entity: 'sweep_outcome', outcome: pack(outcome) },
});

/** Index partition of removed sweeps whose items still exist. */
export const SWEEP_REMOVAL_KIND = 'sweep_removal';

/** Returns the write that removes a sweep from its owner's sight. A job removes its items. */
export const sweepRemovalWrite = (sweepId: number, now: Date): Write => ({
  key: keys.sweep(sweepId),
  update: 'SET #status = :removed, due_kind = :kind, due_at = :now',
  condition: 'attribute_exists(pk)',
  names: { '#status': 'status' },
  values: { ':removed': 'removed', ':kind': SWEEP_REMOVAL_KIND, ':now': now.getTime() },
});
