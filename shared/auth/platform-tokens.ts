import type { KeyRing } from './key-ring.ts';
import { signToken, type TokenKind, verifyToken } from './signed-token.ts';

const KIND: TokenKind = { type: 'hub-platform+jwt', audience: 'platform', required: ['sub', 'jti'] };

/** What a platform token names: whose it is, and which of theirs: one of a user is active at a time. */
export interface PlatformClaims {
  readonly userId: string;
  readonly tokenId: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** Whether a session asked for it, not a caller with the `user_id` alone. */
  readonly bySession: boolean;
}

/** Signs the token by which a user's own programs act as the user. */
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

/** Verifies a platform token; whether it is the active one, only the user's record knows. */
export const verifyPlatformToken = async (
  ring: KeyRing,
  issuer: string,
  token: string,
  now: Date,
): Promise<PlatformClaims | undefined> => {
  const { sub, jti, exp, by_session } = (await verifyToken(ring, issuer, KIND, token, now)) ?? {};
  if (typeof sub !== 'string' || typeof jti !== 'string' || typeof exp !== 'number') return undefined;
  // Versions before this one do not say it.
  return { userId: sub, tokenId: jti, expiresAt: exp, bySession: by_session === true };
};
