import type {
  GetDeploymentEngineOutput,
  GetDeploymentOutput,
  GetDeploymentTradesOutput,
  GetLiveStrategyOrderBookOutput,
  RulesChart,
} from '../../../../../../infra/client/package/src/index.ts';
import { loadRuleBars } from '../../../charts/load-rule-bars.ts';
import { lengthOf } from '../../../charts/models/candles.ts';
import { isOver } from '../../../deployments/state-words.ts';
import { hub, ME } from '../../../hub.ts';
import { readWhole } from '../../../ui/whole-list.ts';

export type Live = NonNullable<GetDeploymentOutput['live']>;

/** Bars of the chart. */
const MOST_BARS = 1000;
/** Orders and trades that are read. */
const MOST_ROWS = 1000;
/** Bars behind the end of a deployment that has ended. */
const BEHIND = 20;

/** Chart of a symbol of a deployment, with its orders and trades. */
export interface Charted {
  readonly chart: RulesChart;
  /** Undefined if another engine runs it. */
  readonly engine: GetDeploymentEngineOutput | undefined;
  readonly orders: GetLiveStrategyOrderBookOutput['items'];
  readonly trades: GetDeploymentTradesOutput['items'];
  /** True if there are more orders or trades. */
  readonly isCut: boolean;
}

/** Loads candles without rules. */
const plainChart = async (
  symbol: string,
  timeframe: Live['timeframe'],
  to: string | undefined,
  signal: AbortSignal,
): Promise<RulesChart> => {
  const { candles } = await hub.getCandles(
    { symbol, timeframe, limit: MOST_BARS, ...(to && { to }) },
    { signal },
  );
  return {
    symbol,
    timeframe,
    time_zone: 'UTC',
    warmed_up: true,
    bars: candles.map(({ start, open, high, low, close, volume }) => [
      Date.parse(start),
      open,
      high,
      low,
      close,
      volume,
    ]),
    lines: [],
    conditions: [],
  };
};

const endOf = ({ status, updated_at, timeframe }: Live): string | undefined =>
  isOver(status) ? new Date(Date.parse(updated_at) + BEHIND * lengthOf(timeframe)).toISOString() : undefined;

/** Loads the newest bars of a symbol of a deployment, with all that happened on them. */
export const loadCharted = async (live: Live, symbol: string, signal: AbortSignal): Promise<Charted> => {
  const { deployment_id, timeframe } = live;
  const own = { user_id: ME, deployment_id };
  const to = endOf(live);
  const [engine, orders, trades] = await Promise.all([
    live.engine === 'external' ? undefined : hub.getDeploymentEngine({ ...own, symbol }, { signal }),
    readWhole(
      (at, aborted = signal) =>
        hub.getLiveStrategyOrderBook({ ...own, ...at, symbol }, { signal: aborted }).then((one) => one),
      MOST_ROWS,
    ),
    readWhole(
      (at, aborted = signal) =>
        hub.getDeploymentTrades({ ...own, ...at, sort: 'newest' }, { signal: aborted }).then((one) => one),
      MOST_ROWS,
    ),
  ]);
  const chart = engine?.rules
    ? await loadRuleBars(
        { rules: engine.rules, params: engine.params, symbol, timeframe },
        { to, most: MOST_BARS },
        signal,
      )
    : await plainChart(symbol, timeframe, to, signal);
  return {
    chart,
    engine,
    orders: orders.rows,
    trades: trades.rows.filter((trade) => trade.symbol === symbol).toReversed(),
    isCut: orders.isCut || trades.isCut,
  };
};
