import type { Call } from '../api/call.ts';
import type { Origin } from '../data/users/security-events.ts';
import { deviceName } from '../domain/device-name.ts';

/**
 * Returns where a call came from, for the owner of an account: browser and system in fixed words, and the network cut to /24
 * or /48. The place is absent for callers on this machine.
 */
export const originOf = ({ headers, wideNetwork }: Call): Origin => {
  const device = deviceName(headers['user-agent']);
  return {
    ...(device !== undefined && { device }),
    ...(wideNetwork !== undefined && { place: wideNetwork }),
  };
};
