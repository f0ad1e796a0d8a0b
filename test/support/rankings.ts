import { entryKey } from '../../shared/data/numbered-list/numbered-list.ts';
import { changeEverywhere, EXPLORE_LIST } from '../../shared/data/strategies/listings.ts';
import { findStrategy, type StrategyPerformance } from '../../shared/data/strategies/strategies.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { STRATEGY_ASSET_CLASSES, TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';
import type { TestHub } from './hub.ts';
import { runJob } from './jobs.ts';
import { randomNumbers } from './random-bars.ts';
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
  const { status, text } = await list(hub, user_id, strategy_id);
  if (status !== 200) throw new Error(`a strategy was not listed: ${text}`);
  await setPerformance(hub, strategy_id, performance);
  return { user_id, strategy_id };
};

/** Returns cards with random figures, some of which are not ranked, as the job sees them. */
export const randomCards = ({ runtime }: TestHub, seed: number, count: number) => {
  const random = randomNumbers(seed);
  const one = <T>(values: readonly [T, ...T[]]): T =>
    values[Math.floor(random() * values.length)] ?? values[0];
  return Array.from({ length: count }, (_, seq) => ({
    seq,
    asset_class: one(STRATEGY_ASSET_CLASSES),
    timeframe: one(TIMEFRAMES),
    performance: recordOf(runtime, {
      days: 80 + Math.floor(random() * 2000),
      sharpe_ratio: Math.round(random() * 40 - 10) / 10,
      cagr_pct: Math.round(random() * 200 - 50),
      volatility_pct: 1 + Math.round(random() * 30),
      max_drawdown_pct: Math.round(random() * 60),
      status: random() < 0.1 ? 'stale' : 'running',
      returns_pct: Array.from({ length: 25 }, () => random()),
    }),
  }));
};

/** Card of the catalogue, as far as ranks depend on it. */
export type RandomCard = ReturnType<typeof randomCards>[number];

/** Writes cards into the catalogue. */
export const putCards = ({ runtime: { store } }: TestHub, cards: readonly RandomCard[]): Promise<void> =>
  store.batchWrite(
    cards.map(({ seq, ...card }) => ({
      put: { ...entryKey(EXPLORE_LIST, seq), entity: 'strategy_card', ...card },
    })),
  );

/** Sets the number of records that all authors ever began. */
export const setRecordsBegun = ({ runtime: { store } }: TestHub, count: number): Promise<void> =>
  store.transact([{ key: keys.allRecordsCount(), set: { entity: 'record_count', count } }]);

/** Ranks the catalogue now. */
export const rank = (hub: TestHub) => runJob(hub.runtime, { job: 'rank-strategies', by_hand: true });
