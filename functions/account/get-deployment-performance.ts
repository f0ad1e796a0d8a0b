import * as z from 'zod';
import { extensionRecord, integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { readOwnTrading } from '../../shared/callers/own-trading.ts';
import { metricsSchema } from '../../shared/domain/ledger/metrics.ts';
import { performanceKeys } from '../../shared/lifecycle/performance.ts';
import { performanceFields, presentPerformance } from '../../shared/records/performance.ts';

export const getDeploymentPerformance = defineOperation({
  method: 'GET',
  path: '/get_deployment_performance',
  name: 'get_deployment_performance',
  summary: 'Get the performance of a deployment',
  description:
    'Statistics of a live or paper deployment, running or ended; its equity and drawdown by day; and its results by ' +
    'trading day, week (from Monday) and month. The open day is included, with open positions at the newest of candle, ' +
    'quote and fill. The curve of a longer time is thinned out to 500 points; max_drawdown_equity_pct covers every day. ' +
    'Results cover the last 366 days, 260 weeks and 240 months with a result.',
  caller: 'user',
  scope: 'read',
  extension: true,
  assistant: { description: 'Reads the result of a deployment: statistics and its equity, thinned.' },
  input: { query: z.object({ user_id: z.string(), deployment_id: integer() }) },
  output: extensionRecord(
    'DeploymentPerformance',
    z.object(
      performanceFields(
        extensionRecord('DeploymentMetrics', metricsSchema),
        extensionRecord(
          'DeploymentEquity',
          z.object({ day: z.string(), equity: z.number(), drawdown_pct: z.number() }),
        ),
      ),
    ),
  ),
  errors: ['deployment_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, deployment_id: id } }, call) => {
    const deployment = await readOwnTrading(call, userId, id);
    const items = await call.store.getMany(performanceKeys(deployment), { consistent: true });
    return presentPerformance(deployment, items, call.now);
  },
});
