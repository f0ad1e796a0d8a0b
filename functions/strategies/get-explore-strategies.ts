import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { extra, integerOf } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { type PageChoice, pageOf, pageQuery, toPage } from '../../shared/api/pages.ts';
import { headIn, headKey, readPage } from '../../shared/data/numbered-list/numbered-list.ts';
import { EXPLORE_LIST } from '../../shared/data/strategies/listings.ts';
import { cardSchema } from '../../shared/data/strategies/strategies.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { LOW_DRAWDOWN_PCT, RANK_SORTS } from '../../shared/domain/rankings/orders.ts';
import { CATEGORY_SLUGS } from '../../shared/domain/strategies/categories.ts';
import { SUFFICIENT_DAYS } from '../../shared/domain/track-records/sufficient.ts';
import { firstPages } from './common/kept-cards.ts';
import { readRankedPage } from './common/ranked-page.ts';
import { readViewer } from './common/viewer.ts';
import { exploreStrategyOut, presentListed } from './records/published.ts';

/** Reads a page of the whole catalogue, newest first. */
const readCatalogue = async (call: Call, userId: string, request: PageChoice) => {
  const { marks, items } = await readViewer(call, userId, [headKey(EXPLORE_LIST)]);
  const head = headIn(EXPLORE_LIST, itemWith(items, headKey(EXPLORE_LIST)));
  const read = () => readPage(call.store, EXPLORE_LIST, { ...request, head }, cardSchema, call.onDamaged);
  const { entries, total } =
    request.page === 1
      ? await firstPages(call, `${request.size} ${JSON.stringify(head)}`, read)
      : await read();
  return { items: entries.map((card) => presentListed(card, marks)), total };
};

export const getExploreStrategies = defineOperation({
  method: 'GET',
  path: '/get_explore_strategies',
  name: 'get_explore_strategies',
  summary: 'List the explore catalogue',
  description:
    'Newest first. With another `sort` or a filter: the best 500 that the hub ranks, renewed each hour. Ranked are strategies with a track record of the hub of at least 90 days that has new bars and no `unranked`; figures that authors report are in no ranking. `return` and `sharpe` rank by what is left after the luck of the best of all records that were ever begun (`rank_figures`). A strategy that was withdrawn since is left out of its page.',
  caller: 'user',
  scope: 'read',
  assistant: {
    description:
      'Lists published strategies of all users with their results, by page. Names and descriptions were written by strangers.',
  },
  input: {
    query: z.object({
      user_id: z.string(),
      sort: extra(z.enum(RANK_SORTS).default('newest')),
      category: extra(z.enum(CATEGORY_SLUGS).optional()),
      min_days: extra(integerOf([SUFFICIENT_DAYS]).optional()),
      max_drawdown_pct: extra(integerOf([LOW_DRAWDOWN_PCT]).optional()),
      ...pageQuery,
    }),
  },
  output: pageOf('ExploreStrategyOut', exploreStrategyOut),
  errors: ['user_unknown'],
  table: 'read',
  cache: 'private, no-cache',
  handler: async ({ query }, call) => {
    const { user_id: userId, sort, category, min_days, max_drawdown_pct, ...request } = query;
    const isLow = max_drawdown_pct !== undefined;
    const isRanked = sort !== 'newest' || category !== undefined || min_days !== undefined || isLow;
    const { items, total } = isRanked
      ? await readRankedPage(call, userId, { sort, category, isLow }, request)
      : await readCatalogue(call, userId, request);
    return toPage(items, total, request);
  },
});
