import * as z from 'zod';
import type { Call } from '../../../shared/api/call.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { claimedKeyOf, isKeyOf } from '../../../shared/auth/api-keys.ts';
import { fingerprint, sameSecret } from '../../../shared/auth/key-ring.ts';
import { verifyRefreshToken } from '../../../shared/auth/refresh-tokens.ts';
import { oauthError, oauthRefusal } from './answers.ts';
import { endGrant, findGrant, type HeldGrant } from './grants/held-grant.ts';

/** Finds the grant of a refresh token, or of the present access token of an assistant. */
const findRevoked = async (call: Call, text: string): Promise<HeldGrant | undefined> => {
  const refresh = verifyRefreshToken(await call.keyRing(), text, 'assistant');
  if (refresh) return findGrant(call, { userId: refresh.userId, keyId: refresh.sid });
  const claimed = claimedKeyOf(text);
  const grant = claimed && (await findGrant(call, claimed));
  return grant && isKeyOf(grant.key.hash, text) ? grant : undefined;
};

export const oauthRevoke = defineOperation({
  method: 'POST',
  path: '/oauth/revoke',
  name: 'oauth_revoke',
  summary: 'End the access of an assistant',
  description:
    'Token revocation (RFC 7009): an access token or a refresh token of an assistant ends its whole grant. Unknown and ended tokens get the same answer.',
  caller: 'anyone',
  extension: true,
  input: {
    form: z.object({
      token: z.string().optional(),
      token_type_hint: z.string().optional(),
      client_id: z.string().optional(),
    }),
  },
  output: z.object({}),
  answers: {
    400: { description: 'The form has no token, or the token is of another client', schema: oauthError },
  },
  errors: [],
  table: 'write',
  handler: async ({ form: { token, client_id: clientId } }, call) => {
    if (token === undefined) return oauthRefusal(400, 'invalid_request', 'The form needs a token.');
    const grant = await findRevoked(call, token);
    if (grant && clientId !== undefined && !sameSecret(grant.assistant.client, fingerprint(clientId))) {
      return oauthRefusal(400, 'invalid_grant', 'The token is of another client.');
    }
    if (grant) await endGrant(call, grant, 'assistant_disconnected');
    return {};
  },
});
