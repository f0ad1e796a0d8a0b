import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { KeyRing } from './key-ring.ts';

const ALGORITHM = 'EdDSA';

/** Kind of token that the service signs. The type and the audience tell the kinds apart. */
export interface TokenKind {
  /** `typ` in the header. */
  readonly type: string;
  readonly audience: string;
  /** Required claims in addition to `iat` and `exp`. */
  readonly required: readonly string[];
}

interface Signed {
  readonly claims: JWTPayload;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/**
 * Signs a token with the current key.
 *
 * @param issuer the public address of the service.
 */
export const signToken = (
  ring: KeyRing,
  issuer: string,
  { type, audience }: TokenKind,
  { claims, expiresAt }: Signed,
  now: Date,
): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, typ: type, kid: ring.signing.kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(expiresAt)
    .sign(ring.signing.privateKey);

/** Verifies a token. @returns undefined for a token with a wrong signature, an expired one or another kind. */
export const verifyToken = async (
  ring: KeyRing,
  issuer: string,
  { type, audience, required }: TokenKind,
  token: string,
  now: Date,
): Promise<JWTPayload | undefined> => {
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
        typ: type,
        issuer,
        audience,
        currentDate: now,
        requiredClaims: ['iat', 'exp', ...required],
      },
    );
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
};
