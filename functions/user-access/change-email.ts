import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import { personalSession } from '../../shared/callers/personal-session.ts';
import { budgetOf } from '../../shared/data/table/budgets.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys, normaliseEmail } from '../../shared/data/table/keys.ts';
import { asCredentials } from '../../shared/data/users/credentials.ts';
import { undoableUntil } from '../../shared/data/users/email-changes.ts';
import { CODE_LIFETIME_S, findCode, OWNER } from '../../shared/data/users/one-time-codes.ts';
import type { User } from '../../shared/data/users/users.ts';
import { maskedEmail } from '../../shared/domain/proven.ts';
import { sendCode } from './common/send-code.ts';
import { registration } from './records/registration.ts';

/** Purpose of the code that proves a new e-mail. It is counted for the account, and sent to the new address. */
export const CHANGE = 'email_change';

/** Refuses an e-mail that an account has or had. */
export const takenByOther = (): HubError => new HubError('email_taken', 'Another account has this e-mail.');

/**
 * Requires an account whose e-mail can change. After a change, the former e-mail can undo it, so another one would have to
 * leave it that right.
 *
 * @throws HubError state_conflict
 */
export const requireChangeable = (user: User, { now }: Call): void => {
  if (user.proven_at === undefined) {
    throw new HubError(
      'state_conflict',
      'The e-mail of the account was never confirmed. Correct it with /correct_email.',
    );
  }
  const until = undoableUntil(user, now);
  if (until === undefined) return;
  throw new HubError(
    'state_conflict',
    `The e-mail was changed a short time ago. Change it again after ${until}.`,
  );
};

export const changeEmail = defineOperation({
  method: 'POST',
  path: '/change_email',
  name: 'change_email',
  summary: 'Ask for another e-mail',
  description:
    'Mails a code and a link to the new e-mail; /confirm_email_change takes the code. Nothing changes before. Refused with 409 while an earlier change can be undone, and for an e-mail that another account has or had within 72 hours. Limits: one in 30 seconds and five an hour. Always requires the session of the user, and a step-up.',
  caller: 'user',
  stepUp: 'always',
  extension: true,
  input: { query: z.object({ user_id: z.string() }), json: z.object({ email: registration.email }) },
  output: z.object({
    /** The new address, without most of its local part. */
    sent_to: z.string(),
    expires_in: integer(),
  }),
  errors: ['platform_token_insufficient', 'state_conflict', 'email_taken', 'too_many_codes'],
  table: 'write',
  handler: async ({ json }, call) => {
    personalSession(call, 'changes no e-mail');
    const user = await call.user();
    requireChangeable(user, call);
    const to = normaliseEmail(json.email);
    if (to === user.email) {
      throw invalidValue(['body', 'email'], 'this is the e-mail of the account', 'value_error.same');
    }
    const network = budgetOf(await call.keyRing(), 'mail_network', [call.network], call.now);
    const claim = keys.credentials(to);
    const { code, items } = await findCode(call.store, user.email, CHANGE, [network.key, claim]);
    const { user_id: owner, reserved } = asCredentials(itemWith(items, claim));
    const isTaken = owner !== undefined || reserved !== undefined;
    // Counts questions about taken ones, too: nobody must try many addresses.
    await sendCode(call, {
      email: user.email,
      purpose: CHANGE,
      caller: OWNER,
      last: code,
      target: isTaken ? undefined : { userId: user.user_id },
      budgets: [{ budget: network, item: itemWith(items, network.key) }],
      message: (sent) => ({ kind: 'code_mail', to, purpose: CHANGE, ...sent }),
    });
    if (isTaken) throw takenByOther();
    return { sent_to: maskedEmail(to), expires_in: CODE_LIFETIME_S };
  },
});
