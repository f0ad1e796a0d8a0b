import type { Deployment } from '../../shared/data/deployments/deployments.ts';
import { type Sub, subRemoval } from '../../shared/data/engine/subscriptions.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import { isFinalDeploymentStatus } from '../../shared/domain/deployments/deployment-states.ts';
import type { EngineRuntime } from './engine-runtime.ts';

/** Returns whether a deployment has ended. */
export const isOver = (deployment: Deployment | undefined): boolean =>
  deployment === undefined || isFinalDeploymentStatus(deployment.status);

/** Returns whether a deployment hears of entries and signals: not while it is paused or halted. */
export const takesEntries = ({ status }: Deployment): boolean =>
  status === 'active' || status === 'requested';

/** Removes the subscription of a deployment that has ended; no-op if it changed meanwhile. */
export const dropSub = async ({ store }: EngineRuntime, sub: Sub): Promise<void> => {
  try {
    await store.transact([subRemoval(sub)]);
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
  }
};
