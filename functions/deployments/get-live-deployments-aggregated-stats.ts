import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { readWithUser } from '../../shared/callers/read-user.ts';
import { asEndedTotals, marketTotalsKey, readGroup } from '../../shared/data/books/ended-totals.ts';
import { markSummaries } from '../../shared/data/books/marked-summaries.ts';
import { findRunning } from '../../shared/data/books/running-deployments.ts';
import {
  deploymentCountsOut,
  orderCountsOut,
  pnlSumFields,
  presentDeploymentCounts,
  presentOrderCounts,
  presentPnlSum,
  winRate,
} from '../../shared/records/figures.ts';
import {
  allParts,
  countAll,
  countOf,
  mainCurrency,
  sumByCurrency,
  sumByGroup,
  type TradingSum,
} from '../../shared/records/trading-sums.ts';

const rowFields = {
  deployments_count: integer(),
  orders_count: integer(),
  trades_count: integer(),
  ...pnlSumFields,
  win_rate_pct: z.number().nullable(),
} as const;

const presentRow = (sum: TradingSum, currency: string) => ({
  deployments_count: countOf(sum.deployments),
  orders_count: countOf(sum.orders),
  trades_count: sum.trades,
  ...presentPnlSum(sum, currency),
  win_rate_pct: winRate(sum),
});

export const getLiveDeploymentsAggregatedStats = defineOperation({
  method: 'GET',
  path: '/get_live_deployments_aggregated_stats',
  name: 'get_live_deployments_aggregated_stats',
  summary: 'Get sums over all live and paper deployments of a user',
  description:
    'Covers running and ended deployments. Counts and win_rate_pct are over all of them. ' +
    'Amounts of different currencies do not add up: those at the top level are in the currency of most deployments ' +
    '(of several, the first by code), and by_currency has all. ' +
    'An open position counts at the newest of candle, quote and fill; if one has no price yet, unrealized_pnl, ' +
    'today_pnl and total_pnl are null. ' +
    'today_pnl covers deployments that run or have open positions or orders. as_of is the oldest price behind the figures. ' +
    'Trades after the end of a deployment are added within seconds.',
  caller: 'user',
  scope: 'read',
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({
    deployments: deploymentCountsOut,
    deployments_count: integer(),
    orders: orderCountsOut,
    orders_count: integer(),
    trades_count: integer(),
    ...pnlSumFields,
    currency: z.string().nullable(),
    win_rate_pct: z.number().nullable(),
    by_currency: z.array(z.object({ currency: z.string(), ...rowFields })),
    by_broker: z.array(z.object({ broker_id: integer().nullable(), currency: z.string(), ...rowFields })),
  }),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId } }, call) => {
    const [ended, running] = await Promise.all([
      readWithUser(call, userId, [
        marketTotalsKey(userId, { prediction_market: false }),
        marketTotalsKey(userId, { prediction_market: true }),
      ]),
      findRunning(call.store, userId),
    ]);
    const marked = await markSummaries(call, running);
    const parts = allParts(marked, ended.map(asEndedTotals));
    const counts = countAll(parts);
    const byCurrency = sumByCurrency(parts);
    const [currency, main] = mainCurrency(byCurrency);
    return {
      deployments: presentDeploymentCounts(counts.deployments),
      deployments_count: countOf(counts.deployments),
      orders: presentOrderCounts(counts.orders),
      orders_count: countOf(counts.orders),
      trades_count: counts.trades,
      ...presentPnlSum(main, currency),
      currency,
      win_rate_pct: winRate(counts),
      by_currency: [...byCurrency].map(([each, sum]) => ({ currency: each, ...presentRow(sum, each) })),
      by_broker: [...sumByGroup(parts)].map(([group, sum]) => {
        const { broker_id, currency: each } = readGroup(group);
        return { broker_id, currency: each, ...presentRow(sum, each) };
      }),
    };
  },
});
