import * as z from 'zod';
import { defineOperation } from '../../../shared/api/operation.ts';
import { createCipher } from '../../../shared/auth/cipher.ts';
import { totpStep } from '../../../shared/auth/totp.ts';
import { personalSession } from '../../../shared/callers/personal-session.ts';
import { wrongCode } from '../common/send-code.ts';
import { changeFactors, ownFactors } from './change-factors.ts';
import { totpContext } from './prove-code-of-factor.ts';
import { factorsOut, presentFactors } from './records.ts';

export const confirmTotp = defineOperation({
  method: 'POST',
  path: '/confirm_totp',
  name: 'confirm_totp',
  summary: 'Add the authenticator app with a code of it',
  description:
    'Takes a code of the app for the secret of /add_totp. The user is mailed. Make recovery codes after the first factor. Needs a proven e-mail and a step-up. Always requires the session of the user.',
  caller: 'user',
  proven: true,
  stepUp: 'always',
  extension: true,
  input: { query: z.object({ user_id: z.string() }), json: z.object({ totp: z.string().max(32) }) },
  output: factorsOut,
  errors: ['platform_token_insufficient', 'code_invalid', 'changed_meanwhile'],
  table: 'write',
  uses: ['encryption'],
  handler: async ({ json: { totp: code } }, call) => {
    const { now } = call;
    const sid = personalSession(call, 'adds no authenticator app');
    const read = await ownFactors(call);
    const { totp_pending: pending, ...factors } = read.factors;
    if (!pending || pending.valid_until <= now.getTime()) throw wrongCode();
    const { sealed } = pending;
    // Guesses need no limit: the caller has seen the secret.
    const secret = await createCipher(call).open(totpContext(factors.user_id), sealed);
    const step = await totpStep(secret, code.replace(/\s/g, ''), { usedStep: 0, now });
    if (step === undefined) throw wrongCode();
    const after = { ...factors, totp: { sealed, step, added_at: now.toISOString() } };
    await changeFactors(call, sid, read, { after, event: 'totp_added', notice: 'factor_added' });
    return presentFactors(read.user, after, call);
  },
});
