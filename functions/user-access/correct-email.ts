import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import { verifyPassword } from '../../shared/auth/passwords.ts';
import { rememberDevice } from '../../shared/callers/known-device.ts';
import { originOf } from '../../shared/callers/origin.ts';
import { personalSession } from '../../shared/callers/personal-session.ts';
import { budgetOf, spendWrite } from '../../shared/data/table/budgets.ts';
import { normaliseEmail } from '../../shared/data/table/keys.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import { correctEmailWrites } from '../../shared/data/users/email-changes.ts';
import { securityEventWrite } from '../../shared/data/users/security-events.ts';
import { maskedEmail } from '../../shared/domain/proven.ts';
import { takenByOther } from './change-email.ts';
import { countRegistration } from './common/count-registration.ts';
import { firstProofWrites } from './common/proof-mail.ts';
import { refusePassword } from './common/sign-in.ts';
import { attemptSignIn } from './common/sign-in-budgets.ts';
import { registration } from './records/registration.ts';

export const correctEmail = defineOperation({
  method: 'POST',
  path: '/correct_email',
  name: 'correct_email',
  summary: 'Correct an e-mail that was never confirmed',
  description:
    'For a mistake in a registration. Takes the password of the account, with the limits of a sign-in. The account has the new e-mail at once, as after a registration: a code and a link that confirm it are mailed to it, and links of earlier mails end. The former address is free again. Five times a day; counts as a registration. An account whose e-mail was ever confirmed uses /change_email. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  cookies: 'own_site',
  input: {
    query: z.object({ user_id: z.string() }),
    json: z.object({ email: registration.email, password: z.string() }),
  },
  output: z.object({
    /** The new address, without most of its local part. */
    sent_to: z.string(),
  }),
  errors: [
    'platform_token_insufficient',
    'state_conflict',
    'credentials_invalid',
    'too_many_attempts',
    'email_taken',
    'rate_limited',
    'changed_meanwhile',
  ],
  table: 'write',
  handler: async ({ json }, call) => {
    const sid = personalSession(call, 'corrects no e-mail');
    const { store, now } = call;
    const user = await call.user();
    if (user.proven_at !== undefined) {
      throw new HubError('state_conflict', 'The e-mail was confirmed. Change it with /change_email.');
    }
    const to = normaliseEmail(json.email);
    if (to === user.email) {
      throw invalidValue(['body', 'email'], 'this is the e-mail of the account', 'value_error.same');
    }
    const attempt = await attemptSignIn(call, user.email, { heldBy: user.user_id });
    const { credentials } = attempt;
    if (!(await verifyPassword(json.password, credentials.password_hash, call))) {
      return refusePassword(call, attempt);
    }
    await countRegistration(call);
    const budget = budgetOf(await call.keyRing(), 'email_correction', [user.user_id], now);
    const count = spendWrite(budget);
    const holder = { sid, kind: 'session' } as const;
    const { claim, others } = correctEmailWrites({ user, credentials, to, holder, now });
    const corrected = { ...user, email: to };
    try {
      await store.transact([
        attempt.budget,
        count,
        claim,
        ...others,
        securityEventWrite(user, { kind: 'email_corrected', ...originOf(call), now }),
        ...firstProofWrites(call, corrected),
      ]);
    } catch (error) {
      if (!(error instanceof TransactionRefusedError)) throw error;
      if (error.has(count)) {
        throw new HubError('rate_limited', 'The e-mail was corrected too often today. Try again tomorrow.', {
          retryAfterS: (budget.endsAt - now.getTime()) / 1000,
        });
      }
      if (error.has(claim)) throw takenByOther();
      throw new HubError('changed_meanwhile', 'The account changed at the same time. Try again.', {
        retryAfterS: 1,
        cause: error,
      });
    }
    await rememberDevice(call, { email: to, passwordVersion: user.password_version });
    return { sent_to: maskedEmail(to) };
  },
});
