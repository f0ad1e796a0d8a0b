import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { takenName } from '../../shared/api/refusals.ts';
import { updateStrategy } from '../../shared/data/strategies/strategy-update.ts';
import { tidy } from '../../shared/domain/text.ts';
import { presentOwn, strategyOut } from '../../shared/records/strategy.ts';
import { changeCards } from './common/kept-cards.ts';
import { requireScopeOf, withoutKeys } from './common/key-scopes.ts';
import { strategyDescription, strategyName } from './common/make-strategy.ts';
import { ownStrategy } from './common/own-strategy.ts';

export const renameStrategy = defineOperation({
  method: 'POST',
  path: '/rename_strategy',
  name: 'rename_strategy',
  summary: 'Rename or describe a strategy',
  description: 'The new name is shown in every list at once.',
  caller: 'user',
  scope: 'research',
  extension: true,
  // Percent-encoding triples the bytes of a long text.
  limits: { query: 10 * 1024 },
  assistant: {
    description: 'Gives a private strategy of the user another name, and a description if given.',
    idempotent: true,
  },
  input: {
    query: z.object({
      user_id: z.string(),
      strategy_id: integer(),
      strategy_name: strategyName(),
      description: strategyDescription().optional(),
    }),
  },
  output: strategyOut,
  errors: ['strategy_unknown', 'name_taken', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query }, call) =>
    changeCards(call, async () => {
      const before = await ownStrategy(call, query.user_id, query.strategy_id);
      requireScopeOf(call, before);
      const edit = {
        strategy_name: tidy(query.strategy_name),
        ...(query.description !== undefined && { description: tidy(query.description) }),
      };
      const after = await updateStrategy(call.store, before, edit, call);
      if (after === 'name_taken') throw takenName();
      return withoutKeys(call, presentOwn(after));
    }),
});
