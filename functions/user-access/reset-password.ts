import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { hashPassword } from '../../shared/auth/passwords.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import { findUser } from '../../shared/data/users/users.ts';
import { newPasswordWrites } from './common/new-password.ts';
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
    'Ends every session, the platform token, API keys and every push registration of the user. The first time, it also proves the e-mail and ends what was made in the account before: deployments, deploy keys, likes, the phone number. The user is mailed what ended and what goes on (/get_grants). A code has one use. The requester, known devices, and all others together have five tries each. Send the parameters as a form or a JSON object in the body, so that no address holds the password; the query takes them, too.',
  caller: 'anyone',
  queryInBody: true,
  input: { query: z.object({ email: z.string(), new_password: newPassword, otp: integer() }) },
  output: z.object({ detail: z.string() }),
  errors: ['code_invalid', 'cross_site_refused'],
  table: 'write',
  handler: async ({ query: { email, new_password: password, otp } }, call) => {
    const { userId, use } = await proveCode(call, email, PURPOSE, String(otp));
    const [user, passwordHash] = await Promise.all([
      findUser(call.store, userId),
      hashPassword(password, call),
    ]);
    if (!user) throw wrongCode();
    try {
      await call.store.transact([use, ...(await newPasswordWrites(call, user, passwordHash))]);
    } catch (error) {
      if (error instanceof TransactionRefusedError) throw wrongCode();
      throw error;
    }
    return { detail: 'The password is changed. Sign in with the new one.' };
  },
});
