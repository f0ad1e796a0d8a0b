import * as z from 'zod';
import { timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { heldSession } from './session.ts';

export const verifySession = defineOperation({
  method: 'POST',
  path: '/verify_session',
  name: 'verify_session',
  summary: 'Whether the session holds',
  description: 'Status 200 with the time until which the access token holds; 401 where it does not.',
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
