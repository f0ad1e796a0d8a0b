import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { metricsSchema } from '../../shared/domain/ledger/metrics.ts';
import { performanceKeys } from '../../shared/lifecycle/performance.ts';
import { performanceFields, presentPerformance } from '../../shared/records/performance.ts';
import { linkedDeployment, unlinkedDeployment } from './common/linked-deployment.ts';

export const getUserStrategyPerformance = defineOperation({
  method: 'GET',
  path: '/broker/get_user_strategy_performance',
  name: 'get_user_strategy_performance',
  summary: 'Get the performance of a deployment',
  description:
    'Statistics of a live or paper deployment, its equity curve, and its results by day, week and month.',
  caller: 'integrator',
  input: { query: z.object({ strategy_id: integer(), deployment_id: integer() }) },
  output: z.object(performanceFields(metricsSchema, z.object({ day: z.string(), equity: z.number() }))),
  errors: ['access_token_invalid', 'broker_suspended', 'deployment_unknown'],
  table: 'read',
  handler: async ({ query: { strategy_id, deployment_id: id } }, call) => {
    const { deployment, items } = await linkedDeployment(call, id, performanceKeys);
    if (deployment.strategy_id !== strategy_id) throw unlinkedDeployment();
    return presentPerformance(deployment, items, call.now);
  },
});
