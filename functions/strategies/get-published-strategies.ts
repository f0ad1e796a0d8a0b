import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { pageOf, pageQuery, toPage } from '../../shared/api/pages.ts';
import { headIn, headKey, readPage } from '../../shared/data/numbered-list/numbered-list.ts';
import { profileList } from '../../shared/data/strategies/listings.ts';
import { cardSchema } from '../../shared/data/strategies/strategies.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { readViewer } from './common/viewer.ts';
import { presentPublished, strategiesCustomOut } from './records/published.ts';

export const getPublishedStrategies = defineOperation({
  method: 'GET',
  path: '/get_published_strategies',
  name: 'get_published_strategies',
  summary: 'List the published strategies on a profile',
  description: 'Newest first. `user_id` marks the likes and copies of the caller.',
  caller: 'user',
  scope: 'read',
  input: { query: z.object({ user_key: z.string().max(100), user_id: z.string().optional(), ...pageQuery }) },
  output: pageOf('StrategiesCustomOut', strategiesCustomOut),
  errors: ['user_unknown'],
  table: 'read',
  cache: 'private, no-cache',
  handler: async ({ query: { user_key: userKey, user_id: userId, ...request } }, call) => {
    const list = profileList(userKey);
    const { marks, items } = await readViewer(call, userId || call.session?.userId, [headKey(list)]);
    const head = headIn(list, itemWith(items, headKey(list)));
    const { entries, total } = await readPage(
      call.store,
      list,
      { ...request, head },
      cardSchema,
      call.onDamaged,
    );
    return toPage(
      entries.map((card) => presentPublished(card, marks)),
      total,
      request,
    );
  },
});
