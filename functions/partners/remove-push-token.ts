import * as z from 'zod';
import { extensionRecord } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { removePushDevice } from '../../shared/data/users/push-registrations.ts';
import { textId } from '../../shared/ids.ts';
import { pushKey } from './records/push-registration.ts';

const removalIn = extensionRecord('PushRemovalIn', z.object({ push_key: pushKey }));

export const removePushToken = defineOperation({
  method: 'POST',
  path: '/remove_push_token',
  name: 'remove_push_token',
  summary: 'Remove a device for push messages',
  description:
    'Idempotent. The device gets no more messages of the user; a device that another user has registered since is left alone.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string() }), json: removalIn },
  output: z.object({ removed: z.literal(true) }),
  errors: ['user_unknown', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { user_id: userId }, json: { push_key: key } }, call) => {
    await Promise.all([call.user(), removePushDevice(call.store, userId, key, () => textId(call.random))]);
    return { removed: true } as const;
  },
});
