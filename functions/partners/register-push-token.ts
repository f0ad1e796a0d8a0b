import * as z from 'zod';
import { invalidSession } from '../../shared/api/authenticate.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownUser } from '../../shared/api/refusals.ts';
import { registerPushDevice } from '../../shared/data/users/push-registrations.ts';
import { textId } from '../../shared/ids.ts';
import { kindOf, pushKey, pushRegistration } from './records/push-registration.ts';

export const registerPushToken = defineOperation({
  method: 'POST',
  path: '/register_push_token',
  name: 'register_push_token',
  summary: 'Register a device for push messages',
  description:
    'Idempotent; a repeat only updates `last_seen_at`. A user has at most 20 devices: a further one replaces the one not seen for the longest time. A device belongs to the user who registered it last.',
  caller: 'user',
  // Percent-encoding triples the bytes of a long text.
  limits: { query: 10 * 1024 },
  input: { query: z.object({ user_id: z.string(), push_key: pushKey }) },
  output: pushRegistration,
  errors: ['user_unknown'],
  table: 'write',
  uses: ['push'],
  handler: async ({ query: { user_id: userId, push_key: key } }, call) => {
    const at = call.now.toISOString();
    const kind = kindOf(call, key);
    const device = { push_key: key, kind, registered_at: at, last_seen_at: at, holder: call.session };
    const registered = await registerPushDevice(call.store, userId, device, () => textId(call.random));
    if (!registered) throw call.session ? invalidSession() : unknownUser();
    return registered;
  },
});
