import * as z from 'zod';
import { storedInteger } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { hashPassword } from '../../shared/auth/passwords.ts';
import { presentUser } from './present-user.ts';
import { registeredUser, registration } from './records.ts';
import { namedBroker, nameFrom, newUser, registerUser } from './register.ts';

export const registerUserBroker = defineOperation({
  method: 'POST',
  path: '/register_user_broker',
  name: 'register_user_broker',
  summary: 'Register a user of a white-label broker',
  description: 'The user is linked to the broker of that domain, and not signed in.',
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
    }),
  },
  output: registeredUser,
  errors: ['broker_unknown', 'email_taken'],
  table: 'write',
  handler: async ({ form }, call) => {
    const broker = await namedBroker(call, form.broker_domain);
    const user = newUser(call, {
      ...form,
      name: form.name ?? nameFrom(form.email),
      phone: form.ph_number,
      broker,
      accountId: form.account_id,
      serverId: form.server_id,
    });
    const passwordHash = await hashPassword(form.password, call.random);
    await registerUser(call, { user, passwordHash });
    return presentUser(user);
  },
});
