import * as z from 'zod';
import { HubError } from '../../../shared/api/errors.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { personalSession } from '../../../shared/callers/personal-session.ts';
import { changeFactors, ownFactors } from './change-factors.ts';
import { factorsOut, presentFactors } from './records.ts';

export const removeTotp = defineOperation({
  method: 'POST',
  path: '/remove_totp',
  name: 'remove_totp',
  summary: 'Remove the authenticator app',
  description:
    'The user is mailed. Recovery codes end with the last factor. Needs a step-up. Always requires the session of the user.',
  caller: 'user',
  stepUp: 'always',
  extension: true,
  input: { query: z.object({ user_id: z.string() }) },
  output: factorsOut,
  errors: ['platform_token_insufficient', 'factor_unknown', 'changed_meanwhile'],
  table: 'write',
  handler: async (_input, call) => {
    const sid = personalSession(call, 'removes no authenticator app');
    const read = await ownFactors(call);
    const { totp, ...after } = read.factors;
    if (!totp) throw new HubError('factor_unknown', 'There is no authenticator app.');
    await changeFactors(call, sid, read, { after, event: 'totp_removed', notice: 'factor_removed' });
    return presentFactors(read.user, after, call);
  },
});
