import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { takenName } from '../../shared/api/refusals.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { changeEverywhere } from '../../shared/data/strategies/listings.ts';
import { renameWrites } from '../../shared/data/strategies/owned-strategies.ts';
import { cardDescription, type Strategy } from '../../shared/data/strategies/strategies.ts';
import { searchWrites } from '../../shared/data/strategies/strategy-search.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import { tidy } from '../../shared/domain/text.ts';
import { strategyDescription, strategyName } from './common/make-strategy.ts';
import { ownStrategy } from './common/own-strategy.ts';
import { presentOwn, strategyOut } from './records/strategy.ts';

export const renameStrategy = defineOperation({
  method: 'POST',
  path: '/rename_strategy',
  name: 'rename_strategy',
  summary: 'Rename or describe a strategy',
  description: 'The new name is shown in every list at once.',
  caller: 'user',
  extension: true,
  // Percent-encoding triples the bytes of a long text.
  limits: { query: 10 * 1024 },
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
    retryOnConflict(async () => {
      const before = await ownStrategy(call, query.user_id, query.strategy_id);
      const after: Strategy = {
        ...before,
        strategy_name: tidy(query.strategy_name),
        description: query.description === undefined ? before.description : tidy(query.description),
        version: before.version + 1,
        updated_at: call.now.toISOString(),
      };
      const text = {
        update: `SET strategy_name = :name${after.description === undefined ? '' : ', description = :description'}`,
        values: {
          ':name': after.strategy_name,
          ...(after.description !== undefined && { ':description': cardDescription(after.description) }),
        },
      };
      const { claim, others } = renameWrites(before, after.strategy_name);
      const listed = before.explore_seq !== undefined;
      try {
        await call.store.transact([
          claim,
          ...others,
          ...changeEverywhere(before, text, {
            update: `${text.update}, version = :next, updated_at = :at`,
            // The search index entry depends on these likes.
            condition: 'version = :version AND like_count = :likes',
            values: {
              ...text.values,
              ...(after.description !== undefined && { ':description': after.description }),
              ':next': after.version,
              ':at': after.updated_at,
              ':version': before.version,
              ':likes': before.like_count,
            },
          }),
          ...(listed
            ? searchWrites(
                { strategy: before, likes: before.like_count },
                { strategy: after, likes: before.like_count },
              )
            : []),
        ]);
      } catch (error) {
        if (error instanceof TransactionRefusedError && error.has(claim)) {
          throw takenName();
        }
        throw error;
      }
      return presentOwn(after);
    }),
});
