import * as z from 'zod';
import { integer, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { readOwnTrading } from '../../shared/callers/own-trading.ts';
import { DEPLOYMENT_PHASES, DEPLOYMENT_STATUSES } from '../../shared/domain/deployments/deployment-states.ts';
import { latestOrderOut, presentLatestOrder } from '../../shared/records/order.ts';

export const checkLatestOrderStatus = defineOperation({
  method: 'GET',
  path: '/check_latest_order_status',
  name: 'check_latest_order_status',
  summary: 'Get the latest order of a deployment',
  description: 'The order that the engine reported on last.',
  caller: 'user',
  scope: 'read',
  input: { query: z.object({ user_id: z.string(), strategy_id: integer(), depl_id: integer() }) },
  output: z.object({
    deployment_id: integer(),
    strategy_id: integer(),
    status: z.enum(DEPLOYMENT_STATUSES),
    phase: z.enum(DEPLOYMENT_PHASES),
    order: latestOrderOut.nullable(),
    orders_count: integer(),
    as_of: timestamp(),
  }),
  errors: ['deployment_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, strategy_id, depl_id } }, call) => {
    const deployment = await readOwnTrading(call, userId, depl_id, strategy_id);
    return {
      deployment_id: deployment.deployment_id,
      strategy_id: deployment.strategy_id,
      status: deployment.status,
      phase: deployment.phase,
      order: deployment.latest_order ? presentLatestOrder(deployment.latest_order) : null,
      orders_count: deployment.orders_count,
      as_of: deployment.updated_at,
    };
  },
});
