import type { Call } from '../../../../shared/api/call.ts';
import type { RawAnswer } from '../../../../shared/api/operation.ts';
import { type ClaimedKey, newApiKey } from '../../../../shared/auth/api-keys.ts';
import { signRefreshToken } from '../../../../shared/auth/refresh-tokens.ts';
import { originOf } from '../../../../shared/callers/origin.ts';
import { TransactionRefusedError } from '../../../../shared/data/table/store.ts';
import { revokedKeyWrite } from '../../../../shared/data/users/api-keys.ts';
import { renewGrant, TOKEN_S } from '../../../../shared/data/users/assistant-grants.ts';
import { type SecurityEventKind, securityEventWrite } from '../../../../shared/data/users/security-events.ts';
import {
  type ApiKey,
  type AssistantGrant,
  findUser,
  unlessLeaving,
} from '../../../../shared/data/users/users.ts';
import { own } from '../../../../shared/domain/unknown-fields.ts';
import { oauthAnswer, oauthRefusal } from '../answers.ts';
import { tokenOut } from './token-form.ts';

/** Grant of an assistant, as its user has it. */
export interface HeldGrant extends ClaimedKey {
  readonly key: ApiKey;
  readonly assistant: AssistantGrant;
}

/** Refuses a code or token. One answer, so that nobody learns which part was wrong. */
export const invalidGrant = (): RawAnswer =>
  oauthRefusal(
    400,
    'invalid_grant',
    'The code or token is not valid for this client and address, was used, has expired or was revoked. Ask the user for access again.',
  );

/** Finds a grant that has neither ended nor expired. */
export const findGrant = async (call: Call, claimed: ClaimedKey): Promise<HeldGrant | undefined> => {
  const user = unlessLeaving(await findUser(call.store, claimed.userId));
  const key = own(user?.api_keys ?? {}, claimed.keyId);
  if (!key?.assistant || key.expires_at * 1000 <= call.now.getTime()) return undefined;
  return { ...claimed, key, assistant: key.assistant };
};

/** Ends a grant, and notes why for its owner. No-op if it has ended meanwhile. */
export const endGrant = async (
  call: Call,
  { userId, keyId }: ClaimedKey,
  kind: SecurityEventKind,
): Promise<void> => {
  const revoked = revokedKeyWrite(userId, keyId);
  const event = securityEventWrite({ user_id: userId }, { kind, ...originOf(call), now: call.now });
  try {
    await call.store.transact([revoked, event]);
  } catch (error) {
    if (!(error instanceof TransactionRefusedError && error.has(revoked))) throw error;
  }
};

/** Issues the next tokens of a grant. A grant that another request renewed meanwhile ends: one of the two is a thief's. */
export const issueTokens = async (
  call: Call,
  { userId, keyId, key, assistant }: HeldGrant,
): Promise<RawAnswer> => {
  const { store, random, now } = call;
  const { text, hash } = newApiKey(userId, random, keyId);
  const { generation: from, until } = assistant;
  const nowS = Math.floor(now.getTime() / 1000);
  if (!(await renewGrant(store, { userId, keyId, until }, { from, hash, nowS }))) {
    await endGrant(call, { userId, keyId }, 'assistant_token_reused');
    return invalidGrant();
  }
  call.showOnce();
  const refresh = { userId, sid: keyId, generation: from + 1 };
  return oauthAnswer(
    200,
    tokenOut.parse({
      access_token: text,
      token_type: 'Bearer',
      expires_in: Math.min(TOKEN_S, until - nowS),
      scope: key.scopes.join(' '),
      refresh_token: signRefreshToken(await call.keyRing(), refresh, 'assistant'),
    }),
  );
};
