import type {
  GetDeploymentPerformanceOutput,
  GetDeploymentTradesOutput,
} from '../../../../infra/client/package/src/index.ts';
import { isDayOrLonger } from '../format/times.ts';
import { hub, ME } from '../hub.ts';

/** Most trades that are read for a line of equity. */
const MOST_TRADES = 100;

/** Deployment whose results to load. */
export interface Traded {
  readonly id: number;
  readonly symbols: readonly string[];
  readonly timeframe: string;
}

/** Results of a deployment. */
export interface Results {
  readonly performance: GetDeploymentPerformanceOutput;
  /** All closed trades; empty if they say nothing about the equity between days. */
  readonly trades: GetDeploymentTradesOutput['items'];
}

/**
 * Loads the results of a deployment. With one symbol it holds nothing at the close of a trade, so the trades tell the
 * equity within a day.
 */
export const loadResults = async (
  { id: deployment_id, symbols, timeframe }: Traded,
  signal: AbortSignal,
): Promise<Results> => {
  const own = { user_id: ME, deployment_id };
  const isReadable = symbols.length === 1 && !isDayOrLonger(timeframe);
  const [performance, closed] = await Promise.all([
    hub.getDeploymentPerformance(own, { signal }),
    isReadable
      ? hub.getDeploymentTrades({ ...own, sort: 'oldest', size: MOST_TRADES }, { signal })
      : undefined,
  ]);
  return { performance, trades: closed && closed.total <= MOST_TRADES ? closed.items : [] };
};
