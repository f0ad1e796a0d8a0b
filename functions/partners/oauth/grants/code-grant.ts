import type { Call } from '../../../../shared/api/call.ts';
import type { RawAnswer } from '../../../../shared/api/operation.ts';
import { claimedCodeOf, isKeyOf } from '../../../../shared/auth/api-keys.ts';
import { fingerprint, sameSecret } from '../../../../shared/auth/key-ring.ts';
import { oauthRefusal } from '../answers.ts';
import { readResource } from '../resources.ts';
import { endGrant, findGrant, invalidGrant, issueTokens } from './held-grant.ts';
import type { TokenForm } from './token-form.ts';

/** RFC 7636, section 4.1. */
const VERIFIER = /^[\w.~-]{43,128}$/;

/** Issues the first tokens of an assistant for its code. */
export const grantByCode = async (form: TokenForm, call: Call): Promise<RawAnswer> => {
  const { code, client_id: clientId, redirect_uri: redirect, code_verifier: verifier } = form;
  if (code === undefined || clientId === undefined || redirect === undefined || verifier === undefined) {
    return oauthRefusal(
      400,
      'invalid_request',
      'The form needs code, client_id, redirect_uri and code_verifier.',
    );
  }
  const claimed = claimedCodeOf(code);
  const grant = claimed && (await findGrant(call, claimed));
  if (!grant || !isKeyOf(grant.assistant.code.hash, code)) return invalidGrant();
  const { assistant } = grant;
  if (assistant.generation > 0) {
    // Somebody has a copy of the code, and nobody knows who was first.
    await endGrant(call, grant, 'assistant_token_reused');
    return invalidGrant();
  }
  const isBound =
    sameSecret(assistant.client, fingerprint(clientId)) &&
    sameSecret(assistant.code.redirect, fingerprint(redirect)) &&
    VERIFIER.test(verifier) &&
    sameSecret(assistant.code.challenge, fingerprint(verifier));
  if (!isBound) return invalidGrant();
  const { HUB_PUBLIC_URL: url } = call.settings;
  if (form.resource !== undefined && readResource(url, form.resource) !== assistant.resource) {
    return oauthRefusal(400, 'invalid_target', 'The code is for another resource.');
  }
  return issueTokens(call, grant);
};
