import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { userCustomOut } from '../../shared/records/user.ts';
import { finishSignIn } from './common/sign-in.ts';
import { attemptSignIn } from './common/sign-in-budgets.ts';

export const login = defineOperation({
  method: 'POST',
  path: '/login',
  name: 'login',
  summary: 'Sign in with e-mail and password',
  description:
    'Password form of OAuth 2.0. Limits in 15 minutes: five wrong passwords per e-mail, five of its own for a known device, 50 from an address.',
  caller: 'anyone',
  cookies: 'own_site',
  input: {
    form: z.object({
      grant_type: z
        .string()
        .regex(/password/)
        .optional(),
      username: z.string(),
      password: z.string(),
      scope: z.string().default(''),
      client_id: z.string().optional(),
      client_secret: z.string().optional(),
    }),
  },
  output: userCustomOut,
  errors: ['credentials_invalid', 'too_many_attempts'],
  table: 'write',
  handler: async ({ form: { username: email, password } }, call) =>
    finishSignIn(call, await attemptSignIn(call, email), { password }),
});
