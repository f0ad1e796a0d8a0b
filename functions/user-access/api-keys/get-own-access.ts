import * as z from 'zod';
import { extensionRecord, timestamp } from '../../../shared/api/fields.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { SCOPES } from '../../../shared/domain/scopes.ts';
import { own } from '../../../shared/domain/unknown-fields.ts';

const ownAccessOut = extensionRecord(
  'OwnAccess',
  z.object({
    kind: z.enum(['session', 'platform_token', 'api_key']).nullable(),
    scopes: z.array(z.enum(SCOPES)),
    by_oauth: z.boolean(),
    expires_at: timestamp().nullable(),
  }),
);

export const getOwnAccess = defineOperation({
  method: 'GET',
  path: '/get_own_access',
  name: 'get_own_access',
  summary: 'Get the scopes of the present API key',
  description:
    'Tells a program what its API key may do, and until when. Sessions and tokens have no scopes: `scopes` is empty for them.',
  caller: 'user',
  scope: 'any',
  extension: true,
  input: { query: z.object({ user_id: z.string() }) },
  output: ownAccessOut,
  errors: ['user_unknown'],
  table: 'read',
  handler: async (_input, call): Promise<z.output<typeof ownAccessOut>> => {
    const user = await call.user();
    const key = call.apiKey();
    const record = key && own(user.api_keys ?? {}, key.keyId);
    const until = record?.assistant?.token_expires_at ?? record?.expires_at;
    return {
      kind: call.session?.kind ?? null,
      scopes: [...(key?.scopes ?? [])],
      by_oauth: record?.assistant !== undefined,
      expires_at: until === undefined ? null : new Date(until * 1000).toISOString(),
    };
  },
});
