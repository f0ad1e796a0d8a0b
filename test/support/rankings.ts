import { expect } from '@jest/globals';
import { changeEverywhere } from '../../shared/data/strategies/listings.ts';
import { findStrategy, type StrategyPerformance } from '../../shared/data/strategies/strategies.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { TestHub } from './hub.ts';
import { runJob } from './jobs.ts';
import { build, list, person } from './strategies.ts';

const DAY_MS = 24 * 3_600_000;

/** Figures of a record that differ from those of {@link recordOf}. */
export type RecordFigures = Partial<StrategyPerformance> & { readonly days?: number };

/** Returns the performance of a running track record of a year, as cards show it. */
export const recordOf = ({ clock }: TestHub['runtime'], { days = 365, ...more }: RecordFigures = {}) => ({
  total_return_pct: 10,
  cagr_pct: 10,
  max_drawdown_pct: 10,
  sharpe_ratio: 1,
  volatility_pct: 10,
  win_rate_pct: 50,
  trades_count: 40,
  mode: null,
  as_of: clock().toISOString(),
  source: 'record' as const,
  since: new Date(clock().getTime() - days * DAY_MS).toISOString(),
  version: 1,
  terms: 'standard-1',
  sample_sufficient: days >= 90,
  status: 'running',
  ...more,
});

/** Sets the performance of a strategy on all its cards. */
export const setPerformance = async (
  { runtime: { store } }: TestHub,
  strategyId: number,
  performance: StrategyPerformance,
): Promise<void> => {
  const strategy = await findStrategy(store, strategyId);
  if (!strategy) throw new Error('the strategy is unknown');
  await store.transact(
    changeEverywhere(strategy, {
      update: 'SET performance = :performance',
      values: { ':performance': performance },
    }),
  );
};

/** A listed strategy with its author. */
export interface Listed {
  readonly user_id: string;
  readonly strategy_id: number;
}

/** Lists a new strategy that shows a performance. */
export const listWith = async (
  hub: TestHub,
  performance: StrategyPerformance,
  making: { readonly symbol?: string; readonly timeframe?: string } = {},
): Promise<Listed> => {
  const { user_id } = await person(hub);
  const { body } = await build(hub, { user_id, ...making });
  const strategy_id = Number(body.strategy_id);
  expect((await list(hub, user_id, strategy_id)).status).toBe(200);
  await setPerformance(hub, strategy_id, performance);
  return { user_id, strategy_id };
};

/** Sets the number of records that all authors ever began. */
export const setRecordsBegun = ({ runtime: { store } }: TestHub, count: number): Promise<void> =>
  store.transact([{ key: keys.allRecordsCount(), set: { entity: 'record_count', count } }]);

/** Ranks the catalogue now. */
export const rank = (hub: TestHub) => runJob(hub.runtime, { job: 'rank-strategies', by_hand: true });
