import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { describeError } from '../../shared/api/redact.ts';
import { hashPassword } from '../../shared/auth/passwords.ts';
import { countProven } from '../../shared/data/strategies/counts.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import { newPasswordWrite } from '../../shared/data/users/credentials.ts';
import { resetUserWrite } from '../../shared/data/users/users.ts';
import { proveCode } from './common/prove-code.ts';
import { wrongCode } from './common/send-code.ts';
import { newPassword } from './records/registration.ts';

const PURPOSE = 'password_reset';

export const resetPassword = defineOperation({
  method: 'POST',
  path: '/reset_password',
  name: 'reset_password',
  summary: 'Set a new password with a mailed code',
  description:
    'Ends every session and every push registration of the user. A code has one use. The requester, known devices, and all others together have five tries each. Send the parameters as a form or a JSON object in the body, so that no address holds the password; the query takes them, too.',
  caller: 'anyone',
  queryInBody: true,
  input: { query: z.object({ email: z.string(), new_password: newPassword, otp: integer() }) },
  output: z.object({ detail: z.string() }),
  errors: ['code_invalid', 'cross_site_refused'],
  table: 'write',
  handler: async ({ query: { email, new_password: password, otp } }, call) => {
    const { userId, use } = await proveCode(call, email, PURPOSE, String(otp));
    const passwordHash = await hashPassword(password, call);
    try {
      await call.store.transact([
        use,
        newPasswordWrite(email, passwordHash, call.now),
        resetUserWrite(userId),
        { delete: keys.pushRegistrations(userId) },
      ]);
    } catch (error) {
      if (error instanceof TransactionRefusedError) throw wrongCode();
      throw error;
    }
    // The code has proven the address.
    await countProven(call.store, userId).catch((error: unknown) => {
      // The password is set. The weekly comparison counts what is left.
      call.log.error('likes could not be counted', describeError(error));
    });
    return { detail: 'The password is changed. Sign in with the new one.' };
  },
});
