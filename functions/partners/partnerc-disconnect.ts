import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownConnection } from '../../shared/api/refusals.ts';
import { connectionLink, openGrant } from '../../shared/auth/partner-connections.ts';
import { originOf } from '../../shared/callers/origin.ts';
import { endGrant } from '../../shared/channels/partner-oauth.ts';
import { settleConnection } from '../../shared/data/partner-c/connections.ts';
import { beginDisconnect, removeConnection } from '../../shared/data/partner-c/ending.ts';
import { securityEventWrite } from '../../shared/data/users/security-events.ts';
import { reaching, requirePartnerC } from './common/partner-c.ts';

const RETRY_MS = 60_000;

export const partnercDisconnect = defineOperation({
  method: 'POST',
  path: '/partnerc_disconnect',
  name: 'partnerc_disconnect',
  summary: 'End the connection to partner C',
  description:
    'Revokes the tokens at partner C and removes them here. If partner C does not answer (502), the connection is disabled at once and the revocation is retried later; repeating the call retries it now.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({ disconnected: z.literal(true) }),
  errors: ['user_unknown', 'connection_unknown', 'provider_unknown', 'upstream_failed'],
  table: 'write',
  uses: ['partnerc', 'encryption'],
  handler: async ({ query: { user_id: userId } }, call) => {
    const owner = await call.user();
    const taken = await beginDisconnect(call.store, userId, call.now);
    if (!taken) throw unknownConnection();
    const link = connectionLink(call);
    try {
      const grant = await openGrant(call, taken);
      if (grant) {
        const partner = await requirePartnerC(call);
        await reaching(() => endGrant(partner, grant));
      }
    } catch (error) {
      const later = { ...taken, due_at: call.now.getTime() + RETRY_MS };
      await settleConnection(call.store, taken, later, link);
      throw error;
    }
    const event = { kind: 'partner_disconnected', ...originOf(call), now: call.now } as const;
    const extraWrites = [securityEventWrite(owner, event)];
    await removeConnection(call.store, taken, { link, now: call.now, extraWrites });
    return { disconnected: true };
  },
});
