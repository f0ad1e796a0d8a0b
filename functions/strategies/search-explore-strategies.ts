import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { cardOf, findStrategies } from '../../shared/data/strategies.ts';
import { NO_MARKS } from '../../shared/data/strategy-marks.ts';
import { searchStrategies } from '../../shared/data/strategy-search.ts';
import { wordsOf } from '../../shared/domain/words.ts';
import { presentListed } from './present.ts';
import { exploreStrategyOut } from './records.ts';

const MAX_FOUND = 50;
const MAX_TERM = 200;
const MAX_WORDS = 10;

export const searchExploreStrategies = defineOperation({
  method: 'POST',
  path: '/search_explore_strategies',
  name: 'search_explore_strategies',
  summary: 'Search the explore catalogue',
  description:
    'Every word of `term` begins a word of the name, a symbol, the author or a category, regardless of case and accents. Best liked first, at most 50.',
  caller: 'anyone',
  input: { query: z.object({ term: z.string().max(MAX_TERM) }) },
  output: z.array(exploreStrategyOut),
  errors: [],
  table: 'read',
  handler: async ({ query: { term } }, call) => {
    const typed = [...new Set(wordsOf(term))].slice(0, MAX_WORDS);
    const ids = typed.length === 0 ? [] : await searchStrategies(call.store, typed, MAX_FOUND);
    const strategies = await findStrategies(call.store, ids);
    return strategies
      .filter((strategy) => strategy?.explore_seq !== undefined)
      .flatMap((strategy) => (strategy ? [presentListed(cardOf(strategy), NO_MARKS)] : []))
      .sort((a, b) => b.like_count - a.like_count || b.strategy_id - a.strategy_id);
  },
});
