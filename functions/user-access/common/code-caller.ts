import { sessionToken } from '../../../shared/api/authenticate.ts';
import type { Call } from '../../../shared/api/call.ts';
import { verifyAccessToken } from '../../../shared/auth/access-tokens.ts';
import { isKnownDevice } from '../../../shared/callers/known-device.ts';
import type { Credentials } from '../../../shared/data/users/credentials.ts';
import { OWNER } from '../../../shared/data/users/one-time-codes.ts';

/**
 * Tells whether the call has a token of the account. A revoked session counts, too: it only selects the budget of
 * tries.
 */
export const hasToken = async (call: Call, userId: string | undefined): Promise<boolean> => {
  const token = sessionToken(call);
  if (token === undefined || userId === undefined) return false;
  const claims = await verifyAccessToken(await call.keyRing(), call.settings.HUB_PUBLIC_URL, token, call.now);
  return claims?.userId === userId;
};

/**
 * Names the caller whose sends and wrong codes are counted: the owner for a known device or a session of the
 * account, otherwise the network, as a keyed hash.
 *
 * @param options.hasSession whether a session of the account came with the call.
 */
export const codeCaller = async (
  call: Call,
  email: string,
  { password_version: passwordVersion = 0 }: Credentials,
  { hasSession }: { readonly hasSession: boolean },
): Promise<string> => {
  const isKnown = await isKnownDevice(call, { email, passwordVersion });
  if (hasSession || isKnown) return OWNER;
  const ring = await call.keyRing();
  return ring.mac('network', call.network).toString('base64url').slice(0, 22);
};
