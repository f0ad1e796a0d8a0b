import { requireScope } from '../../../shared/api/api-key-caller.ts';
import type { Call } from '../../../shared/api/call.ts';
import { requireOwnSession } from '../../../shared/api/own-session.ts';
import type { Deployment } from '../../../shared/data/deployments/deployments.ts';

const isReal = (deployment: Deployment): boolean => deployment.kind === 'live' && deployment.mode === 'live';

/** Requires of an API key that it may act on a deployment, by its real orders. @throws HubError scope_insufficient */
export const requireScopeOf = (call: Call, deployment: Deployment): void => {
  if (isReal(deployment)) requireScope(call, 'trade:real');
};

/**
 * Requires the session of the owner for a command that lets real orders leave, as deploying does.
 *
 * @returns whether the deployment has real orders
 * @throws HubError session_required, platform_token_insufficient
 */
export const requireOwnerOfReal = (call: Call, deployment: Deployment): boolean => {
  if (!isReal(deployment)) return false;
  requireOwnSession(call, 'Real orders require the session of the owner. Sign in.', 'places no real orders');
  return true;
};
