import { errors, jwtVerify, SignJWT } from 'jose';
import type { KeyRing } from './key-ring.ts';

const ALGORITHM = 'EdDSA';
const TYPE = 'at+jwt';
const AUDIENCE = 'session';

export interface AccessClaims {
  readonly userId: string;
  readonly sid: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/**
 * Signs the access token of a session (RFC 9068).
 *
 * @param issuer the public address of the service.
 */
export const signAccessToken = (
  ring: KeyRing,
  issuer: string,
  { userId, sid, expiresAt }: AccessClaims,
  now: Date,
): Promise<string> =>
  new SignJWT({ sid })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: ring.signing.kid })
    .setIssuer(issuer)
    .setAudience(AUDIENCE)
    .setSubject(userId)
    .setIssuedAt(now)
    .setExpirationTime(expiresAt)
    .sign(ring.signing.privateKey);

/** Verifies an access token; undefined for one that we did not sign, that is over, or that is for something else. */
export const verifyAccessToken = async (
  ring: KeyRing,
  issuer: string,
  token: string,
  now: Date,
): Promise<AccessClaims | undefined> => {
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const key = ring.verifying(kid);
        if (!key) throw new errors.JWKSNoMatchingKey();
        return key;
      },
      {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer,
        audience: AUDIENCE,
        currentDate: now,
        requiredClaims: ['sub', 'sid', 'exp'],
      },
    );
    const { sub, sid, exp } = payload;
    if (typeof sub !== 'string' || typeof sid !== 'string' || typeof exp !== 'number') return undefined;
    return { userId: sub, sid, expiresAt: exp };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
};
