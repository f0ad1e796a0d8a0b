import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { extensionRecord, extra, integer, record } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { cutPage, pageFields, pageQueryOf } from '../../shared/api/pages.ts';
import { listOwnedStrategies, type OwnedStrategy } from '../../shared/data/strategies/owned-strategies.ts';
import { findStrategies, type Strategy } from '../../shared/data/strategies/strategies.ts';
import { STRATEGY_STATUSES } from '../../shared/domain/strategies/strategies.ts';
import { wordsOf } from '../../shared/domain/words.ts';
import { presentOwn, strategyOut } from '../../shared/records/strategy.ts';
import { withoutKeys } from './common/key-scopes.ts';

const counts = extensionRecord('StrategyCounts', z.object({ own: integer(), copied: integer() }));

const paginatedStrategies = record(
  'PaginatedStrategiesResponse',
  z.object({ ...pageFields(strategyOut), is_copied: integer(), counts }),
);

/** Returns a check whether each typed word occurs in the name or a symbol. A text without words occurs as it is. */
const fitting = (typed: string): ((owned: OwnedStrategy) => boolean) => {
  const [words, whole] = [wordsOf(typed), typed.trim()];
  return ({ strategy_name, symbols }) => {
    const text = [strategy_name, ...symbols].join(' ');
    if (words.length === 0) return text.includes(whole);
    const searched = wordsOf(text).join(' ');
    return words.every((word) => searched.includes(word));
  };
};

/** Presents strategies, without those removed between the two reads. */
export const present = (call: Pick<Call, 'apiKey'>, strategies: readonly (Strategy | undefined)[]) =>
  strategies.flatMap((strategy) => (strategy ? [withoutKeys(call, presentOwn(strategy))] : []));

export const getStrategiesByUser = defineOperation({
  method: 'GET',
  path: '/get_strategies_by_user',
  name: 'get_strategies_by_user',
  summary: 'List the strategies of a user',
  description: 'Built strategies (`is_copied` 0) or copies (1), newest first.',
  caller: 'user',
  scope: 'read',
  assistant: {
    description:
      'Lists the strategies of the user, newest first, by page. Use strategy_id of an entry in other tools.',
  },
  input: {
    query: z.object({
      user_id: z.string(),
      is_copied: integer()
        .meta({ enum: [0, 1] })
        .default(0),
      search_key: z.string().max(200).optional(),
      broker_id: integer().optional(),
      status: extra(z.enum(STRATEGY_STATUSES).optional()),
      ...pageQueryOf(10),
    }),
  },
  output: paginatedStrategies,
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query }, call) => {
    const { is_copied: copied, search_key: typed, broker_id: brokerId, status } = query;
    const [, all] = await Promise.all([
      call.user(),
      listOwnedStrategies(call.store, query.user_id, call.onDamaged),
    ]);
    const fits = fitting(typed ?? '');
    const chosen = all.filter(
      (owned) =>
        owned.is_copied === copied &&
        (status === undefined || owned.status === status) &&
        (brokerId === undefined || owned.broker_id === brokerId) &&
        fits(owned),
    );
    const page = cutPage(chosen, query);
    const items = present(
      call,
      await findStrategies(
        call.store,
        page.items.map(({ strategy_id }) => strategy_id),
        call,
      ),
    );
    const copies = all.filter(({ is_copied }) => is_copied === 1).length;
    return { ...page, items, is_copied: copied, counts: { own: all.length - copies, copied: copies } };
  },
});
