import { asDeploymentSetup } from '../../shared/data/engine/setups.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { HUB_SOURCE } from '../../shared/domain/deployments/event-source.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { takeEvent } from '../execution-events/take-event.ts';

/** Starts a deployment that the hub runs. Idempotent; no-op for one without a setup. */
export const startDeployment = async (runtime: Runtime, deploymentId: number): Promise<void> => {
  const [item] = await runtime.store.getMany([keys.deploymentSetup(deploymentId)], { consistent: true });
  const setup = asDeploymentSetup(item);
  if (!setup) return;
  await takeEvent(runtime, {
    'detail-type': 'Deployment Started',
    source: HUB_SOURCE,
    detail: { version: 1, deployment_id: deploymentId, occurred_at: runtime.clock().toISOString() },
  });
};
