import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { ownSession } from '../../shared/callers/open-session.ts';
import { presentSessions, sessionOut } from './records/session.ts';

export const getSessions = defineOperation({
  method: 'GET',
  path: '/get_sessions',
  name: 'get_sessions',
  summary: 'List the sessions of the user',
  description:
    'At most 20 sessions, and the platform token if one is active; newest first. `session_id` is no credential. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({ sessions: z.array(sessionOut) }),
  errors: ['platform_token_insufficient'],
  table: 'read',
  handler: async (_input, call) => {
    const { sid } = ownSession(call, 'shows no sessions');
    return { sessions: presentSessions(await call.user(), sid, call.now) };
  },
});
