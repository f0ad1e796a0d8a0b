import * as z from 'zod';
import { defineOperation } from '../../../shared/api/operation.ts';
import { ownSession } from '../../../shared/callers/open-session.ts';
import { validKeys } from '../../../shared/data/users/api-keys.ts';
import { apiKeyOut, presentApiKey } from '../records/api-key.ts';

export const getApiKeys = defineOperation({
  method: 'GET',
  path: '/get_api_keys',
  name: 'get_api_keys',
  summary: 'List the API keys of the user',
  description:
    'Keys and connected assistants, at most 20 that have not expired, newest first, without their texts. `last_used_at` is at most an hour before the last use. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({ api_keys: z.array(apiKeyOut) }),
  errors: ['platform_token_insufficient'],
  table: 'read',
  handler: async (_input, call) => {
    ownSession(call, 'shows no API keys');
    const found = validKeys(await call.user(), call.now);
    const newest = found.sort(([, left], [, right]) => right.created_at - left.created_at);
    return { api_keys: newest.map(([id, key]) => presentApiKey(id, key)) };
  },
});
