import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { parseIds } from '../../shared/api/id-list.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { findStrategies, isOpenToId } from '../../shared/data/strategies/strategies.ts';
import { presentPerformance, strategyPerformance } from './records/published.ts';

export const getStrategiesPerformanceMetrics = defineOperation({
  method: 'GET',
  path: '/get_strategies_performance_metrics',
  name: 'get_strategies_performance_metrics',
  summary: 'Get the performance of strategies',
  description: 'Own and published strategies. Figures are null before the first trade.',
  caller: 'user',
  scope: 'read',
  assistant: { description: 'Reads the results of several strategies by their ids, separated by commas.' },
  input: { query: z.object({ user_id: z.string(), strategy_ids: z.string() }) },
  output: z.object({
    metrics: z.array(
      z.object({ strategy_id: integer(), strategy_name: z.string(), ...strategyPerformance.shape }),
    ),
    unknown_ids: z.array(integer()),
  }),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query }, call) => {
    const ids = parseIds('strategy_ids', query.strategy_ids);
    const [, found] = await Promise.all([call.user(), findStrategies(call.store, ids)]);
    const visible = found.filter((strategy) => strategy !== undefined && isOpenToId(strategy, query.user_id));
    const known = new Set(visible.map((strategy) => strategy?.strategy_id));
    return {
      metrics: visible.flatMap((strategy) =>
        strategy
          ? [
              {
                strategy_id: strategy.strategy_id,
                strategy_name: strategy.strategy_name,
                ...presentPerformance(strategy.performance),
              },
            ]
          : [],
      ),
      unknown_ids: ids.filter((id) => !known.has(id)),
    };
  },
});
