import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { originOf } from '../../shared/callers/origin.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { forgetRefusedWrite } from '../../shared/data/signals/refused-alerts.ts';
import { revokedHookWrite } from '../../shared/data/signals/signal-hooks.ts';
import { securityEventWrite } from '../../shared/data/users/security-events.ts';
import { readOwnHook, requireHookOwner } from './own-hook.ts';
import { presentHook, signalHookOut } from './records/signal-hook.ts';

export const revokeSignalHook = defineOperation({
  method: 'POST',
  path: '/revoke_signal_hook',
  name: 'revoke_signal_hook',
  summary: 'Revoke the address at which a deployment takes signals',
  description: 'Effective at once. Orders and positions stay as they are. Requires the session of the owner.',
  caller: 'user',
  scope: 'manage',
  extension: true,
  input: { query: z.object({ user_id: z.string(), deployment_id: integer() }) },
  output: signalHookOut,
  errors: ['deployment_unknown', 'hook_unknown', 'platform_token_insufficient', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { user_id: userId, deployment_id: id } }, call) => {
    requireHookOwner(call);
    const owner = await call.user();
    const ended = { kind: 'signal_address_revoked', ...originOf(call), now: call.now } as const;
    return retryOnConflict(async () => {
      const { deployment, hook } = await readOwnHook(call, userId, id);
      await call.store.transact([
        revokedHookWrite(hook),
        forgetRefusedWrite(id),
        securityEventWrite(owner, ended),
      ]);
      return presentHook(hook, deployment);
    });
  },
});
