import * as z from 'zod';
import { integer, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { TRADE_MODES } from '../../shared/data/deployments/trading-record.ts';
import { DEPLOYMENT_STATUSES } from '../../shared/domain/deployments/deployment-states.ts';
import { toMoney } from '../../shared/domain/money.ts';
import { performanceKeys, performanceOf } from '../../shared/lifecycle/performance.ts';
import { linkedDeployment, unlinkedDeployment } from './common/linked-deployment.ts';
import { integratorMetrics } from './records/metrics.ts';

const periods = z.array(z.object({ period: z.string(), pnl: z.number(), trades: integer() }));

export const getUserStrategyPerformance = defineOperation({
  method: 'GET',
  path: '/broker/get_user_strategy_performance',
  name: 'get_user_strategy_performance',
  summary: 'Get the performance of a deployment',
  description:
    'Statistics of a live or paper deployment, its equity curve, and its results by day, week and month.',
  caller: 'integrator',
  input: { query: z.object({ strategy_id: integer(), deployment_id: integer() }) },
  output: z.object({
    deployment_id: integer(),
    strategy_id: integer(),
    strategy_name: z.string(),
    mode: z.enum(TRADE_MODES),
    status: z.enum(DEPLOYMENT_STATUSES),
    currency: z.string(),
    starting_capital: z.number(),
    metrics: integratorMetrics,
    equity_curve: z.array(z.object({ day: z.string(), equity: z.number() })),
    pnl: z.object({ by_day: periods, by_week: periods, by_month: periods }),
    as_of: timestamp(),
  }),
  errors: ['access_token_invalid', 'broker_suspended', 'deployment_unknown'],
  table: 'read',
  handler: async ({ query: { strategy_id, deployment_id: id } }, call) => {
    const { deployment, items } = await linkedDeployment(call, id, performanceKeys);
    if (deployment.strategy_id !== strategy_id) {
      throw unlinkedDeployment();
    }
    const { currency } = deployment;
    const { metrics, equity_curve, by_day, by_week, by_month } = performanceOf(deployment, items, call.now);
    return {
      deployment_id: deployment.deployment_id,
      strategy_id: deployment.strategy_id,
      strategy_name: deployment.strategy_name,
      mode: deployment.mode,
      status: deployment.status,
      currency,
      starting_capital: toMoney(deployment.starting_capital, currency),
      metrics,
      equity_curve,
      pnl: { by_day, by_week, by_month },
      as_of: deployment.updated_at,
    };
  },
});
