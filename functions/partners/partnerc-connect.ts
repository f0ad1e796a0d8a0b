import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownConnection } from '../../shared/api/refusals.ts';
import { connectionLink } from '../../shared/auth/partner-connections.ts';
import { originOf } from '../../shared/callers/origin.ts';
import { findUnclaimed } from '../../shared/data/partner-c/connections.ts';
import { placeConnection } from '../../shared/data/partner-c/placing.ts';
import { securityEventWrite } from '../../shared/data/users/security-events.ts';
import { connectionOut, presentConnection } from './records/connection.ts';

export const partnercConnect = defineOperation({
  method: 'POST',
  path: '/partnerc_connect',
  name: 'partnerc_connect',
  summary: 'Take over a connection to partner C',
  description:
    'Claims a connection that was made without a session, by its `connection_id` and within an hour. An unclaimed connection then ends. Ends an earlier connection of the user.',
  caller: 'user',
  proven: true,
  extension: true,
  input: { query: z.object({ user_id: z.string(), connection_id: z.string().max(64) }) },
  output: connectionOut,
  errors: ['user_unknown', 'connection_unknown', 'provider_unknown', 'changed_meanwhile'],
  table: 'write',
  uses: ['partnerc'],
  handler: async ({ query: { user_id: userId, connection_id: connectionId } }, call) => {
    const waiting = await findUnclaimed(call.store, connectionId);
    if (waiting?.status !== 'connected' || (waiting.due_at ?? 0) <= call.now.getTime()) {
      throw unknownConnection();
    }
    const expiresAt = Date.parse(waiting.token_expires_at ?? '') || call.now.getTime();
    // Due at half of the remaining time, since part of it passed while waiting.
    const dueAt = call.now.getTime() + Math.max(0, (expiresAt - call.now.getTime()) / 2);
    const claimed = {
      ...waiting,
      user_id: userId,
      due_at: waiting.renewable ? Math.floor(dueAt) : undefined,
    };
    const link = connectionLink(call);
    const owner = await call.user();
    const event = { kind: 'partner_connected', ...originOf(call), now: call.now } as const;
    const extraWrites = [securityEventWrite(owner, event)];
    if (!(await placeConnection(call.store, claimed, { link, now: call.now, waiting, extraWrites }))) {
      throw unknownConnection();
    }
    return presentConnection(claimed);
  },
});
