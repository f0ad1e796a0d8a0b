import type { Call } from '../../../shared/api/call.ts';
import type { MessageOf } from '../../../shared/data/outbox/messages.ts';
import { outboxWrite } from '../../../shared/data/outbox/outbox.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { firstSendWrite } from '../../../shared/data/users/one-time-code-sends.ts';
import { CODE_LIFETIME_S, OWNER } from '../../../shared/data/users/one-time-codes.ts';
import type { User } from '../../../shared/data/users/users.ts';
import { textId } from '../../../shared/ids.ts';

/** Purpose of the code that proves the e-mail of an account. */
export const PROOF = 'email_proof';

/** Returns the mail that proves the e-mail of an account, by a code in a session or by a link. */
export const proofMail = (
  { email, user_id, password_version, proven_at }: User,
  code: { readonly nonce: string; readonly valid_until: number },
): MessageOf<'code_mail'> => ({
  kind: 'code_mail',
  to: email,
  purpose: PROOF,
  // Until the first proof, a stranger may hold the session.
  ...(proven_at !== undefined && { by_owner: true }),
  account: { user_id, password_version },
  ...code,
});

/** Returns the writes of the first proof mail, for the transaction of the registration. */
export const firstProofWrites = ({ random, now }: Call, user: User): Write[] => {
  const nonce = textId(random);
  const target = { userId: user.user_id };
  const valid_until = now.getTime() + CODE_LIFETIME_S * 1000;
  return [
    firstSendWrite({ email: user.email, purpose: PROOF, caller: OWNER, nonce, target, now }),
    outboxWrite(nonce, proofMail(user, { nonce, valid_until }), now),
  ];
};
