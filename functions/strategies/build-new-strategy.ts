import * as z from 'zod';
import { storedInteger } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { takenName } from '../../shared/api/refusals.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { createStrategy } from '../../shared/data/strategies/owned-strategies.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { withoutKeys } from './common/key-scopes.ts';
import {
  knownInstruments,
  newStrategy,
  parseSymbols,
  strategyName,
  timeframe,
  tooMany,
} from './common/make-strategy.ts';
import { presentNew, strategyPrefCustomOut } from './records/new-strategy.ts';

export const buildNewStrategy = defineOperation({
  method: 'POST',
  path: '/build_new_strategy',
  name: 'build_new_strategy',
  summary: 'Build a strategy',
  description: 'Builds a strategy over one or several instruments. It starts private.',
  caller: 'user',
  scope: 'research',
  assistant: {
    description:
      'Makes a private strategy over one or several symbols, separated by commas, without rules. Go on with set_strategy_rules.',
  },
  input: {
    query: z.object({
      symbol: z.string(),
      timeframe: timeframe(),
      strategy_name: strategyName(),
      user_id: z.string(),
      broker_id: storedInteger().optional(),
    }),
  },
  output: strategyPrefCustomOut,
  errors: ['user_unknown', 'name_taken', 'quota_reached', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query }, call) => {
    const symbols = parseSymbols(query.symbol);
    const [owner, found] = await Promise.all([call.user(), call.store.getMany(symbols.map(keys.instrument))]);
    const instruments = knownInstruments(found);
    const { strategy, failure } = await retryOnConflict(async () => {
      const made = newStrategy(call, {
        owner,
        instruments,
        name: query.strategy_name,
        timeframe: query.timeframe,
        brokerId: query.broker_id,
      });
      return { strategy: made, failure: await createStrategy(call.store, made) };
    });
    if (failure === 'too_many') throw tooMany();
    if (failure) throw takenName();
    return withoutKeys(call, presentNew(strategy));
  },
});
