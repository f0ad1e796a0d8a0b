import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { userCustomOut } from '../../shared/records/user.ts';
import { presentedAccount } from './common/partner-account.ts';
import { finishSignIn } from './common/sign-in.ts';
import { attemptSignIn } from './common/sign-in-budgets.ts';

export const loginUserBroker = defineOperation({
  method: 'POST',
  path: '/login_user_broker',
  name: 'login_user_broker',
  summary: 'Sign in a user of a white-label broker',
  description:
    'Works as /login for users linked to the broker of this domain. A verified partner token links the user, if the platform approved the broker; tokens for its account can sign the user in afterwards.',
  caller: 'anyone',
  cookies: 'own_site',
  input: {
    query: z.object({
      email: z.string(),
      password: z.string(),
      broker_domain: z.string(),
      partner_token: z.string().max(4096).optional().meta({ 'x-extension': true }),
    }),
  },
  output: userCustomOut,
  errors: [
    'credentials_invalid',
    'too_many_attempts',
    'partner_token_invalid',
    'partner_token_used',
    'account_taken',
    'broker_suspended',
    'broker_unapproved',
    'changed_meanwhile',
  ],
  table: 'write',
  handler: async ({ query: { email, password, broker_domain: domain, partner_token: token } }, call) => {
    const account = await presentedAccount(call, token, domain);
    const attempt = await attemptSignIn(call, email);
    return finishSignIn(call, attempt, {
      password,
      ...(account ? { account } : { linkedTo: domain }),
    });
  },
});
