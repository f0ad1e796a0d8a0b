import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { isSessionOf } from '../../shared/auth/authenticate.ts';
import { verifyChallenge } from '../../shared/channels/challenge.ts';
import { normaliseEmail } from '../../shared/data/keys.ts';
import { CODE_LIFETIME_S, findCodeAndOwner } from '../../shared/data/one-time-codes.ts';
import { findUser } from '../../shared/data/users.ts';
import { phoneNumber } from '../../shared/domain/phone.ts';
import { sendCode } from './send-code.ts';

const PURPOSE = 'phone';
const NOBODY = '-';

export const sendSmsOtp = defineOperation({
  method: 'POST',
  path: '/send_sms_otp',
  name: 'send_sms_otp',
  summary: 'Send a code to a phone',
  description:
    'Needs a solved challenge. The code goes out when the number is the one of the account, or when the session of the account comes with the call (to verify a new number); the answer is the same otherwise. One code in 30 s, five an hour.',
  caller: 'anyone',
  input: { query: z.object({ ph_number: phoneNumber(), email: z.string(), cf_token: z.string() }) },
  output: z.object({ detail: z.string(), expires_in: integer() }),
  errors: ['challenge_refused', 'too_many_codes', 'upstream_failed'],
  table: 'write',
  uses: ['challenge'],
  handler: async ({ query: { ph_number: phone, email, cf_token: token } }, call) => {
    if (!(await verifyChallenge(call, token))) {
      throw new HubError('challenge_refused', 'The challenge was not solved, or its token was used before.');
    }
    const { userId, last } = await findCodeAndOwner(call.store, email, PURPOSE);
    // Looked for even where there is no account, so that the time tells nothing.
    const user = await findUser(call.store, userId ?? NOBODY);
    const allowed = user !== undefined && (user.ph_number === phone || (await isSessionOf(call, user)));
    await sendCode(call, {
      email,
      purpose: PURPOSE,
      last,
      userId: allowed ? userId : undefined,
      phone,
      message: (nonce) => ({
        kind: 'code_sms',
        to: phone,
        email: normaliseEmail(email),
        purpose: PURPOSE,
        nonce,
        valid_until: call.now.getTime() + CODE_LIFETIME_S * 1000,
      }),
    });
    return {
      detail: 'If e-mail and number belong together, a code is on its way.',
      expires_in: CODE_LIFETIME_S,
    };
  },
});
