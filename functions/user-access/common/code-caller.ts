import type { Call } from '../../../shared/api/call.ts';
import type { Credentials } from '../../../shared/data/users/credentials.ts';
import { OWNER } from '../../../shared/data/users/one-time-codes.ts';
import { isKnownDevice } from './known-device.ts';

/**
 * Names the caller whose sends and wrong codes are counted: the owner for a known device or a session of the
 * account, otherwise the network, as a keyed hash.
 *
 * @param hasSession whether a session of the account came with the call.
 */
export const codeCaller = async (
  call: Call,
  email: string,
  { password_version: passwordVersion = 0 }: Credentials,
  hasSession = false,
): Promise<string> => {
  const isKnown = await isKnownDevice(call, { email, passwordVersion });
  if (hasSession || isKnown) return OWNER;
  const ring = await call.keyRing();
  return ring.mac('network', call.network).toString('base64url').slice(0, 22);
};
