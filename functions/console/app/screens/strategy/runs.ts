import type { DeploymentFacts } from '../../deployments/state-words.ts';
import { hub, ME } from '../../hub.ts';

/** Deployment that trades, as the screen of its strategy shows it. */
export interface Run {
  readonly id: number;
  readonly at: string;
  readonly mode: 'live' | 'virtual';
  readonly symbols: readonly string[];
  /** State of the deployment and its reason. */
  readonly facts: DeploymentFacts;
  readonly returnPct: number | null;
  readonly trades: number;
}

/** Deployments of a strategy. */
export interface Runs {
  readonly runs: readonly Run[];
  /** True if there can be more ended ones. */
  readonly isCut: boolean;
}

const PAGE_SIZE = 100;

const allOf = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** Reads the deployments of a strategy that trade: all running ones, and the ended ones among the latest. */
export const runsOf = async (strategyId: number, signal: AbortSignal): Promise<Runs> => {
  const own = { user_id: ME, size: PAGE_SIZE };
  const [running, ended] = await Promise.all([
    allOf(hub.getAllLiveDeploymentsV2(own, { signal })),
    hub.getLiveExpiredStrategiesV2(own, { signal }),
  ]);
  const runs = [...running, ...ended.items].filter(({ strategy_id }) => strategy_id === strategyId);
  return {
    runs: runs.map((one) => ({
      id: one.deployment_id,
      at: one.deployed_at,
      mode: one.mode,
      symbols: one.symbols,
      facts: { ...one, kind: 'live' },
      returnPct: one.return_pct,
      trades: one.trades_count,
    })),
    isCut: ended.total > ended.items.length,
  };
};
