import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { pageOf, pageQuery, toPage } from '../../shared/api/pages.ts';
import { headIn, headKey, readPage } from '../../shared/data/numbered-list/numbered-list.ts';
import { EXPLORE_LIST } from '../../shared/data/strategies/listings.ts';
import { cardSchema } from '../../shared/data/strategies/strategies.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { firstPages } from './common/kept-cards.ts';
import { readViewer } from './common/viewer.ts';
import { exploreStrategyOut, presentListed } from './records/published.ts';

export const getExploreStrategies = defineOperation({
  method: 'GET',
  path: '/get_explore_strategies',
  name: 'get_explore_strategies',
  summary: 'List the explore catalogue',
  description: 'Newest first.',
  caller: 'user',
  input: { query: z.object({ user_id: z.string(), ...pageQuery }) },
  output: pageOf('ExploreStrategyOut', exploreStrategyOut),
  errors: ['user_unknown'],
  table: 'read',
  cache: 'private, no-cache',
  handler: async ({ query: { user_id: userId, ...request } }, call) => {
    const { marks, items } = await readViewer(call, userId, [headKey(EXPLORE_LIST)]);
    const head = headIn(EXPLORE_LIST, itemWith(items, headKey(EXPLORE_LIST)));
    const read = () => readPage(call.store, EXPLORE_LIST, { ...request, head }, cardSchema, call.onDamaged);
    const { entries, total } =
      request.page === 1
        ? await firstPages(call, `${request.size} ${JSON.stringify(head)}`, read)
        : await read();
    return toPage(
      entries.map((card) => presentListed(card, marks)),
      total,
      request,
    );
  },
});
