import * as z from 'zod';
import { defineOperation } from '../../../shared/api/operation.ts';
import { ownSession } from '../../../shared/callers/open-session.ts';
import { originOf } from '../../../shared/callers/origin.ts';
import { TransactionRefusedError } from '../../../shared/data/table/store.ts';
import { revokedKeyWrite } from '../../../shared/data/users/api-keys.ts';
import { securityEventWrite } from '../../../shared/data/users/security-events.ts';
import { own } from '../../../shared/domain/unknown-fields.ts';

export const revokeApiKey = defineOperation({
  method: 'POST',
  path: '/revoke_api_key',
  name: 'revoke_api_key',
  summary: 'Revoke an API key',
  description:
    'The next request with the key is refused. What it has made goes on. Idempotent: `revoked` is false if there is no such key. Always requires the session of the user.',
  caller: 'user',
  extension: true,
  input: { query: z.object({ user_id: z.string(), api_key_id: z.string().max(64) }) },
  output: z.object({ revoked: z.boolean() }),
  errors: ['platform_token_insufficient'],
  table: 'write',
  handler: async ({ query: { user_id: userId, api_key_id: keyId } }, call) => {
    ownSession(call, 'revokes no API keys');
    const user = await call.user();
    if (!own(user.api_keys ?? {}, keyId)) return { revoked: false };
    const revoked = revokedKeyWrite(userId, keyId);
    const event = { kind: 'api_key_revoked', ...originOf(call), now: call.now } as const;
    try {
      await call.store.transact([revoked, securityEventWrite(user, event)]);
      return { revoked: true };
    } catch (error) {
      // Another request has revoked it meanwhile.
      if (error instanceof TransactionRefusedError && error.has(revoked)) return { revoked: false };
      throw error;
    }
  },
});
