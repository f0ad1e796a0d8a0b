import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { cutPage, pageOf, pageQuery } from '../../shared/api/pages.ts';
import { linkedUser, READING_ERRORS } from '../../shared/callers/linked-user.ts';
import { listOwnedStrategies } from '../../shared/data/strategies/owned-strategies.ts';
import { findStrategies } from '../../shared/data/strategies/strategies.ts';
import { integratorStrategy, presentStrategy } from './records/strategy.ts';

export const getUserStrategies = defineOperation({
  method: 'GET',
  path: '/broker/get_user_strategies',
  name: 'get_user_strategies',
  summary: 'List the strategies of a user',
  description: 'Built strategies and copies, private ones included, newest first.',
  caller: 'integrator',
  input: { query: z.object({ user_email: z.string(), ...pageQuery }) },
  output: pageOf('IntegratorStrategy', integratorStrategy),
  errors: READING_ERRORS,
  table: 'read',
  handler: async ({ query: { user_email: email, ...choice } }, call) => {
    const { user } = await linkedUser(call, email);
    const page = cutPage(await listOwnedStrategies(call.store, user.user_id, call.onDamaged), choice);
    const ids = page.items.map(({ strategy_id }) => strategy_id);
    const found = await findStrategies(call.store, ids, call);
    return { ...page, items: found.flatMap((strategy) => (strategy ? [presentStrategy(strategy)] : [])) };
  },
});
