import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { readOwnTrading } from '../../shared/callers/own-trading.ts';
import { TRADE_MODES } from '../../shared/data/deployments/trading-record.ts';
import { DEPLOYMENT_STATUSES } from '../../shared/domain/deployments/deployment-states.ts';
import { metricsSchema } from '../../shared/domain/ledger/metrics.ts';
import { toMoney } from '../../shared/domain/money.ts';
import { performanceKeys, performanceOf } from '../../shared/lifecycle/performance.ts';

const periods = z.array(z.object({ period: z.string(), pnl: z.number(), trades: integer() }));

export const getDeploymentPerformance = defineOperation({
  method: 'GET',
  path: '/get_deployment_performance',
  name: 'get_deployment_performance',
  summary: 'Get the performance of a deployment',
  description:
    'Statistics of a live or paper deployment, running or ended; its equity and drawdown by day; and its results by ' +
    'day, week (from Monday) and month, in UTC. The open day is included, with open positions at the newest of candle, ' +
    'quote and fill. The curve of a longer time is thinned out to 500 points; max_drawdown_equity_pct covers every day. ' +
    'Results cover the last 366 days, 260 weeks and 240 months with a result.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string(), deployment_id: integer() }) },
  output: extensionRecord(
    'DeploymentPerformance',
    z.object({
      deployment_id: integer(),
      strategy_id: integer(),
      strategy_name: z.string(),
      mode: z.enum(TRADE_MODES),
      status: z.enum(DEPLOYMENT_STATUSES),
      currency: z.string(),
      starting_capital: z.number(),
      metrics: extensionRecord('DeploymentMetrics', metricsSchema),
      equity_curve: z.array(
        extensionRecord(
          'DeploymentEquity',
          z.object({ day: z.string(), equity: z.number(), drawdown_pct: z.number() }),
        ),
      ),
      pnl: z.object({ by_day: periods, by_week: periods, by_month: periods }),
      as_of: timestamp(),
    }),
  ),
  errors: ['deployment_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, deployment_id: id } }, call) => {
    const deployment = await readOwnTrading(call, userId, id);
    const items = await call.store.getMany(performanceKeys(deployment), { consistent: true });
    const { metrics, equity_curve, by_day, by_week, by_month } = performanceOf(deployment, items, call.now);
    return {
      deployment_id: deployment.deployment_id,
      strategy_id: deployment.strategy_id,
      strategy_name: deployment.strategy_name,
      mode: deployment.mode,
      status: deployment.status,
      currency: deployment.currency,
      starting_capital: toMoney(deployment.starting_capital, deployment.currency),
      metrics,
      equity_curve,
      pnl: { by_day, by_week, by_month },
      as_of: deployment.updated_at,
    };
  },
});
