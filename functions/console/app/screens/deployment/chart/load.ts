import type {
  GetDeploymentEngineOutput,
  GetDeploymentOutput,
  GetDeploymentTradesOutput,
  GetLiveStrategyOrderBookOutput,
  RulesChart,
} from '../../../../../../infra/client/package/src/index.ts';
import { loadRuleBars, type Span } from '../../../charts/load-rule-bars.ts';
import { lengthOf } from '../../../charts/models/candles.ts';
import { isOver } from '../../../deployments/state-words.ts';
import { hub, ME } from '../../../hub.ts';
import { readWhole } from '../../../ui/whole-list.ts';

export type Live = NonNullable<GetDeploymentOutput['live']>;

/** Bars that are loaded first, and the most before they are loaded anew. */
const FIRST_BARS = 800;
const MOST_BARS = 1400;
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
  { most: limit, ...span }: Span,
  signal: AbortSignal,
): Promise<RulesChart> => {
  const { candles } = await hub.getCandles({ symbol, timeframe, limit, ...span }, { signal });
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

/** Returns the bars of a chart that shows others already: from the same first bar on, as long as they are not too many. */
const spanOf = (live: Live, shown: RulesChart | undefined): Span => {
  const first = shown?.bars[0]?.[0];
  const to = endOf(live);
  if (!shown || first === undefined || shown.bars.length >= MOST_BARS) return { to, most: FIRST_BARS };
  return { from: new Date(first).toISOString(), to, most: MOST_BARS };
};

/**
 * Loads the newest bars of a symbol of a deployment, with all that happened on them.
 *
 * @param shown chart before, whose first bar stays the first one.
 */
export const loadCharted = async (
  live: Live,
  symbol: string,
  shown: RulesChart | undefined,
  signal: AbortSignal,
): Promise<Charted> => {
  const { deployment_id, timeframe } = live;
  const own = { user_id: ME, deployment_id };
  const span = spanOf(live, shown);
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
    ? await loadRuleBars({ rules: engine.rules, params: engine.params, symbol, timeframe }, span, signal)
    : await plainChart(symbol, timeframe, span, signal);
  return {
    chart,
    engine,
    orders: orders.rows,
    trades: trades.rows.filter((trade) => trade.symbol === symbol).toReversed(),
    isCut: orders.isCut || trades.isCut,
  };
};
