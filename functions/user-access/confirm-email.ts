import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { originOf } from '../../shared/callers/origin.ts';
import { personalSession } from '../../shared/callers/personal-session.ts';
import { outboxWrite } from '../../shared/data/outbox/outbox.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import type { Write } from '../../shared/data/table/writes.ts';
import { restoredMailWrite } from '../../shared/data/users/credentials.ts';
import { provenSessionWrite } from '../../shared/data/users/proofs.ts';
import { listPushDevices } from '../../shared/data/users/push-registrations.ts';
import { securityEventWrite } from '../../shared/data/users/security-events.ts';
import type { User } from '../../shared/data/users/users.ts';
import { isProven } from '../../shared/domain/proven.ts';
import { textId } from '../../shared/ids.ts';
import { PROOF } from './common/proof-mail.ts';
import { proveCode } from './common/prove-code.ts';
import { wrongCode } from './common/send-code.ts';

/** Returns the writes that end what others made before the session began. */
const endingWrites = async (call: Call, user: User, sid: string): Promise<Write[]> => {
  if (user.proven_at !== undefined) return [];
  const { now, random, store } = call;
  const made_before = new Date((user.sessions[sid]?.created_at ?? 0) * 1000).toISOString();
  const devices = await listPushDevices(store, user.user_id);
  const isForeign = devices.some(({ registered_at }) => registered_at < made_before);
  const message = { kind: 'account_secured', user_id: user.user_id, by: 'session', made_before } as const;
  return [
    // Apps register again at the next sign-in.
    ...(isForeign ? [{ delete: keys.pushRegistrations(user.user_id) }] : []),
    outboxWrite(textId(random), message, now),
  ];
};

export const confirmEmail = defineOperation({
  method: 'POST',
  path: '/confirm_email',
  name: 'confirm_email',
  summary: 'Confirm the e-mail with a mailed code',
  description:
    'Proves the session of the request, and with it the account. Every other session, the platform token, API keys, and what was made in the account before this session began end: deployments, deploy keys, push registrations. Five wrong codes end a code, sent again or not. Idempotent. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string() }), json: z.object({ code: z.string().max(32) }) },
  output: z.object({ email_verified: z.literal(true) }),
  errors: ['platform_token_insufficient', 'code_invalid'],
  table: 'write',
  handler: async ({ json: { code } }, call) => {
    const sid = personalSession(call, 'confirms no e-mail');
    const user = await call.user();
    if (isProven(user)) return { email_verified: true };
    const { userId, use } = await proveCode(call, user.email, PROOF, code.replace(/\s/g, ''));
    if (userId !== user.user_id) throw wrongCode();
    try {
      await call.store.transact([
        use,
        provenSessionWrite(user, sid, call.now),
        restoredMailWrite(user, call.now),
        securityEventWrite(user, { kind: 'email_confirmed', ...originOf(call), now: call.now }),
        ...(await endingWrites(call, user, sid)),
      ]);
    } catch (error) {
      if (error instanceof TransactionRefusedError) throw wrongCode();
      throw error;
    }
    return { email_verified: true };
  },
});
