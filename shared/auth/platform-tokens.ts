import type { KeyRing } from './key-ring.ts';
import { signToken, type TokenKind, verifyToken } from './signed-token.ts';

const KIND: TokenKind = { type: 'hub-platform+jwt', audience: 'platform', required: ['sub', 'jti'] };

/** Claims of a platform token. A user has one active platform token at a time. */
export interface PlatformClaims {
  readonly userId: string;
  readonly tokenId: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** True if a session requested the token, false if a caller with only the `user_id` did. */
  readonly bySession: boolean;
}

/** Signs the token that lets a user's programs act as the user. */
export const signPlatformToken = (
  ring: KeyRing,
  issuer: string,
  { userId, tokenId, expiresAt, bySession }: PlatformClaims,
  now: Date,
): Promise<string> =>
  signToken(
    ring,
    issuer,
    KIND,
    { claims: { sub: userId, jti: tokenId, by_session: bySession }, expiresAt },
    now,
  );

/** Verifies a platform token. The caller must check in the user's record that it is the active one. */
export const verifyPlatformToken = async (
  ring: KeyRing,
  issuer: string,
  token: string,
  now: Date,
): Promise<PlatformClaims | undefined> => {
  const { sub, jti, exp, by_session } = (await verifyToken(ring, issuer, KIND, token, now)) ?? {};
  if (typeof sub !== 'string' || typeof jti !== 'string' || typeof exp !== 'number') return undefined;
  if (typeof by_session !== 'boolean') return undefined;
  return { userId: sub, tokenId: jti, expiresAt: exp, bySession: by_session };
};
