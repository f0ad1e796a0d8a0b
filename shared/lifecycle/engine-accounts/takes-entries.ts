import type { Deployment } from '../../data/deployments/deployments.ts';
import { isFinalDeploymentStatus } from '../../domain/deployments/deployment-states.ts';

/** Returns whether a deployment has ended. */
export const isOver = (deployment: Deployment | undefined): boolean =>
  deployment === undefined || isFinalDeploymentStatus(deployment.status);

/** Returns whether a deployment hears of entries and signals: not while it is paused or halted. */
export const takesEntries = ({ status }: Deployment): boolean =>
  status === 'active' || status === 'requested';

/**
 * Returns whether the state of a deployment lets an account take entries. A failed deployment takes none. Pauses and
 * halts that are recorded commands are judged apart; without one, the status decides.
 */
export const accountTakesEntries = (deployment: Deployment): boolean =>
  takesEntries(deployment) || (deployment.last_hold !== undefined && deployment.status !== 'error');

/** Returns whether nothing is left to do for an account: its deployment has ended, and no command tells how. */
export const isAbandoned = (deployment: Deployment | undefined): boolean =>
  isOver(deployment) && deployment?.last_hold === undefined;
