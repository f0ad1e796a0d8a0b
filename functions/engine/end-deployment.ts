import { asDeployment, hasRealOrders } from '../../shared/data/deployments/deployments.ts';
import { ENGINE_ENDED } from '../../shared/data/engine/events.ts';
import { asDeploymentSetup } from '../../shared/data/engine/setups.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { isOver } from '../../shared/lifecycle/engine-accounts/takes-entries.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { followCommands } from './follow-commands.ts';
import { leaveProgram } from './leave-program.ts';
import { serveDeployment } from './real/serve-deployment.ts';
import { removeUnused } from './remove-unused.ts';
import { endScanner } from './scan/end-scanner.ts';

/**
 * Ends the work for a deployment that has ended: lets its accounts follow the command that ended it, and removes programs that work
 * for no other. Idempotent.
 */
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
  // Cancels orders and closes positions as the command that ended the deployment demands.
  if (deployment?.kind === 'live' && !(await followCommands(engine, deployment, setup))) {
    await engine.putEvent(ENGINE_ENDED, { version: 1, deployment_id: deploymentId });
    return;
  }
  for (const programId of setup.program_ids) {
    await leaveProgram(store, programId, deploymentId);
    await removeUnused(store, programId);
    memory.books.forget(deploymentId);
  }
};
