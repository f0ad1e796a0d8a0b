import type { Call } from '../../../../shared/api/call.ts';
import type { RawAnswer } from '../../../../shared/api/operation.ts';
import { fingerprint, sameSecret } from '../../../../shared/auth/key-ring.ts';
import { verifyRefreshToken } from '../../../../shared/auth/refresh-tokens.ts';
import { oauthRefusal } from '../answers.ts';
import { readResource } from '../resources.ts';
import { endGrant, findGrant, invalidGrant, issueTokens } from './held-grant.ts';
import type { TokenForm } from './token-form.ts';

/** Issues the next tokens of an assistant for its refresh token, which ends with it. */
export const grantByRefresh = async (form: TokenForm, call: Call): Promise<RawAnswer> => {
  const { refresh_token: text, client_id: clientId } = form;
  if (text === undefined || clientId === undefined) {
    return oauthRefusal(400, 'invalid_request', 'The form needs refresh_token and client_id.');
  }
  const token = verifyRefreshToken(await call.keyRing(), text, 'assistant');
  const grant = token && (await findGrant(call, { userId: token.userId, keyId: token.sid }));
  if (!grant || !sameSecret(grant.assistant.client, fingerprint(clientId))) return invalidGrant();
  if (token.generation !== grant.assistant.generation) {
    await endGrant(call, grant, 'assistant_token_reused');
    return invalidGrant();
  }
  const { HUB_PUBLIC_URL: url } = call.settings;
  if (form.resource !== undefined && readResource(url, form.resource) !== grant.assistant.resource) {
    return oauthRefusal(400, 'invalid_target', 'The token is for another resource.');
  }
  const asked = form.scope?.split(' ').filter((one) => one !== '') ?? [];
  if (!asked.every((one) => grant.key.scopes.some((scope) => scope === one))) {
    return oauthRefusal(400, 'invalid_scope', 'The user has not granted all of these scopes.');
  }
  return issueTokens(call, grant);
};
