import * as z from 'zod';
import { timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { heldSession } from '../../shared/callers/open-session.ts';

export const verifySession = defineOperation({
  method: 'POST',
  path: '/verify_session',
  name: 'verify_session',
  summary: 'Verify the session',
  description: 'Returns the expiry of the access token, or 401 if the session is not valid.',
  caller: 'session',
  input: {},
  output: z.object({ valid: z.literal(true), session_id: z.string(), expires_at: timestamp() }),
  errors: [],
  table: 'read',
  handler: async (_input, call) => {
    const { sid, expiresAt } = heldSession(call);
    return { valid: true, session_id: sid, expires_at: new Date(expiresAt * 1000).toISOString() };
  },
});
