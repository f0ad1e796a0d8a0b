import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { vapidPublicKey } from '../../shared/channels/vapid.ts';
import { listPushDevices } from '../../shared/data/users/push-registrations.ts';
import { pushRegistration } from './records/push-registration.ts';

export const getPushTokenWeb = defineOperation({
  method: 'GET',
  path: '/get_push_token_web',
  name: 'get_push_token_web',
  summary: "List the user's devices for push messages",
  description:
    'Newest first; `push_key` is that of the newest. A browser subscribes with `vapid_public_key` as its `applicationServerKey`.',
  caller: 'user',
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({
    push_key: z.string().nullable(),
    registrations: z.array(pushRegistration),
    vapid_public_key: z.string().nullable(),
  }),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId } }, call) => {
    const [, registrations, { vapidPrivateKey }] = await Promise.all([
      call.user(),
      listPushDevices(call.store, userId),
      call.secrets(),
    ]);
    return {
      push_key: registrations[0]?.push_key ?? null,
      registrations,
      vapid_public_key: vapidPublicKey(vapidPrivateKey) ?? null,
    };
  },
});
