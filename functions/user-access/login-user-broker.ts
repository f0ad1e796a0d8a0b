import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { userCustomOut } from './records.ts';
import { attemptSignIn, finishSignIn } from './sign-in.ts';

export const loginUserBroker = defineOperation({
  method: 'POST',
  path: '/login_user_broker',
  name: 'login_user_broker',
  summary: 'Sign in a user of a white-label broker',
  description: 'As /login, for users who are linked to the broker of that domain.',
  caller: 'anyone',
  input: { query: z.object({ email: z.string(), password: z.string(), broker_domain: z.string() }) },
  output: userCustomOut,
  errors: ['credentials_invalid', 'too_many_attempts'],
  table: 'write',
  handler: async ({ query: { email, password, broker_domain: linkedTo } }, call) =>
    finishSignIn(call, await attemptSignIn(call, email), { email, password, linkedTo }),
});
