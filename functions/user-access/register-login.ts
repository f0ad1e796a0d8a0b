import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { hashPassword } from '../../shared/auth/passwords.ts';
import { newSession, presentSession } from '../../shared/callers/open-session.ts';
import { userCustomOut } from '../../shared/records/user.ts';
import { countRegistration } from './common/count-registration.ts';
import { namedBroker, neutralName, newUser, registerUser } from './common/register.ts';
import { finishSignIn } from './common/sign-in.ts';
import { attemptSignIn } from './common/sign-in-budgets.ts';
import { registration } from './records/registration.ts';

export const registerLogin = defineOperation({
  method: 'POST',
  path: '/register_login',
  name: 'register_login',
  summary: 'Register and sign in, or sign in',
  description:
    'Registers a new e-mail and signs it in. Signs a registered e-mail in if the password matches. `is_new_user` tells the two apart.',
  caller: 'anyone',
  cookies: 'own_site',
  input: {
    form: z.object({
      email: registration.email,
      password: registration.password,
      name: registration.name.optional(),
      ph_number: registration.ph_number.optional(),
      country: registration.country.optional(),
      referral_code: registration.referral_code.optional(),
      broker_domain: registration.broker_domain.optional(),
    }),
  },
  output: userCustomOut,
  errors: ['credentials_invalid', 'too_many_attempts', 'broker_unknown', 'email_taken', 'rate_limited'],
  table: 'write',
  handler: async ({ form }, call) => {
    const { email, password } = form;
    const attempt = await attemptSignIn(call, email, { registers: true });
    const { user_id: owner, reserved } = attempt.credentials;
    if (owner !== undefined || reserved) return finishSignIn(call, attempt, { password });

    const broker = await namedBroker(call, form.broker_domain);
    await countRegistration(call);
    const passwordHash = await hashPassword(password, call);
    const opened = newSession(call);
    const user = newUser(call, {
      ...form,
      name: form.name ?? neutralName(call.random),
      phone: form.ph_number,
      broker,
      sessions: { [opened.sid]: opened.session },
    });
    try {
      await registerUser(call, { user, passwordHash, referredBy: form.referral_code });
    } catch (error) {
      if (!(error instanceof HubError && error.code === 'email_taken')) throw error;
      // Another request registered the e-mail at the same time.
      const later = await attemptSignIn(call, email);
      if (later.credentials.user_id === undefined) throw error;
      return finishSignIn(call, later, { password });
    }
    return presentSession(call, user, { sid: opened.sid, generation: 0, isNewUser: true });
  },
});
