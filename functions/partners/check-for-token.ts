import * as z from 'zod';
import { timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';

const momentOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

export const checkForToken = defineOperation({
  method: 'GET',
  path: '/check_for_token',
  name: 'check_for_token',
  summary: 'Check for an active platform token',
  description: 'Returns its times of issue and expiry, never the token.',
  caller: 'user',
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({
    active: z.boolean(),
    issued_at: timestamp().nullable(),
    expires_at: timestamp().nullable(),
  }),
  errors: ['user_unknown'],
  table: 'read',
  handler: async (_input, call) => {
    const { platform_token: token } = await call.user();
    if (!token || token.expires_at * 1000 <= call.now.getTime()) {
      return { active: false, issued_at: null, expires_at: null };
    }
    return { active: true, issued_at: momentOf(token.issued_at), expires_at: momentOf(token.expires_at) };
  },
});
