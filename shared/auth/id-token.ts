import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import * as z from 'zod';
import { boundedFetch } from '../channels/bounded-fetch.ts';
import { callUpstream, PATIENCE_MS, UpstreamDownError } from '../channels/upstream.ts';
import type { IdentityProvider } from '../settings.ts';

const discovery = z.object({ issuer: z.string(), jwks_uri: z.url() });

const claims = z.object({
  sub: z.string().min(1).max(255),
  /** Epoch seconds. */
  iat: z.number(),
  email: z.string().optional(),
  /** Some providers write booleans as strings. */
  email_verified: z.union([z.boolean(), z.stringbool()]).optional(),
  name: z.string().optional(),
  picture: z.string().optional(),
  nonce: z.string().optional(),
});

export type IdTokenClaims = z.output<typeof claims>;

type KeySet = ReturnType<typeof createRemoteJWKSet>;

/** A token was refused. The message has the reason, but no claims. */
export class IdTokenRefusedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'IdTokenRefusedError';
  }
}

const discover = async (provider: IdentityProvider): Promise<KeySet> => {
  const address = new URL(`${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const { issuer, jwks_uri } = await callUpstream('the identity provider', address, {}, async (response) =>
    discovery.parse(await response.json()),
  );
  // OpenID Connect Discovery 1.0, section 4.3: the issuer in the document must be the requested one.
  if (issuer !== provider.issuer) throw new UpstreamDownError('the identity provider', 'the issuer differs');
  return createRemoteJWKSet(new URL(jwks_uri), {
    timeoutDuration: PATIENCE_MS,
    [customFetch]: boundedFetch,
  });
};

/**
 * Caches the public keys of identity providers between requests. For an unknown key, the library fetches the keys
 * again, at most every 30 s.
 */
export class ProviderKeys {
  readonly #sets = new Map<string, Promise<KeySet>>();

  /** Returns the keys of a provider. @throws UpstreamDownError */
  async of(provider: IdentityProvider): Promise<KeySet> {
    const known = this.#sets.get(provider.issuer);
    if (known) return known;
    const discovering = discover(provider);
    this.#sets.set(provider.issuer, discovering);
    try {
      return await discovering;
    } catch (error) {
      this.#sets.delete(provider.issuer);
      throw error;
    }
  }
}

const KEY_FAULTS = [errors.JWKSTimeout, errors.JWKSInvalid];

/**
 * Verifies an ID token (OpenID Connect Core 1.0, section 3.1.3.7): signature, algorithm, issuer, audience, times and,
 * if one is given, the nonce.
 *
 * @throws IdTokenRefusedError, UpstreamDownError
 */
export const verifyIdToken = async (
  keys: ProviderKeys,
  provider: IdentityProvider,
  token: string,
  { nonce, now }: { nonce: string | undefined; now: Date },
): Promise<IdTokenClaims> => {
  const keySet = await keys.of(provider);
  let payload: unknown;
  try {
    const verified = await jwtVerify(token, keySet, {
      algorithms: [...provider.algorithms],
      issuer: provider.issuer,
      audience: provider.client_id,
      currentDate: now,
      clockTolerance: 30,
      requiredClaims: ['sub', 'exp', 'iat'],
    });
    const { aud, azp } = verified.payload;
    if (Array.isArray(aud) && aud.length > 1 && azp !== provider.client_id) {
      throw new IdTokenRefusedError('the token is for several audiences and was not issued to us');
    }
    payload = verified.payload;
  } catch (error) {
    if (KEY_FAULTS.some((fault) => error instanceof fault))
      throw new UpstreamDownError('the identity provider', error);
    if (error instanceof IdTokenRefusedError) throw error;
    // jose throws its generic error if the key endpoint fails or returns an invalid answer.
    if (error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC')
      throw new IdTokenRefusedError(error.code);
    throw new UpstreamDownError('the identity provider', error);
  }
  const parsed = claims.safeParse(payload);
  if (!parsed.success) throw new IdTokenRefusedError('a claim has the wrong type');
  if (nonce !== undefined && parsed.data.nonce !== nonce) throw new IdTokenRefusedError('the nonce differs');
  return parsed.data;
};
