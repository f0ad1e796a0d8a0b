import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { cutPage, pageOf, pageQuery } from '../../shared/api/pages.ts';
import { readRunning } from '../../shared/callers/read-user.ts';
import { markSummaries } from '../../shared/data/books/marked-summaries.ts';
import { liveDeploymentCustomOut, presentTrading } from '../../shared/records/trading.ts';
import { matching } from './forms/trading-filter.ts';

export const getAllLiveDeployments = defineOperation({
  method: 'GET',
  path: '/get_all_live_deployments_v2',
  name: 'get_all_live_deployments_v2',
  summary: 'List the live and paper deployments of a user',
  description:
    'Running deployments, and ended ones with open positions or orders, newest first. ' +
    'search_key finds parts of names and symbols.',
  caller: 'user',
  scope: 'read',
  assistant: {
    title: 'List running trading deployments',
    description: 'Lists running deployments that trade, on paper and with real money, by page, with results.',
  },
  input: {
    query: z.object({
      user_id: z.string(),
      broker_id: z.string().optional(),
      search_key: z.string().optional(),
      ...pageQuery,
    }),
  },
  output: pageOf('LiveDeploymentCustomOut', liveDeploymentCustomOut),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, broker_id, search_key, ...choice } }, call) => {
    const running = await readRunning(call, userId, call.onDamaged);
    const found = running.filter(matching({ broker_id, search_key }));
    const { items, ...page } = cutPage(found, choice);
    const marked = await markSummaries(call, items);
    return { items: marked.map(presentTrading), ...page };
  },
});
