import * as z from 'zod';
import { HubError } from '../../../shared/api/errors.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { personalSession } from '../../../shared/callers/personal-session.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { changeFactors, ownFactors } from './change-factors.ts';
import { factorsOut, presentFactors } from './records.ts';

export const removePasskey = defineOperation({
  method: 'POST',
  path: '/remove_passkey',
  name: 'remove_passkey',
  summary: 'Remove a passkey',
  description:
    'Takes a `passkey_id` of /get_factors. The user is mailed. Recovery codes end with the last factor. Needs a step-up. Always requires the session of the user.',
  caller: 'user',
  stepUp: 'always',
  extension: true,
  input: { query: z.object({ user_id: z.string() }), json: z.object({ passkey_id: z.string().max(1400) }) },
  output: factorsOut,
  errors: ['platform_token_insufficient', 'factor_unknown', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ json: { passkey_id: id } }, call) => {
    const sid = personalSession(call, 'removes no passkey');
    const read = await ownFactors(call);
    const { [id]: removed, ...passkeys } = read.factors.passkeys;
    if (!removed) throw new HubError('factor_unknown', 'There is no such passkey.');
    const after = { ...read.factors, passkeys };
    await changeFactors(call, sid, read, {
      after,
      event: 'passkey_removed',
      notice: 'factor_removed',
      extraWrites: [{ delete: keys.passkey(id) }],
    });
    return presentFactors(read.user, after, call);
  },
});
