import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { listPushDevices } from '../../shared/data/push-registrations.ts';
import { pushRegistration } from './push-records.ts';

export const getPushTokenWeb = defineOperation({
  method: 'GET',
  path: '/get_push_token_web',
  name: 'get_push_token_web',
  summary: "The user's devices for push messages",
  description: 'Newest first; `push_key` is that of the newest.',
  caller: 'user',
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({ push_key: z.string().nullable(), registrations: z.array(pushRegistration) }),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId } }, call) => {
    const [, registrations] = await Promise.all([call.user(), listPushDevices(call.store, userId)]);
    return { push_key: registrations[0]?.push_key ?? null, registrations };
  },
});
