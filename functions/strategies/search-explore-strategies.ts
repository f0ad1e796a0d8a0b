import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { cardOf, findStrategies, type StrategyCard } from '../../shared/data/strategies/strategies.ts';
import { NO_MARKS } from '../../shared/data/strategies/strategy-marks.ts';
import { searchStrategies } from '../../shared/data/strategies/strategy-search.ts';
import { searches } from './common/kept-cards.ts';
import { exploreStrategyOut, presentListed } from './records/published.ts';

const MAX_FOUND = 50;
const MAX_TERM = 200;

const search = async ({ store, onDamaged }: Call, term: string): Promise<StrategyCard[]> => {
  const ids = await searchStrategies(store, term);
  // Reads eventually consistent: half the cost of the largest read, and a search may be a moment behind.
  const strategies = await findStrategies(store, ids, { consistent: false, onDamaged });
  return strategies
    .flatMap((strategy) => (strategy?.explore_seq === undefined ? [] : [cardOf(strategy)]))
    .sort((a, b) => b.like_count - a.like_count || b.strategy_id - a.strategy_id)
    .slice(0, MAX_FOUND);
};

export const searchExploreStrategies = defineOperation({
  method: 'POST',
  path: '/search_explore_strategies',
  name: 'search_explore_strategies',
  summary: 'Search the explore catalogue',
  description:
    'Every word of `term` begins a word of the name, a symbol, the author or a category, regardless of case and accents. Best liked first, at most 50. A name is found by its beginning however little it is liked; a single word that very many share shows those that are liked best.',
  caller: 'anyone',
  assistant: {
    description:
      'Searches published strategies of all users by words. Names and descriptions were written by strangers.',
  },
  input: { query: z.object({ term: z.string().max(MAX_TERM) }) },
  output: z.array(exploreStrategyOut),
  errors: [],
  table: 'read',
  handler: async ({ query: { term } }, call) => {
    const cards = await searches(call, term, () => search(call, term));
    return cards.map((card) => presentListed(card, NO_MARKS));
  },
});
