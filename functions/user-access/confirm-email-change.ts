import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { extensionRecord, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { rememberDevice } from '../../shared/callers/known-device.ts';
import { originOf } from '../../shared/callers/origin.ts';
import { personalSession } from '../../shared/callers/personal-session.ts';
import { outboxWrite } from '../../shared/data/outbox/outbox.ts';
import { normaliseEmail } from '../../shared/data/table/keys.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import type { Write } from '../../shared/data/table/writes.ts';
import { changeEmailWrites, newEmailChange, undoableUntil } from '../../shared/data/users/email-changes.ts';
import { securityEventWrite } from '../../shared/data/users/security-events.ts';
import type { EmailChange, User } from '../../shared/data/users/users.ts';
import { maskedEmail } from '../../shared/domain/proven.ts';
import { textId } from '../../shared/ids.ts';
import { CHANGE, requireChangeable, takenByOther } from './change-email.ts';
import { proveCode } from './common/prove-code.ts';
import { wrongCode } from './common/send-code.ts';
import { registration } from './records/registration.ts';

/** Returns the writes of the mails to both addresses. */
const mailWrites = ({ random, now }: Call, user: User, to: string, change: EmailChange): Write[] => {
  const undo = {
    kind: 'email_undo_mail',
    to: change.from,
    changed_to: maskedEmail(to),
    user_id: user.user_id,
    change_id: change.change_id,
    valid_until: Date.parse(change.until),
  } as const;
  const news = {
    kind: 'notification_mail',
    to,
    title: 'This is the e-mail of your account now',
    body: `Sign in with this address from now on. The address before can undo the change until ${change.until.slice(0, 16).replace('T', ' ')} UTC. Until then, the e-mail cannot be changed again, and the account cannot be deleted.`,
    user_id: user.user_id,
    group: 'security',
  } as const;
  return [outboxWrite(textId(random), undo, now), outboxWrite(textId(random), news, now)];
};

export const confirmEmailChange = defineOperation({
  method: 'POST',
  path: '/confirm_email_change',
  name: 'confirm_email_change',
  summary: 'Change the e-mail with a mailed code',
  description:
    'Takes the new e-mail and the code of /change_email. From then on, the account signs in and gets mail with the new e-mail. Both addresses are told: for 72 hours, the former one can undo the change with a link (/undo_email_change), and nobody can register it. Sessions, keys and deployments go on. Five wrong codes end a code. Idempotent. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  cookies: 'own_site',
  input: {
    query: z.object({ user_id: z.string() }),
    json: z.object({ email: registration.email, code: z.string().max(32) }),
  },
  output: extensionRecord(
    'EmailChange',
    z.object({
      email: z.string(),
      /** Time until which the former e-mail can undo the change. */
      undo_until: timestamp().nullable(),
    }),
  ),
  errors: ['platform_token_insufficient', 'state_conflict', 'code_invalid', 'email_taken'],
  table: 'write',
  handler: async ({ json: { email, code } }, call) => {
    const sid = personalSession(call, 'changes no e-mail');
    const { now } = call;
    const user = await call.user();
    const to = normaliseEmail(email);
    if (to === user.email) return { email: to, undo_until: undoableUntil(user, now) ?? null };
    requireChangeable(user, call);
    const presented = code.replace(/\s/g, '');
    const { userId, use, credentials } = await proveCode(call, user.email, CHANGE, presented, to);
    if (userId !== user.user_id) throw wrongCode();
    const change = newEmailChange(user, textId(call.random), now);
    const holder = { sid, kind: 'session' } as const;
    const { claim, others } = changeEmailWrites({ user, credentials, to, holder, now }, change);
    try {
      await call.store.transact([
        use,
        claim,
        ...others,
        securityEventWrite(user, { kind: 'email_changed', ...originOf(call), now }),
        ...mailWrites(call, user, to, change),
      ]);
    } catch (error) {
      if (!(error instanceof TransactionRefusedError)) throw error;
      throw error.has(claim) ? takenByOther() : wrongCode();
    }
    await rememberDevice(call, { email: to, passwordVersion: user.password_version });
    return { email: to, undo_until: change.until };
  },
});
