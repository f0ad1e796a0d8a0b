import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { originOf } from '../../shared/callers/origin.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import { findCode } from '../../shared/data/users/one-time-codes.ts';
import { securityEventWrite } from '../../shared/data/users/security-events.ts';
import { findUser, NO_USER, unlessLeaving, verifiedPhoneWrite } from '../../shared/data/users/users.ts';
import { proveCode } from './common/prove-code.ts';
import { wrongCode } from './common/send-code.ts';
import { noticeWrite } from './factors/change-factors.ts';

const PURPOSE = 'phone';

export const validateSmsOtp = defineOperation({
  method: 'POST',
  path: '/validate_sms_otp',
  name: 'validate_sms_otp',
  summary: 'Verify a phone with the code sent to it',
  description:
    'A code has one use. The requester, the sessions of the account, and all others together have five tries each. The user is mailed.',
  caller: 'anyone',
  input: { query: z.object({ otp: z.string(), email: z.string() }) },
  output: z.object({ ph_verified: z.literal(true), ph_number: z.string() }),
  errors: ['code_invalid', 'cross_site_refused'],
  table: 'write',
  recheck: async ({ query: { email } }, call) => {
    const { credentials } = await findCode(call.store, email, PURPOSE);
    const user = await findUser(call.store, credentials.user_id ?? NO_USER);
    if (!unlessLeaving(user)) throw wrongCode();
  },
  handler: async ({ query: { otp, email } }, call) => {
    const { userId, phone, sid, use } = await proveCode(call, email, PURPOSE, otp.trim());
    if (phone === undefined) throw wrongCode();
    try {
      await call.store.transact([
        use,
        verifiedPhoneWrite(userId, { phone, sid }),
        securityEventWrite({ user_id: userId }, { kind: 'phone_verified', ...originOf(call), now: call.now }),
        // Text messages go there from now on, also about recoveries.
        noticeWrite(call, { user_id: userId }, 'phone'),
      ]);
    } catch (error) {
      if (error instanceof TransactionRefusedError) throw wrongCode();
      throw error;
    }
    return { ph_verified: true, ph_number: phone };
  },
});
