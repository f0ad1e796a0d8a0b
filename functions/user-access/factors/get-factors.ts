import * as z from 'zod';
import { defineOperation } from '../../../shared/api/operation.ts';
import { personalSession } from '../../../shared/callers/personal-session.ts';
import { ownFactors } from './change-factors.ts';
import { factorsOut, presentFactors } from './records.ts';

export const getFactors = defineOperation({
  method: 'GET',
  path: '/get_factors',
  name: 'get_factors',
  summary: 'List the second factors of the user',
  description:
    'Passkeys, the authenticator app and the number of recovery codes left, with the ways in which the account steps up, and until when the session has. `factors_end_at` is the time of a removal that was asked for; `recovery_until` is until when new real deployments, resumes and connections wait. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string() }) },
  output: factorsOut,
  errors: ['platform_token_insufficient'],
  table: 'read',
  handler: async (_input, call) => {
    personalSession(call, 'shows no factors');
    const { user, factors } = await ownFactors(call);
    return presentFactors(user, factors, call);
  },
});
