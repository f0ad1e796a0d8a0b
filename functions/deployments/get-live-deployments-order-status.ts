import * as z from 'zod';
import { integer, timestamp } from '../../shared/api/fields.ts';
import { parseIds } from '../../shared/api/id-list.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { readStrategyDeployments } from '../../shared/callers/read-user.ts';
import { openOrders, type TradingSummary } from '../../shared/data/books/summary.ts';
import { DEPLOYMENT_PHASES, DEPLOYMENT_STATUSES } from '../../shared/domain/deployments/deployment-states.ts';
import { orderCountsOut, presentOrderCounts } from '../../shared/records/figures.ts';
import { latestOrderOut, presentLatestOrder } from '../../shared/records/order.ts';
import { allParts, countAll, countOf } from '../../shared/records/trading-sums.ts';

const deploymentOrdersOut = z.object({
  deployment_id: integer(),
  status: z.enum(DEPLOYMENT_STATUSES),
  phase: z.enum(DEPLOYMENT_PHASES),
  orders: orderCountsOut,
  orders_count: integer(),
  open_orders: integer(),
  latest_order: latestOrderOut.nullable(),
  as_of: timestamp(),
});

const presentDeployment = (summary: TradingSummary): z.output<typeof deploymentOrdersOut> => ({
  deployment_id: summary.deployment_id,
  status: summary.status,
  phase: summary.phase,
  orders: presentOrderCounts(summary.orders),
  orders_count: summary.orders_count,
  open_orders: openOrders(summary),
  latest_order: summary.latest_order ? presentLatestOrder(summary.latest_order) : null,
  as_of: summary.updated_at,
});

export const getLiveDeploymentsOrderStatus = defineOperation({
  method: 'GET',
  path: '/get_live_deployments_order_status',
  name: 'get_live_deployments_order_status',
  summary: 'Get the order status of strategies',
  description:
    'Per own strategy: its running live and paper deployments, and ended ones with ' +
    'open positions or orders, newest first; and the orders by status of all its deployments, ended ones included. ' +
    'as_of is the latest event of a deployment.',
  caller: 'user',
  scope: 'read',
  input: { query: z.object({ user_id: z.string(), strategy_ids: z.string() }) },
  output: z.object({
    strategies: z.array(
      z.object({
        strategy_id: integer(),
        deployments: z.array(deploymentOrdersOut),
        orders: orderCountsOut,
        orders_count: integer(),
      }),
    ),
    unknown_ids: z.array(integer()),
  }),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, strategy_ids } }, call) => {
    const ids = parseIds('strategy_ids', strategy_ids);
    const { found, unknown_ids } = await readStrategyDeployments(call, userId, ids);
    const strategies = found.map(({ strategy_id, running, ended }) => {
      const { orders } = countAll(allParts(running, [ended]));
      return {
        strategy_id,
        deployments: running.map(presentDeployment),
        orders: presentOrderCounts(orders),
        orders_count: countOf(orders),
      };
    });
    return { strategies, unknown_ids };
  },
});
