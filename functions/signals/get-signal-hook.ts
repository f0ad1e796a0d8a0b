import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { readOwnHook, requireHookOwner } from './own-hook.ts';
import { presentHook, shownHookOut } from './records/signal-hook.ts';

export const getSignalHook = defineOperation({
  method: 'GET',
  path: '/get_signal_hook',
  name: 'get_signal_hook',
  summary: 'Show whether a deployment takes signals',
  description:
    'Never shows the address. `refused` has the last alerts that were refused, newest first, at most 20, with the reason and the start of their text, without what may be a secret. Requires the session of the owner.',
  caller: 'user',
  scope: 'read',
  extension: true,
  input: { query: z.object({ user_id: z.string(), deployment_id: integer() }) },
  output: shownHookOut,
  errors: ['deployment_unknown', 'hook_unknown', 'platform_token_insufficient'],
  table: 'read',
  handler: async ({ query: { user_id: userId, deployment_id: id } }, call) => {
    requireHookOwner(call);
    const { deployment, hook, refused } = await readOwnHook(call, userId, id);
    return { ...presentHook(hook, deployment), refused };
  },
});
