import type { RulesChart, RulesChartIn } from '../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../hub.ts';
import { joinedChart } from './models/joined-chart.ts';

/** Rules over the bars of a symbol. */
export type RuleBars = Pick<RulesChartIn, 'rules' | 'params' | 'symbol' | 'timeframe' | 'candles'>;

/** Bars of an answer. */
const A_CALL = 1500;

/** Bars to load. */
export interface Span {
  /** Start of the first bar; undefined for the first there is. */
  readonly from?: string | undefined;
  /** Moment before which bars start; undefined for the newest bar. */
  readonly to?: string | undefined;
  /** Most bars that are loaded: the newest of the span. */
  readonly most: number;
}

/** Loads bars with the lines and conditions of rules. */
export const loadRuleBars = async (
  subject: RuleBars,
  { from, to, most }: Span,
  signal: AbortSignal,
): Promise<RulesChart> => {
  const charts: RulesChart[] = [];
  let before = to;
  let left = most;
  for (;;) {
    const bars = Math.min(A_CALL, left);
    const body = { ...subject, bars, ...(from && { from }), ...(before && { to: before }) };
    const chart = await hub.chartRules({ user_id: ME, body }, { signal });
    charts.unshift(chart);
    left -= chart.bars.length;
    const first = chart.bars[0]?.[0];
    if (chart.bars.length < bars || left <= 0 || first === undefined) break;
    before = new Date(first).toISOString();
    if (from !== undefined && first <= Date.parse(from)) break;
  }
  const joined = joinedChart(charts);
  if (!joined) throw new Error('there is no chart');
  return joined;
};
