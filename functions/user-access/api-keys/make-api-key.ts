import * as z from 'zod';
import { invalidSession } from '../../../shared/api/authenticate.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { extensionRecord, integer } from '../../../shared/api/fields.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { isAddressRange, newApiKey } from '../../../shared/auth/api-keys.ts';
import { originOf } from '../../../shared/callers/origin.ts';
import { commit } from '../../../shared/data/numbered-list/list-edit.ts';
import { retryOnConflict } from '../../../shared/data/numbered-list/retry.ts';
import { budgetOf, isSpent, spendWrite } from '../../../shared/data/table/budgets.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { MAX_API_KEYS, newKeyWrite, validKeys } from '../../../shared/data/users/api-keys.ts';
import { securityEventWrite } from '../../../shared/data/users/security-events.ts';
import { type ApiKey, asUser } from '../../../shared/data/users/users.ts';
import { SCOPES } from '../../../shared/domain/scopes.ts';
import { readableText, tidy } from '../../../shared/domain/text.ts';
import { own } from '../../../shared/domain/unknown-fields.ts';
import { noticeKeys, noticeOf, type UserNotice } from '../../../shared/lifecycle/user-notices.ts';
import { personalSession } from '../common/personal-session.ts';
import { newApiKeyOut, presentApiKey } from '../records/api-key.ts';

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
    'Bearer token for one program of the user, which may call the operations of its scopes until it expires or is revoked. It is shown once. With `addresses`, it may be used from these only. A user has at most 20 keys, and makes at most 40 a day. The user is notified by all channels. Needs a step-up. Always requires the session of the user.',
  caller: 'user',
  stepUp: 'always',
  extension: true,
  input: { query: z.object({ user_id: z.string() }), json: apiKeyIn },
  output: newApiKeyOut,
  errors: ['platform_token_insufficient', 'quota_reached', 'answer_shown_once', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { user_id: userId }, json }, call) => {
    const sid = personalSession(call, 'makes no API keys');
    const { now, random, store } = call;
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
    const budget = budgetOf(await call.keyRing(), 'api_keys_user', [userId], now);
    await retryOnConflict(async () => {
      // The keys of a notice have the user among them.
      const items = await store.getMany([budget.key, ...noticeKeys(userId)], { consistent: true });
      const user = asUser(itemWith(items, keys.user(userId)));
      if (!user || !own(user.sessions, sid)) throw invalidSession();
      if (validKeys(user, now).length >= MAX_API_KEYS) {
        throw new HubError('quota_reached', `There are ${MAX_API_KEYS} API keys already. Revoke one first.`);
      }
      if (isSpent(itemWith(items, budget.key), budget)) {
        throw new HubError('quota_reached', `At most ${budget.max} API keys are made in a day (UTC).`);
      }
      const { edit, writes } = noticeOf(call, userId, madeNotice(keyId, key.scopes), { items, now });
      await commit(
        store,
        [edit],
        [
          newKeyWrite(user, keyId, key, { sid, kind: 'session' }),
          spendWrite(budget),
          securityEventWrite(user, { kind: 'api_key_made', ...originOf(call), now }),
          ...writes,
        ],
      );
    });
    call.showOnce();
    return { ...presentApiKey(keyId, key), api_key: text };
  },
});
