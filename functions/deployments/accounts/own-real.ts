import type { Call } from '../../../shared/api/call.ts';
import { requireOwnSession } from '../../../shared/api/own-session.ts';
import type { Deployment } from '../../../shared/data/deployments/deployments.ts';

/**
 * Requires the session of the owner for a command that lets real orders leave, as deploying does.
 *
 * @throws HubError session_required, platform_token_insufficient
 */
export const requireOwnerOfReal = (call: Call, deployment: Deployment): void => {
  if (deployment.kind !== 'live' || deployment.mode !== 'live') return;
  requireOwnSession(call, 'Real orders require the session of the owner. Sign in.', 'places no real orders');
};
