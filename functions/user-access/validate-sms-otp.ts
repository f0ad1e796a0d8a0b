import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { isRightCode } from '../../shared/auth/one-time-code.ts';
import { takeTry, useCodeWrite } from '../../shared/data/one-time-codes.ts';
import { TransactionRefused } from '../../shared/data/store.ts';
import { verifiedPhoneWrite } from '../../shared/data/users.ts';
import { wrongCode } from './send-code.ts';

const PURPOSE = 'phone';

export const validateSmsOtp = defineOperation({
  method: 'POST',
  path: '/validate_sms_otp',
  name: 'validate_sms_otp',
  summary: 'Verify a phone with the code sent to it',
  description: 'A code has five tries and one use.',
  caller: 'anyone',
  input: { query: z.object({ otp: z.string(), email: z.string() }) },
  output: z.object({ ph_verified: z.literal(true), ph_number: z.string() }),
  errors: ['code_invalid'],
  table: 'write',
  handler: async ({ query: { otp, email } }, call) => {
    const code = await takeTry(call.store, email, PURPOSE, call.now);
    if (!code) throw wrongCode();
    const right = isRightCode(
      await call.keyRing(),
      { purpose: PURPOSE, email, nonce: code.nonce },
      otp.trim(),
    );
    const { user_id: userId, ph_number: phone } = code;
    if (!right || userId === undefined || phone === undefined) throw wrongCode();
    try {
      await call.store.transact([
        useCodeWrite(email, PURPOSE, code.nonce),
        verifiedPhoneWrite(userId, phone),
      ]);
    } catch (error) {
      if (error instanceof TransactionRefused) throw wrongCode();
      throw error;
    }
    return { ph_verified: true, ph_number: phone };
  },
});
