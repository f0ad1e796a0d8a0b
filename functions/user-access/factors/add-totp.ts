import * as z from 'zod';
import { extensionRecord, integer } from '../../../shared/api/fields.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { createCipher } from '../../../shared/auth/cipher.ts';
import { newTotpSecret } from '../../../shared/auth/totp.ts';
import { personalSession } from '../../../shared/callers/personal-session.ts';
import { changeFactors, ownFactors } from './change-factors.ts';
import { totpContext } from './prove-code-of-factor.ts';

const PENDING_S = 15 * 60;

export const addTotp = defineOperation({
  method: 'POST',
  path: '/add_totp',
  name: 'add_totp',
  summary: 'Begin to add an authenticator app',
  description:
    'The answer shows the secret once, as text and as the `otpauth:` address of a QR code. It counts once /confirm_totp got a code of it, within 15 minutes, and then replaces an app that was added before. Needs a proven e-mail and a step-up. Always requires the session of the user.',
  caller: 'user',
  proven: true,
  stepUp: 'always',
  extension: true,
  input: { query: z.object({ user_id: z.string() }) },
  output: extensionRecord(
    'NewTotp',
    z.object({ secret: z.string(), uri: z.string(), expires_in: integer() }),
  ),
  errors: ['platform_token_insufficient', 'answer_shown_once', 'changed_meanwhile'],
  table: 'write',
  uses: ['encryption'],
  handler: async (_input, call) => {
    const sid = personalSession(call, 'adds no authenticator app');
    const read = await ownFactors(call);
    const { user, factors } = read;
    const { secret, uri } = await newTotpSecret(call.random, user.email);
    const sealed = await createCipher(call).seal(totpContext(user.user_id), secret);
    const totp_pending = { sealed, valid_until: call.now.getTime() + PENDING_S * 1000 };
    await changeFactors(call, sid, read, { after: { ...factors, totp_pending } });
    call.showOnce();
    return { secret, uri, expires_in: PENDING_S };
  },
});
