import type { StrategyRulesOut } from '../../../../../infra/client/package/src/index.ts';
import type { DeploymentFacts } from '../../deployments/state-words.ts';
import { hub, ME } from '../../hub.ts';
import { allOf } from '../../strategies/own.ts';

/** Deployment that trades, as the screen of its strategy shows it. */
export interface Run {
  readonly id: number;
  readonly at: string;
  readonly mode: 'live' | 'virtual';
  readonly symbols: readonly string[];
  readonly timeframe: string;
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

/** Most ended deployments that the service searches. */
const MAX_SEARCHED = 1000;

/** Reads the latest ended deployments of a market; if there are many, those that the service finds by a name. */
const endedIn = async (prediction_market: boolean, search_key: string, signal: AbortSignal) => {
  const own = { user_id: ME, size: PAGE_SIZE, prediction_market };
  const { items, total } = await hub.getLiveExpiredStrategiesV2(own, { signal });
  if (total <= PAGE_SIZE) return { ended: items, isCut: false };
  const found = await allOf(hub.getLiveExpiredStrategiesV2({ ...own, search_key }, { signal }));
  // The name may have been another one at the time of a deployment.
  const ended = new Map([...found, ...items].map((one) => [one.deployment_id, one]));
  return { ended: [...ended.values()], isCut: total > MAX_SEARCHED };
};

type Strategy = Pick<StrategyRulesOut, 'strategy_id' | 'strategy_name'>;

/** Reads the deployments of a strategy that trade: all running ones, and the ended ones. */
export const runsOf = async (
  { strategy_id: id, strategy_name }: Strategy,
  signal: AbortSignal,
): Promise<Runs> => {
  // The service lists ended deployments on prediction markets apart.
  const [running, ...ended] = await Promise.all([
    allOf(hub.getAllLiveDeploymentsV2({ user_id: ME, size: PAGE_SIZE }, { signal })),
    endedIn(false, strategy_name, signal),
    endedIn(true, strategy_name, signal),
  ]);
  const runs = [...running, ...ended.flatMap((market) => market.ended)].filter(
    ({ strategy_id }) => strategy_id === id,
  );
  return {
    runs: runs.map((one) => ({
      id: one.deployment_id,
      at: one.deployed_at,
      mode: one.mode,
      symbols: one.symbols,
      timeframe: one.timeframe,
      facts: { ...one, kind: 'live' },
      returnPct: one.return_pct,
      trades: one.trades_count,
    })),
    isCut: ended.some(({ isCut }) => isCut),
  };
};
