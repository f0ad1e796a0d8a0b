import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { upstreamFailed } from '../../../shared/api/refusals.ts';
import {
  type IdTokenClaims,
  IdTokenRefusedError,
  ProviderKeys,
  verifyIdToken,
} from '../../../shared/auth/id-token.ts';
import { UpstreamDownError } from '../../../shared/channels/upstream.ts';
import type { IdentityProvider } from '../../../shared/settings.ts';

/** Token of an identity provider, as a client sends it. */
interface SentToken {
  readonly provider: string;
  readonly id_token: string;
  readonly nonce?: string | undefined;
}

interface VerifiedToken {
  readonly provider: IdentityProvider;
  readonly claims: IdTokenClaims;
}

/** Keeps the keys of providers across requests; made at the first request. */
let providerKeys: ProviderKeys | undefined;

/** Refuses a token of an identity provider. */
export const refusedToken = (detail: string): HubError => new HubError('id_token_invalid', detail);

/** Verifies a token of an identity provider. @throws HubError provider_unknown, id_token_invalid, upstream_failed */
export const verifyProviderToken = async (call: Call, sent: SentToken): Promise<VerifiedToken> => {
  const { HUB_IDENTITY_PROVIDERS: providers } = call.capability('identity');
  const provider = providers.find((known) => known.provider === sent.provider);
  if (!provider) throw new HubError('provider_unknown', 'There is no identity provider with this name.');
  providerKeys ??= new ProviderKeys();
  const { id_token: token, nonce } = sent;
  try {
    const claims = await verifyIdToken(providerKeys, provider, token, { nonce, now: call.now });
    return { provider, claims };
  } catch (error) {
    if (error instanceof IdTokenRefusedError)
      throw refusedToken('The ID token is not valid for this service.');
    if (error instanceof UpstreamDownError) throw upstreamFailed(error);
    throw error;
  }
};
