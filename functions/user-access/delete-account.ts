import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { extensionRecord, integer, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import { verifyPassword } from '../../shared/auth/passwords.ts';
import { personalSession } from '../../shared/callers/personal-session.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import type { Write } from '../../shared/data/table/writes.ts';
import { undoableUntil } from '../../shared/data/users/email-changes.ts';
import type { User } from '../../shared/data/users/users.ts';
import { hasRealExposure, requestDeletion } from '../../shared/lifecycle/account-deletion.ts';
import { proveCode } from './common/prove-code.ts';
import { wrongCode } from './common/send-code.ts';
import { refusePassword } from './common/sign-in.ts';
import { attemptSignIn } from './common/sign-in-budgets.ts';

/** Purpose of the code that proves the e-mail. Who may set a new password may also delete the account. */
const PURPOSE = 'password_reset';

const deletionProof = z.object({
  email: z.string(),
  password: z.string().optional(),
  otp: integer().optional(),
});

/**
 * Checks the proof that the user of the session asks.
 *
 * @returns the writes that count it.
 * @throws HubError credentials_invalid, too_many_attempts, code_invalid; ValidationError without a proof
 */
const prove = async (
  call: Call,
  userId: string,
  { email, password, otp }: z.output<typeof deletionProof>,
): Promise<readonly Write[]> => {
  if (password !== undefined) {
    const attempt = await attemptSignIn(call, email);
    const { user_id: owner, password_hash: hash } = attempt.credentials;
    const isRight = await verifyPassword(password, hash, call);
    return isRight && owner === userId ? attempt.right(undefined) : refusePassword(call, attempt);
  }
  if (otp === undefined) throw invalidValue(['body', 'password'], 'field required', 'value_error.missing');
  const proven = await proveCode(call, email, PURPOSE, String(otp));
  if (proven.userId !== userId) throw wrongCode();
  return [proven.use];
};

/** Requires an account that can go now. @throws HubError state_conflict */
const requireDeletable = (user: User, isExposed: boolean, now: Date): void => {
  const undoable = undoableUntil(user, now);
  if (undoable !== undefined) {
    throw new HubError(
      'state_conflict',
      `The e-mail was changed a short time ago, and the former one can undo it. Delete the account after ${undoable}.`,
    );
  }
  if (isExposed) {
    throw new HubError(
      'state_conflict',
      'Real deployments run, or real positions or orders are open. Stop the deployments and close the positions first.',
    );
  }
};

export const deleteAccount = defineOperation({
  method: 'POST',
  path: '/delete_account',
  name: 'delete_account',
  summary: 'Delete the account of a user',
  description:
    'Ends all other sessions at once, and nobody signs in to the account any more. Within minutes, deployments are stopped and everything of the user is removed, for good. Refused with 409 while real deployments run, or real positions or orders are open: stop and close them first; and while a change of the e-mail can be undone. Requires the session of the user, and their e-mail with the password, or with a code of /send_otp_password_reset; with a second factor also a step-up. The audit trail stays under a pseudonym; published strategies that others copied or like stay archived, without the author.',
  caller: 'user',
  stepUp: 'with_factor',
  extension: true,
  input: { query: z.object({ user_id: z.string() }), json: deletionProof },
  output: extensionRecord(
    'AccountDeletion',
    z.object({ deletion_id: z.string(), requested_at: timestamp() }),
  ),
  errors: [
    'platform_token_insufficient',
    'credentials_invalid',
    'code_invalid',
    'too_many_attempts',
    'state_conflict',
    'changed_meanwhile',
  ],
  table: 'write',
  handler: async ({ query: { user_id: userId }, json }, call) => {
    const sid = personalSession(call, 'deletes no account');
    const [user, isExposed] = await Promise.all([call.user(), hasRealExposure(call.store, userId)]);
    // Before the proof, so that no refusal tells whether a password is right that was not counted.
    if (!user.deletion) requireDeletable(user, isExposed, call.now);
    const extraWrites = await prove(call, userId, json);
    // Idempotent: the session that asked goes on until the user is removed.
    if (user.deletion) return user.deletion;
    try {
      return await requestDeletion(call, { user, by: 'user', sid, extraWrites });
    } catch (error) {
      if (!(error instanceof TransactionRefusedError)) throw error;
      throw new HubError('changed_meanwhile', 'The account changed at the same time. Try again.', {
        retryAfterS: 1,
        cause: error,
      });
    }
  },
});
