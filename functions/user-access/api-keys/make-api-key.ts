import * as z from 'zod';
import { extensionRecord, integer } from '../../../shared/api/fields.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { isAddressRange, newApiKey } from '../../../shared/auth/api-keys.ts';
import { addApiKey } from '../../../shared/callers/add-api-key.ts';
import { personalSession } from '../../../shared/callers/personal-session.ts';
import type { ApiKey } from '../../../shared/data/users/users.ts';
import { SCOPES } from '../../../shared/domain/scopes.ts';
import { readableText, tidy } from '../../../shared/domain/text.ts';
import type { UserNotice } from '../../../shared/lifecycle/user-notices.ts';
import { newApiKeyOut, presentNewKey } from '../records/api-key.ts';

const DAY_S = 24 * 3600;
const MAX_NAME = 50;
/** The most ranges of a key: each call reads them with the user. */
const MAX_ADDRESSES = 5;
/** Characters of the longest range. */
const MAX_ADDRESS = 49;

const addressRange = z
  .string()
  .max(MAX_ADDRESS)
  .refine(isAddressRange, {
    error: 'is no address and no range of addresses such as 203.0.113.0/24',
    params: { type: 'value_error.address_range' },
  });

const apiKeyIn = extensionRecord(
  'ApiKeyIn',
  z.strictObject({
    name: readableText({ max: MAX_NAME }),
    scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length),
    expires_in_days: integer({ min: 1, max: 365 }).default(90),
    addresses: z.array(addressRange).min(1).max(MAX_ADDRESSES).optional(),
  }),
);

/** Returns the notice of a new key. It names no text of the user, as the list of notifications needs no session. */
const madeNotice = (keyId: string, scopes: readonly string[]): UserNotice => ({
  kind: 'api_key_made',
  severity: 'warning',
  title: 'An API key was made',
  body: `The key ${keyId} acts for you with these scopes: ${scopes.join(', ')}. If this was not you: revoke it, and set a new password.`,
  data: { api_key_id: keyId, scopes },
});

export const makeApiKey = defineOperation({
  method: 'POST',
  path: '/make_api_key',
  name: 'make_api_key',
  summary: 'Make an API key',
  description:
    'Bearer token for one program of the user, which may call the operations of its scopes until it expires or is revoked. It is shown once. With `addresses`, it may be used from these only. A user has at most 20 keys and assistants, and makes at most 40 a day. The user is notified by all channels. Needs a step-up. Always requires the session of the user.',
  caller: 'user',
  stepUp: 'always',
  extension: true,
  input: { query: z.object({ user_id: z.string() }), json: apiKeyIn },
  output: newApiKeyOut,
  errors: ['platform_token_insufficient', 'quota_reached', 'answer_shown_once', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { user_id: userId }, json }, call) => {
    const sid = personalSession(call, 'makes no API keys');
    const { now, random } = call;
    const { keyId, text, hash } = newApiKey(userId, random);
    const nowS = Math.floor(now.getTime() / 1000);
    const key: ApiKey = {
      name: tidy(json.name),
      hash,
      scopes: SCOPES.filter((scope) => json.scopes.includes(scope)),
      ...(json.addresses && { addresses: [...new Set(json.addresses)] }),
      created_at: nowS,
      expires_at: nowS + json.expires_in_days * DAY_S,
    };
    const notice = madeNotice(keyId, key.scopes);
    await addApiKey(call, { userId, sid, keyId, key, notice, event: 'api_key_made' });
    call.showOnce();
    return { ...presentNewKey(keyId, key), api_key: text };
  },
});
