import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { parseInteger } from '../../shared/api/coerce.ts';
import { timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownDeployment } from '../../shared/api/refusals.ts';
import { readRunning, readWithUser } from '../../shared/callers/read-user.ts';
import { markSummaries } from '../../shared/data/books/marked-summaries.ts';
import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { summaryOf, type TradingSummary } from '../../shared/data/books/summary.ts';
import { asDeployment } from '../../shared/data/deployments/deployments.ts';
import { keys } from '../../shared/data/table/keys.ts';
import {
  deploymentPnlOut,
  pnlSumFields,
  presentDeploymentPnl,
  presentPnlSum,
} from '../../shared/records/figures.ts';
import { oldest, sumByCurrency, wholeParts } from '../../shared/records/trading-sums.ts';
import { matching } from './forms/trading-filter.ts';

/** @throws HubError user_unknown, deployment_unknown */
const readOne = async (call: Call, userId: string, text: string): Promise<TradingSummary[]> => {
  const id = parseInteger(text);
  const [item] = await readWithUser(call, userId, id === undefined ? [] : [keys.deployment(id)]);
  const deployment = asDeployment(item);
  if (deployment?.kind !== 'live' || deployment.user_id !== userId) throw unknownDeployment();
  return [summaryOf(deployment, unpackLedger(deployment.ledger))];
};

export const getPLLiveDeployedStrategies = defineOperation({
  method: 'GET',
  path: '/get_p_l_live_deployed_strategies',
  name: 'get_p_l_live_deployed_strategies',
  summary: 'Get the profit and loss of deployments',
  description:
    'Running live and paper deployments, and ended ones with open positions or orders, ' +
    'newest first: all of them, those at a broker, or one deployment, which may have ended. ' +
    'totals sums the listed deployments by currency. unrealized_pnl, today_pnl and total_pnl are null if an open position has no price yet.',
  caller: 'user',
  scope: 'read',
  input: {
    query: z.object({
      user_id: z.string(),
      broker_id: z.string().optional(),
      deployment_id: z.string().optional(),
    }),
  },
  output: z.object({
    deployments: z.array(deploymentPnlOut),
    totals: z.array(z.object({ currency: z.string(), ...pnlSumFields })),
    as_of: timestamp().nullable(),
  }),
  errors: ['user_unknown', 'deployment_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, broker_id, deployment_id } }, call) => {
    const found = await (deployment_id === undefined
      ? readRunning(call, userId)
      : readOne(call, userId, deployment_id));
    const summaries = await markSummaries(call, found.filter(matching({ broker_id })));
    const sums = sumByCurrency(wholeParts(summaries));
    return {
      deployments: summaries.map(presentDeploymentPnl),
      totals: [...sums].map(([currency, sum]) => ({ currency, ...presentPnlSum(sum, currency) })),
      as_of: oldest(summaries.map(({ totals }) => totals.as_of)),
    };
  },
});
