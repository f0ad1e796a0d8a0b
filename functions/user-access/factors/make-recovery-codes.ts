import * as z from 'zod';
import { HubError } from '../../../shared/api/errors.ts';
import { extensionRecord } from '../../../shared/api/fields.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { newRecoveryCodes, recoveryHash } from '../../../shared/auth/recovery-codes.ts';
import { personalSession } from '../../../shared/callers/personal-session.ts';
import { countsOf } from '../../../shared/data/users/factors.ts';
import { changeFactors, ownFactors } from './change-factors.ts';

export const makeRecoveryCodes = defineOperation({
  method: 'POST',
  path: '/make_recovery_codes',
  name: 'make_recovery_codes',
  summary: 'Make recovery codes',
  description:
    'Ten codes for /step_up, shown once, for the day on which every other factor is lost. Each works once. They replace those made before. The user is mailed. Needs a second factor and a step-up. Always requires the session of the user.',
  caller: 'user',
  stepUp: 'always',
  extension: true,
  input: { query: z.object({ user_id: z.string() }) },
  output: extensionRecord('RecoveryCodes', z.object({ recovery_codes: z.array(z.string()) })),
  errors: ['platform_token_insufficient', 'state_conflict', 'answer_shown_once', 'changed_meanwhile'],
  table: 'write',
  handler: async (_input, call) => {
    const sid = personalSession(call, 'makes no recovery codes');
    const read = await ownFactors(call);
    const { factors } = read;
    if (!countsOf(factors)) {
      throw new HubError('state_conflict', 'Add a passkey or an authenticator app first.');
    }
    const codes = newRecoveryCodes(call.random);
    const recovery_codes = Object.fromEntries(codes.map((code) => [recoveryHash(factors.user_id, code), {}]));
    await changeFactors(call, sid, read, {
      after: { ...factors, recovery_codes },
      event: 'recovery_codes_made',
      notice: 'recovery_codes',
    });
    call.showOnce();
    return { recovery_codes: codes };
  },
});
