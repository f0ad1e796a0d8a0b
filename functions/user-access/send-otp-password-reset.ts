import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { normaliseEmail } from '../../shared/data/keys.ts';
import { CODE_LIFETIME_S, findCodeAndOwner } from '../../shared/data/one-time-codes.ts';
import { sendCode } from './send-code.ts';

export const sendOtpPasswordReset = defineOperation({
  method: 'POST',
  path: '/send_otp_password_reset',
  name: 'send_otp_password_reset',
  summary: 'Mail a code for a password reset',
  description:
    'The answer is the same whether or not the e-mail is registered. One code in 30 s, five an hour.',
  caller: 'anyone',
  input: { query: z.object({ email: z.string() }) },
  output: z.object({ detail: z.string(), expires_in: integer() }),
  errors: ['too_many_codes'],
  table: 'write',
  handler: async ({ query: { email } }, call) => {
    const { userId, last } = await findCodeAndOwner(call.store, email, 'password_reset');
    await sendCode(call, {
      email,
      purpose: 'password_reset',
      last,
      userId,
      message: (nonce) => ({
        kind: 'code_mail',
        to: normaliseEmail(email),
        purpose: 'password_reset',
        nonce,
        valid_until: call.now.getTime() + CODE_LIFETIME_S * 1000,
      }),
    });
    return { detail: 'If the e-mail is registered, a code is on its way.', expires_in: CODE_LIFETIME_S };
  },
});
