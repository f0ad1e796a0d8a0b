import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { extensionRecord } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { isUndoToken } from '../../shared/auth/undo-links.ts';
import { originOf } from '../../shared/callers/origin.ts';
import { outboxWrite } from '../../shared/data/outbox/outbox.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys, normaliseEmail } from '../../shared/data/table/keys.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import { asCredentials } from '../../shared/data/users/credentials.ts';
import { undoEmailWrites } from '../../shared/data/users/email-changes.ts';
import { asFactors } from '../../shared/data/users/factors.ts';
import { securityEventWrite } from '../../shared/data/users/security-events.ts';
import { asUser, NO_USER, unlessLeaving } from '../../shared/data/users/users.ts';
import { textId } from '../../shared/ids.ts';

const undoing = extensionRecord(
  'EmailUndoing',
  z.object({
    /** The e-mail before the change. */
    email: z.string(),
    /** From the link of the mail. */
    token: z.string().max(64),
  }),
);

const wrongLink = (): HubError => new HubError('code_invalid', 'The link is not valid, or its time is over.');

export const undoEmailChange = defineOperation({
  method: 'POST',
  path: '/undo_email_change',
  name: 'undo_email_change',
  summary: 'Undo a change of the e-mail with the link of a mail',
  description:
    'For the page that the link opens, 72 hours from the change on. Gives the account its former e-mail back, and ends all that can sign in: the password, every session, the platform token, API keys, identities that were linked since the change, passkeys and authenticator apps that were added since 72 hours before it, recovery codes, and the right of brokers to sign the user in; push registrations, too. The owner sets a new password with a mailed code (/send_otp_password_reset). Webhooks, connections and deployments go on, and the mail to the owner counts them. Idempotent. Signs nobody in.',
  caller: 'anyone',
  extension: true,
  input: { json: undoing },
  output: z.object({ email: z.string() }),
  errors: ['code_invalid', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ json: { email, token } }, call) => {
    const { store, now, random } = call;
    const [item] = await store.getMany([keys.credentials(email)], { consistent: true });
    const { user_id: owner, reserved } = asCredentials(item);
    const userId = reserved?.user_id ?? owner ?? NO_USER;
    const [userKey, factorsKey] = [keys.user(userId), keys.factors(userId)];
    const items = await store.getMany([userKey, factorsKey], { consistent: true });
    const user = unlessLeaving(asUser(itemWith(items, userKey)));
    const change = user?.email_change;
    const named = { userId: user?.user_id ?? NO_USER, changeId: change?.change_id ?? '' };
    const isRight = isUndoToken(await call.keyRing(), named, token, now);
    if (!user || change?.from !== normaliseEmail(email) || !isRight) throw wrongLink();
    if (change.undone_at !== undefined) return { email: change.from };
    const notice = { kind: 'account_secured', user_id: user.user_id, by: 'undo' } as const;
    try {
      await store.transact([
        ...undoEmailWrites(user, change, asFactors(itemWith(items, factorsKey)), now),
        { delete: keys.pushRegistrations(user.user_id) },
        securityEventWrite(user, { kind: 'email_change_undone', ...originOf(call), now }),
        outboxWrite(textId(random), notice, now),
      ]);
    } catch (error) {
      if (!(error instanceof TransactionRefusedError)) throw error;
      throw new HubError('changed_meanwhile', 'The account changed at the same time. Open the link again.', {
        retryAfterS: 1,
        cause: error,
      });
    }
    return { email: change.from };
  },
});
