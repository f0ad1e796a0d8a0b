import { createECDH, createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';

/** Lifetime of an authorization. RFC 8292 allows up to a day. */
const LIFE_S = 12 * 3600;

/** Derives the VAPID public key in base64url; undefined if no private key is configured. */
export const vapidPublicKey = (privateKey: string): string | undefined => {
  if (privateKey === '') return undefined;
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(privateKey, 'base64url');
  return curve.getPublicKey().toString('base64url');
};

/**
 * Builds the Authorization header that identifies this service to a web push service (VAPID, RFC 8292).
 *
 * @param privateKey 32 bytes of P-256 in base64url.
 * @param audience origin of the push service.
 */
export const vapidAuthorization = async (
  privateKey: string,
  { audience, subject, now }: { readonly audience: string; readonly subject: string; readonly now: Date },
): Promise<string> => {
  const publicKey = vapidPublicKey(privateKey) ?? '';
  const point = Buffer.from(publicKey, 'base64url');
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
      d: privateKey,
    },
  });
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(audience)
    .setSubject(subject)
    .setExpirationTime(Math.floor(now.getTime() / 1000) + LIFE_S)
    .sign(key);
  return `vapid t=${token}, k=${publicKey}`;
};
