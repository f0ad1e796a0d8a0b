import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownStrategy, unknownUser } from '../../shared/api/refusals.ts';
import { asStrategy, isOpenToId } from '../../shared/data/strategies/strategies.ts';
import { asMarks } from '../../shared/data/strategies/strategy-marks.ts';
import { readRules, rulesVersions } from '../../shared/data/strategies/strategy-rules.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { withoutKeys } from './common/key-scopes.ts';
import { presentOthersRules, presentOwnRules, strategyRulesOut } from './records/strategy-rules.ts';

export const getStrategy = defineOperation({
  method: 'GET',
  path: '/get_strategy',
  name: 'get_strategy',
  summary: 'Get a strategy with its rules',
  description:
    'The owner gets the rules, their sentence and the last 20 versions; `rules_version` chooses an earlier one. Of public strategies, others get the sentence, unless the rules are closed. Copying hands over the rules.',
  caller: 'user',
  scope: 'research',
  extension: true,
  assistant: {
    description:
      'Reads a strategy with its rules, their sentence and the last versions. Others than the owner see the sentence only.',
  },
  input: {
    query: z.object({
      user_id: z.string(),
      strategy_id: integer(),
      rules_version: integer().optional(),
    }),
  },
  output: strategyRulesOut,
  errors: ['user_unknown', 'strategy_unknown', 'rules_version_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, strategy_id: id, rules_version: version } }, call) => {
    const wanted = {
      user: keys.user(userId),
      strategy: keys.strategy(id),
      history: keys.rulesHistory(id),
      marks: keys.strategyMarks(userId),
    };
    const items = await call.store.getMany(Object.values(wanted), { consistent: true });
    if (!itemWith(items, wanted.user)) throw unknownUser();
    const strategy = asStrategy(itemWith(items, wanted.strategy));
    if (!strategy || !isOpenToId(strategy, userId)) throw unknownStrategy();
    const marks = asMarks(itemWith(items, wanted.marks));
    if (strategy.user_id !== userId) {
      const hash = strategy.rules_visibility === 'open' ? strategy.rules_hash : undefined;
      const open = hash === undefined ? undefined : await readRules(call.store, hash);
      return presentOthersRules(strategy, marks, open);
    }
    const versions = rulesVersions(strategy, itemWith(items, wanted.history));
    const shown = version === undefined ? versions[0] : versions.find((each) => each.version === version);
    if (version !== undefined && !shown) {
      throw new HubError('rules_version_unknown', 'The last versions of the rules do not include this one.');
    }
    const rules = shown && (await readRules(call.store, shown.rules_hash));
    return withoutKeys(call, presentOwnRules(strategy, marks, { rules, shown, versions }));
  },
});
