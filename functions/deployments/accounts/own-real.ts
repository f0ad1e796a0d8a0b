import type { Call } from '../../../shared/api/call.ts';
import { requireOwnSession } from '../../../shared/api/own-session.ts';
import type { Deployment } from '../../../shared/data/deployments/deployments.ts';

/**
 * Requires the session of the owner for a command that lets real orders leave, as deploying does.
 *
 * @returns whether the deployment has real orders
 * @throws HubError session_required, platform_token_insufficient
 */
export const requireOwnerOfReal = (call: Call, deployment: Deployment): boolean => {
  if (deployment.kind !== 'live' || deployment.mode !== 'live') return false;
  requireOwnSession(call, 'Real orders require the session of the owner. Sign in.', 'places no real orders');
  return true;
};
