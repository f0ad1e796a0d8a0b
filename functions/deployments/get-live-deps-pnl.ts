import * as z from 'zod';
import { integer, timestamp } from '../../shared/api/fields.ts';
import { parseIds } from '../../shared/api/id-list.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { readWithUser } from '../../shared/callers/read-user.ts';
import { markSummaries } from '../../shared/data/books/marked-summaries.ts';
import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { summaryOf } from '../../shared/data/books/summary.ts';
import { asDeployment } from '../../shared/data/deployments/deployments.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { deploymentPnlOut, presentDeploymentPnl } from '../../shared/records/figures.ts';
import { oldest } from '../../shared/records/trading-sums.ts';

export const getLiveDepsPnl = defineOperation({
  method: 'GET',
  path: '/get_live_deps_pnl',
  name: 'get_live_deps_pnl',
  summary: 'Get the profit and loss of chosen deployments',
  description:
    'Running and ended live and paper deployments. ' +
    'unrealized_pnl, today_pnl, total_pnl and return_pct are null if an open position has no price yet; ' +
    'as_of is the oldest price behind the figures.',
  caller: 'user',
  scope: 'read',
  input: { query: z.object({ user_id: z.string(), deployment_ids: z.string() }) },
  output: z.object({
    pnl: z.array(deploymentPnlOut),
    unknown_ids: z.array(integer()),
    as_of: timestamp().nullable(),
  }),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, deployment_ids } }, call) => {
    const ids = parseIds('deployment_ids', deployment_ids);
    const items = await readWithUser(call, userId, ids.map(keys.deployment));
    const summaries = items.flatMap((item) => {
      const deployment = asDeployment(item);
      if (deployment?.kind !== 'live' || deployment.user_id !== userId) return [];
      return [summaryOf(deployment, unpackLedger(deployment.ledger))];
    });
    const marked = await markSummaries(call, summaries);
    const known = new Set(summaries.map(({ deployment_id }) => deployment_id));
    return {
      pnl: marked.map(presentDeploymentPnl),
      unknown_ids: ids.filter((id) => !known.has(id)),
      as_of: oldest(marked.map(({ totals }) => totals.as_of)),
    };
  },
});
