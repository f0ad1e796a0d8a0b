import { asDeployment, hasRealOrders } from '../../shared/data/deployments/deployments.ts';
import { asDeploymentSetup } from '../../shared/data/engine/setups.ts';
import { readSub, subRemoval } from '../../shared/data/engine/subscriptions.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { isOver } from './deployment-access.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { serveDeployment } from './live/serve-deployment.ts';
import { removeUnused } from './remove-unused.ts';
import { endScanner } from './scan/end-scanner.ts';

const leaveProgram = (store: Store, programId: string, deploymentId: number): Promise<void> =>
  retryOnConflict(async () => {
    const sub = await readSub(store, programId, deploymentId);
    if (sub) await store.transact([subRemoval(sub)]);
  });

/** Ends the work for a deployment that has ended, and removes programs that work for no other. Idempotent. */
export const endDeployment = async (engine: EngineRuntime, deploymentId: number): Promise<void> => {
  const { store, memory } = engine;
  const own = { deployment: keys.deployment(deploymentId), setup: keys.deploymentSetup(deploymentId) };
  const items = await store.getMany(Object.values(own), { consistent: true });
  const deployment = asDeployment(itemWith(items, own.deployment));
  const setup = asDeploymentSetup(itemWith(items, own.setup));
  if (!setup || !isOver(deployment)) return;
  // Orders may still be at the broker.
  if (deployment && hasRealOrders(deployment)) return serveDeployment(engine, deploymentId);
  if (deployment?.kind === 'scanner') return endScanner(engine, deploymentId, setup.setup);
  for (const programId of setup.program_ids) {
    await leaveProgram(store, programId, deploymentId);
    await removeUnused(store, programId);
    memory.books.forget(deploymentId);
  }
};
