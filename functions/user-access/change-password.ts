import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { extensionRecord, integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { hashPassword, verifyPassword } from '../../shared/auth/passwords.ts';
import { rememberDevice } from '../../shared/callers/known-device.ts';
import { originOf } from '../../shared/callers/origin.ts';
import { personalSession } from '../../shared/callers/personal-session.ts';
import { outboxWrite } from '../../shared/data/outbox/outbox.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import { changedPasswordWrite } from '../../shared/data/users/credentials.ts';
import { changedUserWrite } from '../../shared/data/users/password-change.ts';
import { securityEventWrite } from '../../shared/data/users/security-events.ts';
import type { User } from '../../shared/data/users/users.ts';
import { textId } from '../../shared/ids.ts';
import { refusePassword } from './common/sign-in.ts';
import { attemptSignIn, tooManyAttempts } from './common/sign-in-budgets.ts';
import { newPassword } from './records/registration.ts';

const passwordChange = extensionRecord(
  'PasswordChange',
  z.object({
    password: z.string(),
    new_password: newPassword,
    /** True to end every other session, the platform token and API keys. */
    end_others: z.boolean().default(true),
  }),
);

/** Counts the sessions, tokens and keys that end. */
const endedBy = (
  { sessions, platform_token: token, api_keys: all = {} }: User,
  endsOthers: boolean,
): number => (endsOthers ? Object.keys(sessions).length - 1 + (token ? 1 : 0) + Object.keys(all).length : 0);

export const changePassword = defineOperation({
  method: 'POST',
  path: '/change_password',
  name: 'change_password',
  summary: 'Change the password',
  description:
    'Needs a step-up, and takes the present password, with the limits of a sign-in, and a new one. By default ends every other session, the platform token, API keys, and the right of brokers to sign the user in; `end_others=false` keeps them. The user is notified by mail. A user without a password sets one with /send_otp_password_reset. Always requires the session of the user.',
  caller: 'user',
  stepUp: 'always',
  extension: true,
  cookies: 'own_site',
  input: { query: z.object({ user_id: z.string() }), json: passwordChange },
  output: z.object({ ended: integer({ min: 0 }) }),
  errors: ['platform_token_insufficient', 'credentials_invalid', 'too_many_attempts'],
  table: 'write',
  handler: async ({ json }, call: Call) => {
    const sid = personalSession(call, 'changes no password');
    const { now } = call;
    const user = await call.user();
    const attempt = await attemptSignIn(call, user.email, { heldBy: user.user_id });
    const isRight = await verifyPassword(json.password, attempt.credentials.password_hash, call);
    if (!isRight) return refusePassword(call, attempt);
    const passwordHash = await hashPassword(json.new_password, call);
    const notice = { kind: 'account_secured', user_id: user.user_id, by: 'settings' } as const;
    try {
      await call.store.transact([
        attempt.budget,
        changedPasswordWrite(user, passwordHash),
        changedUserWrite(user, { sid, endsOthers: json.end_others }),
        securityEventWrite(user, { kind: 'password_changed', ...originOf(call), now }),
        outboxWrite(textId(call.random), notice, now),
      ]);
    } catch (error) {
      if (error instanceof TransactionRefusedError) throw tooManyAttempts(call, now.getTime() + 1000);
      throw error;
    }
    await rememberDevice(call, { email: user.email, passwordVersion: user.password_version + 1 });
    return { ended: endedBy(user, json.end_others) };
  },
});
