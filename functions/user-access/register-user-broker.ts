import * as z from 'zod';
import { storedInteger } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { suspendedBroker } from '../../shared/api/refusals.ts';
import { hashPassword } from '../../shared/auth/passwords.ts';
import { presentUser, registeredUser } from '../../shared/records/user.ts';
import { countRegistration } from './common/count-registration.ts';
import { accountWrites, presentedAccount } from './common/partner-account.ts';
import { brokerToJoin, namedBroker, neutralName, newUser, registerUser } from './common/register.ts';
import { registration } from './records/registration.ts';

export const registerUserBroker = defineOperation({
  method: 'POST',
  path: '/register_user_broker',
  name: 'register_user_broker',
  summary: 'Register a user of a white-label broker',
  description:
    'Links the new user to the broker of this domain, without signing in. With a verified partner token, links the account that it names; tokens for this account can sign the user in afterwards, only for a day if the platform has not approved the broker. A broker that the platform approved vouches for the e-mail with the token. Otherwise the broker reads nothing of the user until the user confirms the e-mail and the broker (/confirm_broker).',
  caller: 'anyone',
  input: {
    form: z.object({
      email: registration.email,
      password: registration.password,
      broker_domain: registration.broker_domain,
      name: registration.name.optional(),
      ph_number: registration.ph_number.optional(),
      account_id: z.string().max(64).optional(),
      server_id: storedInteger().optional(),
      /** Verified token of partner A or B. Its account can sign the user in afterwards. */
      partner_token: z.string().max(4096).optional(),
    }),
  },
  output: registeredUser,
  errors: [
    'broker_unknown',
    'broker_suspended',
    'email_taken',
    'partner_token_invalid',
    'partner_token_used',
    'account_taken',
    'rate_limited',
  ],
  table: 'write',
  recheck: async ({ form }, call) => {
    if (form.partner_token === undefined) return;
    const broker = await namedBroker(call, form.broker_domain);
    if (broker?.suspended_at !== undefined) throw suspendedBroker();
  },
  handler: async ({ form }, call) => {
    const account = await presentedAccount(call, form.partner_token, form.broker_domain);
    const { broker, isApproved } = await brokerToJoin(call, form.broker_domain);
    if (account && broker.suspended_at !== undefined) throw suspendedBroker();
    await countRegistration(call, account && isApproved ? ['broker', account.subdomain] : undefined);
    const user = newUser(call, {
      ...form,
      name: form.name ?? neutralName(call.random),
      phone: form.ph_number,
      broker,
      accountId: account ? account.accountId : form.account_id,
      serverId: account ? account.serverId : form.server_id,
      accountVerified: account !== undefined,
      isVouchedFor: account !== undefined && isApproved,
    });
    const passwordHash = await hashPassword(form.password, call);
    await registerUser(call, {
      user,
      passwordHash,
      extraWrites: account && accountWrites(account, user.user_id),
    });
    return presentUser(user);
  },
});
