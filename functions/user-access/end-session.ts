import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import { ownSession } from '../../shared/callers/open-session.ts';
import { originOf } from '../../shared/callers/origin.ts';
import { securityEventWrite } from '../../shared/data/users/security-events.ts';
import { endSessions } from '../../shared/data/users/sessions.ts';
import { presentSessions } from './records/session.ts';

export const endSession = defineOperation({
  method: 'POST',
  path: '/end_session',
  name: 'end_session',
  summary: 'End sessions of the user',
  description:
    'Ends the session or platform token of a `session_id` of /get_sessions, or with `others=true` all but the one of the request. Their next request is refused. Idempotent: an id of no session ends none. To sign out, use /session/logout. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: {
    query: z.object({
      user_id: z.string(),
      session_id: z.string().max(64).optional(),
      others: z.boolean().default(false),
    }),
  },
  output: z.object({ ended: integer({ min: 0 }) }),
  errors: ['platform_token_insufficient'],
  table: 'write',
  handler: async ({ query: { session_id: id, others } }, call) => {
    const { sid } = ownSession(call, 'ends no sessions');
    if (others === (id !== undefined)) {
      throw invalidValue(
        ['query', 'session_id'],
        'send either session_id or others=true',
        'value_error.choice',
      );
    }
    const user = await call.user();
    const ended = presentSessions(user, sid, call.now)
      .filter(({ session_id, is_current }) => (others ? !is_current : session_id === id))
      .map(({ session_id }) => session_id);
    if (ended.length > 0) {
      const event = { kind: 'sessions_ended', ...originOf(call), now: call.now } as const;
      await endSessions(call.store, user, ended, [securityEventWrite(user, event)]);
    }
    return { ended: ended.length };
  },
});
