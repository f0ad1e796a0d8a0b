import * as z from 'zod';
import { defineOperation } from '../../../shared/api/operation.ts';
import { originOf } from '../../../shared/callers/origin.ts';
import { personalSession } from '../../../shared/callers/personal-session.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { TransactionRefusedError } from '../../../shared/data/table/store.ts';
import { securityEventWrite } from '../../../shared/data/users/security-events.ts';
import { whileHeld } from '../../../shared/data/users/users.ts';
import { factorsOf } from '../../../shared/domain/factors.ts';
import { changedFactors, noticeWrite } from './change-factors.ts';

export const keepFactors = defineOperation({
  method: 'POST',
  path: '/keep_factors',
  name: 'keep_factors',
  summary: 'End a request to remove lost factors',
  description:
    'Ends a request of /remove_lost_factors before it takes effect. Idempotent. Protects, so it needs no step-up. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({ kept: z.boolean() }),
  errors: ['platform_token_insufficient', 'changed_meanwhile'],
  table: 'write',
  handler: async (_input, call) => {
    const { now } = call;
    const sid = personalSession(call, 'keeps no factors');
    const user = await call.user();
    const factors = factorsOf(user, now);
    if (factors?.end_at === undefined) return { kept: factors !== undefined };
    const held = whileHeld({ sid, kind: 'session' });
    try {
      await call.store.transact([
        {
          key: keys.user(user.user_id),
          update: 'REMOVE factors.end_at',
          ...held,
          condition: `${held.condition} AND attribute_exists(factors)`,
        },
        securityEventWrite(user, { kind: 'factors_kept', ...originOf(call), now }),
        noticeWrite(call, user, 'factors_kept'),
      ]);
    } catch (error) {
      if (error instanceof TransactionRefusedError) throw changedFactors(error);
      throw error;
    }
    return { kept: true };
  },
});
