import { readSub, type Sub, subRemoval } from '../../shared/data/engine/subscriptions.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { type Store, TransactionRefusedError } from '../../shared/data/table/store.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { removeUnused } from './remove-unused.ts';

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
