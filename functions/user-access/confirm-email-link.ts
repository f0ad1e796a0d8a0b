import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { extensionRecord } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import { hashPassword, verifyPassword } from '../../shared/auth/passwords.ts';
import { isProofToken } from '../../shared/auth/proof-links.ts';
import { originOf } from '../../shared/callers/origin.ts';
import { outboxWrite } from '../../shared/data/outbox/outbox.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import { asCredentials, type Credentials } from '../../shared/data/users/credentials.ts';
import { provenWrite } from '../../shared/data/users/proofs.ts';
import { securityEventWrite } from '../../shared/data/users/security-events.ts';
import { findUser, NO_USER, type User, unlessLeaving } from '../../shared/data/users/users.ts';
import { textId } from '../../shared/ids.ts';
import { newPasswordWrites } from './common/new-password.ts';
import { refusePassword } from './common/sign-in.ts';
import { attemptSignIn } from './common/sign-in-budgets.ts';
import { newPassword } from './records/registration.ts';

const confirmation = extensionRecord(
  'EmailConfirmation',
  z.object({
    email: z.string(),
    /** From the link of the mail. */
    token: z.string().max(64),
    /** Password of the account. Nothing ends. */
    password: z.string().optional(),
    /** Makes the account that of the reader of the mail. What was made in it before ends. */
    new_password: newPassword.optional(),
  }),
);

const wrongLink = (): HubError =>
  new HubError(
    'code_invalid',
    'The link is no longer valid. Sign in, or ask for a code to set a new password.',
  );

/** Finds the account of a link. @throws HubError code_invalid */
const accountOf = async (
  call: Call,
  { email, token }: { readonly email: string; readonly token: string },
  { user_id: userId = NO_USER, password_version: passwordVersion = 0 }: Credentials,
): Promise<User> => {
  const user = unlessLeaving(await findUser(call.store, userId));
  const isRight = isProofToken(await call.keyRing(), { email, userId, passwordVersion }, token, call.now);
  if (!user || !isRight) throw wrongLink();
  return user;
};

/** Proves the e-mail to somebody who knows the password. */
const confirm = async (call: Call, link: { email: string; token: string }, password: string) => {
  const attempt = await attemptSignIn(call, link.email);
  const user = await accountOf(call, link, attempt.credentials);
  const isRight = await verifyPassword(password, attempt.credentials.password_hash, call);
  if (!isRight) return refusePassword(call, attempt);
  return call.store.transact([
    ...attempt.right(undefined),
    provenWrite(user, call.now),
    securityEventWrite(user, { kind: 'email_confirmed', ...originOf(call), now: call.now }),
    outboxWrite(
      textId(call.random),
      { kind: 'account_secured', user_id: user.user_id, by: 'link' },
      call.now,
    ),
  ]);
};

/** Makes the account that of the reader of the mail. Wrong passwords of others do not matter. */
const takeOver = async (call: Call, link: { email: string; token: string }, password: string) => {
  const [item] = await call.store.getMany([keys.credentials(link.email)], { consistent: true });
  const user = await accountOf(call, link, asCredentials(item));
  // A link that is found later must not take a proven account over.
  if (user.proven_at !== undefined) throw wrongLink();
  await call.store.transact(await newPasswordWrites(call, user, await hashPassword(password, call)));
};

export const confirmEmailLink = defineOperation({
  method: 'POST',
  path: '/confirm_email_link',
  name: 'confirm_email_link',
  summary: 'Confirm the e-mail with the link of a mail',
  description:
    'For the page that the link opens. With the password of the account, confirms the e-mail. With a new password, also ends what was made in the account before: every session, the platform token, API keys, push registrations, the phone number, deployments, deploy keys and likes. A link is valid for three days, until the e-mail is confirmed or the password changes. Signs nobody in.',
  caller: 'anyone',
  extension: true,
  input: { json: confirmation },
  output: z.object({ email_verified: z.literal(true) }),
  errors: ['code_invalid', 'credentials_invalid', 'too_many_attempts'],
  table: 'write',
  handler: async ({ json: { email, token, password, new_password: chosen } }, call) => {
    if ((password === undefined) === (chosen === undefined)) {
      throw invalidValue(['body', 'password'], 'send either password or new_password', 'value_error.choice');
    }
    try {
      await (chosen === undefined
        ? confirm(call, { email, token }, password ?? '')
        : takeOver(call, { email, token }, chosen));
    } catch (error) {
      if (error instanceof TransactionRefusedError) throw wrongLink();
      throw error;
    }
    return { email_verified: true };
  },
});
