import type { Deployment } from '../../shared/data/deployments/deployments.ts';
import { readSub, type Sub, subRemoval } from '../../shared/data/engine/subscriptions.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { type Store, TransactionRefusedError } from '../../shared/data/table/store.ts';
import { isFinalDeploymentStatus } from '../../shared/domain/deployments/deployment-states.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { removeUnused } from './remove-unused.ts';

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

/** Removes the subscription of a deployment to a program, if there is one. */
export const leaveProgram = (store: Store, programId: string, deploymentId: number): Promise<void> =>
  retryOnConflict(async () => {
    const sub = await readSub(store, programId, deploymentId);
    if (sub) await store.transact([subRemoval(sub)]);
  });

/**
 * Removes the subscription of a deployment that has ended, and its program if it works for no other; no-op if the
 * subscription changed meanwhile.
 */
export const dropSub = async ({ store }: EngineRuntime, sub: Sub): Promise<void> => {
  try {
    await store.transact([subRemoval(sub)]);
  } catch (error) {
    if (error instanceof TransactionRefusedError) return;
    throw error;
  }
  await removeUnused(store, sub.program_id);
};
