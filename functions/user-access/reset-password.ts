import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { isRightCode } from '../../shared/auth/one-time-code.ts';
import { hashPassword } from '../../shared/auth/passwords.ts';
import { newPasswordWrite } from '../../shared/data/credentials.ts';
import { keys } from '../../shared/data/keys.ts';
import { takeTry, useCodeWrite } from '../../shared/data/one-time-codes.ts';
import { TransactionRefused } from '../../shared/data/store.ts';
import { resetUserWrite } from '../../shared/data/users.ts';
import { newPassword } from './records.ts';
import { wrongCode } from './send-code.ts';

const PURPOSE = 'password_reset';

export const resetPassword = defineOperation({
  method: 'POST',
  path: '/reset_password',
  name: 'reset_password',
  summary: 'Set a new password with a mailed code',
  description:
    'Ends every session and every push registration of the user. A code has five tries and one use.',
  caller: 'anyone',
  input: { query: z.object({ email: z.string(), new_password: newPassword, otp: integer() }) },
  output: z.object({ detail: z.string() }),
  errors: ['code_invalid'],
  table: 'write',
  handler: async ({ query: { email, new_password: password, otp } }, call) => {
    const code = await takeTry(call.store, email, PURPOSE, call.now);
    if (!code) throw wrongCode();
    const right = isRightCode(
      await call.keyRing(),
      { purpose: PURPOSE, email, nonce: code.nonce },
      String(otp),
    );
    if (!right || code.user_id === undefined) throw wrongCode();
    const passwordHash = await hashPassword(password, call.random);
    try {
      await call.store.transact([
        useCodeWrite(email, PURPOSE, code.nonce),
        newPasswordWrite(email, passwordHash),
        resetUserWrite(code.user_id),
        { delete: keys.pushRegistrations(code.user_id) },
      ]);
    } catch (error) {
      if (error instanceof TransactionRefused) throw wrongCode();
      throw error;
    }
    return { detail: 'The password is changed. Sign in with the new one.' };
  },
});
