import * as z from 'zod';
import { parseInteger } from '../../shared/api/coerce.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownStrategy } from '../../shared/api/refusals.ts';
import { findStrategy } from '../../shared/data/strategies/strategies.ts';
import { isProven } from '../../shared/domain/proven.ts';
import { addOnsFor } from '../../shared/domain/strategies/add-ons.ts';

export const getStrategyAddOns = defineOperation({
  method: 'GET',
  path: '/get_strategy_add_ons',
  name: 'get_strategy_add_ons',
  summary: 'List the add-ons of a strategy',
  description: "Each add-on is enabled, available, or has the reason why not, by the user's plan and broker.",
  caller: 'user',
  scope: 'read',
  input: { query: z.object({ user_id: z.string(), strategy_id: z.string() }) },
  output: z.object({
    add_ons: z.array(
      z.object({
        add_on_id: z.string(),
        name: z.string(),
        description: z.string(),
        category: z.enum(['alerts', 'execution', 'sharing']),
        enabled: z.boolean(),
        available: z.boolean(),
        reason: z.string().nullable(),
      }),
    ),
  }),
  errors: ['user_unknown', 'strategy_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, strategy_id: text } }, call) => {
    const id = parseInteger(text);
    if (id === undefined) throw unknownStrategy();
    const [user, strategy] = await Promise.all([call.user(), findStrategy(call.store, id)]);
    if (strategy?.user_id !== userId) throw unknownStrategy();
    const links = Object.values(user.brokers);
    const add_ons = addOnsFor({
      plan: user.plan,
      emailVerified: isProven(user),
      phoneVerified: user.ph_verified,
      brokerConnected: links.some(
        ({ broker_id, connected }) => connected && (strategy.broker_id ?? broker_id) === broker_id,
      ),
      symbols: strategy.symbols.length,
      published: strategy.explore_seq !== undefined,
    });
    return { add_ons };
  },
});
