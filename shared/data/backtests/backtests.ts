import * as z from 'zod';
import { CANDLE_OWNERS } from '../../domain/engine/backtest/setup.ts';
import { TIMEFRAMES } from '../../domain/strategies/strategies.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Write } from '../table/writes.ts';
import { PATIENCE_MS } from './leases.ts';
import { recordPlaceSchema } from './record-events.ts';
import { chargeSchema } from './work-budget.ts';

export const BACKTEST_STATUSES = ['queued', 'running', 'done', 'failed'] as const;

/** Main figures of a backtest, for lists. */
const summarySchema = z.object({
  total_return_pct: z.number().nullable(),
  max_drawdown_equity_pct: z.number().nullable(),
  sharpe_ratio: z.number().nullable(),
  win_rate_pct: z.number().nullable(),
  trades_count: z.number(),
  final_equity: z.number(),
});

const backtestSchema = z.object({
  backtest_id: z.number(),
  user_id: z.string(),
  /** Strategy of the rules, or under which the owner filed it. */
  strategy_id: z.number().optional(),
  /** Name that the owner gave. */
  backtest_name: z.string().optional(),
  symbols: z.array(z.string()),
  timeframe: z.enum(TIMEFRAMES),
  /** Owner of the candles. */
  candles: z.enum(CANDLE_OWNERS).default('hub'),
  /** `removed` waits for the removal of its items. */
  status: z.enum([...BACKTEST_STATUSES, 'removed']),
  /** Part of the bars that is done, from 0 to 1. */
  progress: z.number(),
  /** Reason of a failure, for the owner. */
  error: z.string().optional(),
  rules_hash: z.string(),
  /** Work in bars × (indicators + conditions). */
  work: z.number(),
  /** Budgets that the work of a job is settled with; absent for a backtest that ended in its request. */
  charge: chargeSchema.optional(),
  created_at: z.string(),
  finished_at: z.string().optional(),
  summary: summarySchema.nullable(),
  /** Trades that are stored, and the start of the run that stored them. */
  trades: z.number(),
  start: z.number(),
  /** Items that hold the saved state of a running backtest. */
  state_parts: z.number().optional(),
  /** Times that a worker began since the last progress. */
  attempts: z.number().optional(),
  /** Set if the owner listened to change events when the backtest was requested. Its end is one then. */
  listened: z.literal(true).optional(),
  /** Track record that begins where the backtest ends: it belongs to no list of its user. */
  record: recordPlaceSchema.optional(),
  /** Remarks that are not part of the result. */
  notices: z.array(z.object({ code: z.string(), message: z.string(), count: z.number().optional() })),
});

/** A backtest without its setup, result and trades. */
export type Backtest = z.output<typeof backtestSchema>;

/** Parses an item as a backtest; undefined for none and for one that was removed. */
export const asBacktest = (item: Item | undefined): Backtest | undefined => {
  const backtest = item && parseItem(backtestSchema, item);
  return backtest?.status === 'removed' ? undefined : backtest;
};

/** Returns whether an item is a backtest of a user that was removed. */
export const isRemovedOf = (item: Item | undefined, userId: string): boolean =>
  item?.status === 'removed' && item.user_id === userId;

/** Returns the write of a new backtest. Fails if the id is taken. */
export const newBacktestWrite = (backtest: Backtest, more: Item = {}): Write => ({
  put: { ...backtest, ...more, ...keys.backtest(backtest.backtest_id), entity: 'backtest' },
  if: { condition: 'attribute_not_exists(pk)' },
});

/** Returns the write of the owner's edit. Fails if the backtest was removed. */
export const editWrite = (
  backtestId: number,
  edit: Pick<Partial<Backtest>, 'backtest_name' | 'strategy_id'>,
): Write => ({
  key: keys.backtest(backtestId),
  set: edit,
  if: {
    condition: 'attribute_exists(pk) AND #status <> :removed',
    names: { '#status': 'status' },
    values: { ':removed': 'removed' },
  },
});

/** Index partition of removed backtests whose items still exist. */
export const REMOVAL_KIND = 'backtest_removal';

/**
 * Returns the write that removes a backtest from its owner's sight. A job removes its items, once a worker that stores
 * trades at this moment has noticed.
 */
export const removalWrite = (backtestId: number, now: Date): Write => ({
  key: keys.backtest(backtestId),
  update: 'SET #status = :removed, due_kind = :kind, due_at = :later REMOVE holder, lease_until',
  condition: 'attribute_exists(pk)',
  names: { '#status': 'status' },
  values: { ':removed': 'removed', ':kind': REMOVAL_KIND, ':later': now.getTime() + PATIENCE_MS },
});
