import type { KeyRing } from './key-ring.ts';
import { signToken, type TokenKind, verifyToken } from './signed-token.ts';

/** RFC 9068. */
const KIND: TokenKind = { type: 'at+jwt', audience: 'session', required: ['sub', 'sid'] };

export interface AccessClaims {
  readonly userId: string;
  readonly sid: string;
  /** Number of renewals of the session before this token. */
  readonly generation: number;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/**
 * Signs the access token of a session.
 *
 * @param issuer the public address of the service.
 */
export const signAccessToken = (
  ring: KeyRing,
  issuer: string,
  { userId, sid, generation, expiresAt }: AccessClaims,
  now: Date,
): Promise<string> =>
  signToken(ring, issuer, KIND, { claims: { sid, gen: generation, sub: userId }, expiresAt }, now);

/** Verifies an access token. @returns undefined for a token with a wrong signature, an expired one or another kind. */
export const verifyAccessToken = async (
  ring: KeyRing,
  issuer: string,
  token: string,
  now: Date,
): Promise<AccessClaims | undefined> => {
  const { sub, sid, gen = 0, exp } = (await verifyToken(ring, issuer, KIND, token, now)) ?? {};
  if (typeof sub !== 'string' || typeof sid !== 'string' || typeof exp !== 'number') return undefined;
  return typeof gen === 'number' ? { userId: sub, sid, generation: gen, expiresAt: exp } : undefined;
};
