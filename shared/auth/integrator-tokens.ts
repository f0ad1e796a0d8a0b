import { errors, type JWTPayload, jwtVerify } from 'jose';
import * as z from 'zod';
import { own } from '../domain/own.ts';
import type { TrustedIssuer } from '../settings.ts';
import { readCompactToken } from './compact-token.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import type { KeyRing } from './key-ring.ts';
import { signToken, type TokenKind, verifyToken } from './signed-token.ts';

/** What an integrator's token allows: reading the users who are linked to its broker. */
export const READ_SCOPE = 'broker:read';
/** Seconds that a token of ours is valid. */
export const INTEGRATOR_TOKEN_S = 3600;

const AUDIENCE = 'broker';
/** RFC 9068. */
const KIND: TokenKind = { type: 'at+jwt', audience: AUDIENCE, required: ['sub', 'jti', 'client_id'] };
const TYPES: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'at+jwt', 'application/at+jwt']);
/** Clocks of others differ from ours. */
const TOLERANCE_S = 30;
/** A refusal of the gateway is kept for minutes: a clock of ours that is slow by seconds must not cause one. */
const OWN_TOLERANCE_S = 5;
/** A token of others that says it lives longer is not waited for. */
const MAX_AGE_S = 24 * 3600;

const claims = z.object({
  sub: z.string(),
  iat: z.number(),
  exp: z.number(),
  /** Separated by blanks (RFC 8693). */
  scope: z.string(),
});
const ownClaims = claims.extend({ broker_domain: z.string() });

/** Who an integrator's token speaks for, and until when. */
export interface IntegratorIdentity {
  /** The broker's sub-domain. */
  readonly broker: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

interface Integrator {
  /** The broker's guid, which is its client id. */
  readonly guid: string;
  readonly subdomain: string;
  readonly tokenId: string;
}

/** Signs the access token of a broker. */
export const signIntegratorToken = (
  ring: KeyRing,
  issuer: string,
  { guid, subdomain, tokenId }: Integrator,
  now: Date,
): Promise<string> => {
  const said = { sub: guid, client_id: guid, jti: tokenId, scope: READ_SCOPE, broker_domain: subdomain };
  const expiresAt = Math.floor(now.getTime() / 1000) + INTEGRATOR_TOKEN_S;
  return signToken(ring, issuer, KIND, { claims: said, expiresAt }, now);
};

const mayRead = ({ scope }: { scope: string }): boolean => scope.split(' ').includes(READ_SCOPE);

const verifyOwn = async (
  ring: KeyRing,
  issuer: string,
  token: string,
  now: Date,
): Promise<IntegratorIdentity | undefined> => {
  const { success, data } = ownClaims.safeParse(await verifyToken(ring, issuer, KIND, token, now));
  if (!success || (data.iat - OWN_TOLERANCE_S) * 1000 > now.getTime() || !mayRead(data)) return undefined;
  return { broker: data.broker_domain, expiresAt: data.exp };
};

/** An issuer beside ourselves, with its keys. */
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
  if (!success || !mayRead(data)) return undefined;
  const broker = own(subjects, data.sub);
  const expiresAt = Math.min(data.exp, data.iat + MAX_AGE_S) + TOLERANCE_S;
  return broker === undefined ? undefined : { broker, expiresAt };
};

interface Verifying {
  readonly ring: KeyRing;
  /** Our own name as issuer: no other one can take it. */
  readonly issuer: string;
  readonly trusted: readonly Trusted[];
}

/**
 * Verifies an access token of an integrator: its form, signature by a key of its issuer under an algorithm
 * that the issuer uses, type, issuer, audience, times and scope. Whether the broker exists and may act, only
 * the table knows. Tokens of ours need nothing from outside.
 *
 * @returns undefined for a token that is refused.
 * @throws UpstreamDown where another issuer's keys are needed and cannot be had.
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
