import * as z from 'zod';
import { integer, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownStrategy } from '../../shared/api/refusals.ts';
import { replaceKeygen } from '../../shared/data/strategies/strategies.ts';
import { deployKey } from '../../shared/domain/strategies/strategy-keys.ts';

export const rotateKeygen = defineOperation({
  method: 'POST',
  path: '/rotate_keygen',
  name: 'rotate_keygen',
  summary: 'Replace the deploy key of a strategy',
  description:
    'The old key ends at once; its deployments continue. The new key is in this answer, which an Idempotency-Key does not repeat, and in the owner’s list of strategies.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string(), strategy_id: integer() }) },
  output: z.object({ strategy_id: integer(), keygen: z.string(), rotated_at: timestamp() }),
  errors: ['strategy_unknown', 'answer_shown_once'],
  table: 'write',
  handler: async ({ query: { user_id: userId, strategy_id: id } }, call) => {
    const keygen = deployKey(id, call.random);
    if (!(await replaceKeygen(call.store, { userId, id, keygen, now: call.now }))) throw unknownStrategy();
    call.showOnce();
    return { strategy_id: id, keygen, rotated_at: call.now.toISOString() };
  },
});
