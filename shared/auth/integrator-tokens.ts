import { errors, type JWTPayload, jwtVerify } from 'jose';
import * as z from 'zod';
import { own } from '../domain/unknown-fields.ts';
import type { TrustedIssuer } from '../settings.ts';
import { readCompactToken } from './compact-token.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import type { KeyRing } from './key-ring.ts';
import { signToken, type TokenKind, verifyToken } from './signed-token.ts';

/** Scope of integrators' tokens: reading the users linked to the broker. */
export const READ_SCOPE = 'broker:read';
/** Scope of throwing kill switches over the broker's deployments. An operator grants it to a broker. */
export const RISK_SCOPE = 'broker:risk';

/** Scope of setting up webhooks: they send events of the broker's users elsewhere, so reading alone does not allow it. */
export const WEBHOOKS_SCOPE = 'broker:webhooks';

export const INTEGRATOR_SCOPES = [READ_SCOPE, RISK_SCOPE, WEBHOOKS_SCOPE] as const;
export type IntegratorScope = (typeof INTEGRATOR_SCOPES)[number];

/** Returns the scopes that the service knows in a text of scopes, in the order of {@link INTEGRATOR_SCOPES}. */
export const scopesIn = (text: string): IntegratorScope[] => {
  const named = text.split(' ');
  return INTEGRATOR_SCOPES.filter((scope) => named.includes(scope));
};

/** Lifetime of tokens that the service issues, in seconds. */
export const INTEGRATOR_TOKEN_S = 3600;

const AUDIENCE = 'broker';
/** RFC 9068. */
const KIND: TokenKind = { type: 'at+jwt', audience: AUDIENCE, required: ['sub', 'jti', 'client_id'] };
const TYPES: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'at+jwt', 'application/at+jwt']);
/** Allowed difference from the clocks of other issuers. */
const TOLERANCE_S = 30;
/** Allowed difference between our own clocks. The gateway caches a refusal for minutes, so a slow clock must not cause one. */
const OWN_TOLERANCE_S = 5;
/** Maximum age of tokens from other issuers, whatever their expiry. */
const MAX_AGE_S = 24 * 3600;

const claims = z.object({
  sub: z.string(),
  iat: z.number(),
  exp: z.number(),
  /** Scopes separated by spaces (RFC 8693). */
  scope: z.string(),
});
const ownClaims = claims.extend({ broker_domain: z.string() });

/** Broker and expiry of an integrator's token. */
export interface IntegratorIdentity {
  /** Sub-domain of the broker. */
  readonly broker: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** The scopes of the token that the service knows; {@link READ_SCOPE} is always among them. */
  readonly scopes: readonly IntegratorScope[];
}

interface Integrator {
  /** The broker's guid, also its OAuth client id. */
  readonly guid: string;
  readonly subdomain: string;
  readonly tokenId: string;
  readonly scopes: readonly IntegratorScope[];
}

/** Signs the access token of a broker. */
export const signIntegratorToken = (
  ring: KeyRing,
  issuer: string,
  { guid, subdomain, tokenId, scopes }: Integrator,
  now: Date,
): Promise<string> => {
  const scope = scopes.join(' ');
  const said = { sub: guid, client_id: guid, jti: tokenId, scope, broker_domain: subdomain };
  const expiresAt = Math.floor(now.getTime() / 1000) + INTEGRATOR_TOKEN_S;
  return signToken(ring, issuer, KIND, { claims: said, expiresAt }, now);
};

const verifyOwn = async (
  ring: KeyRing,
  issuer: string,
  token: string,
  now: Date,
): Promise<IntegratorIdentity | undefined> => {
  const { success, data } = ownClaims.safeParse(await verifyToken(ring, issuer, KIND, token, now));
  if (!success || (data.iat - OWN_TOLERANCE_S) * 1000 > now.getTime()) return undefined;
  const scopes = scopesIn(data.scope);
  if (!scopes.includes(READ_SCOPE)) return undefined;
  return { broker: data.broker_domain, expiresAt: data.exp, scopes };
};

/** Another trusted issuer with its keys. */
export interface Trusted extends TrustedIssuer {
  readonly keys: IssuerKeys;
}

const verifyForeign = async (
  { issuer, algorithms, subjects, keys }: Trusted,
  token: string,
  now: Date,
): Promise<IntegratorIdentity | undefined> => {
  let payload: JWTPayload;
  try {
    ({ payload } = await jwtVerify(token, (header, jws) => keys.find(now, header, jws), {
      algorithms,
      issuer,
      audience: AUDIENCE,
      currentDate: now,
      clockTolerance: TOLERANCE_S,
      maxTokenAge: MAX_AGE_S,
      requiredClaims: ['exp', 'sub'],
    }));
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
  const { success, data } = claims.safeParse(payload);
  if (!success) return undefined;
  const scopes = scopesIn(data.scope);
  if (!scopes.includes(READ_SCOPE)) return undefined;
  const broker = own(subjects, data.sub);
  const expiresAt = Math.min(data.exp, data.iat + MAX_AGE_S) + TOLERANCE_S;
  return broker === undefined ? undefined : { broker, expiresAt, scopes };
};

interface Verifying {
  readonly ring: KeyRing;
  /** Name of this service as issuer. No trusted issuer can use it. */
  readonly issuer: string;
  readonly trusted: readonly Trusted[];
}

/**
 * Verifies an access token of an integrator: form, signature, algorithm, type, issuer, audience, times and scope. The
 * caller must check in the table that the broker exists and may act. Tokens of this service need no network call.
 *
 * @returns undefined for a token that is refused.
 * @throws UpstreamDownError if the keys of another issuer are needed and unavailable.
 */
export const verifyIntegratorToken = async (
  { ring, issuer, trusted }: Verifying,
  token: string,
  now: Date,
): Promise<IntegratorIdentity | undefined> => {
  const read = readCompactToken(token);
  if (!read) return undefined;
  if (read.payload.iss === issuer) return verifyOwn(ring, issuer, token, now);
  const foreign = trusted.find((one) => one.issuer === read.payload.iss);
  const { typ } = read.header;
  const type = typeof typ === 'string' ? typ.toLowerCase() : typ;
  return foreign && TYPES.has(type) ? verifyForeign(foreign, token, now) : undefined;
};
