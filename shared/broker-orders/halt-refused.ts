import { noteConnectionStatus } from '../data/execution/connections.ts';
import { commandDeployment } from '../lifecycle/deployment-commands.ts';
import type { Access, ExecutionRuntime } from './execution-runtime.ts';

/** Halts a deployment whose account refuses the keys. */
export const haltRefused = async (
  work: ExecutionRuntime,
  deploymentId: number,
  { connection }: Access,
): Promise<void> => {
  await noteConnectionStatus(work.store, connection, 'refused', work.clock());
  work.log.warn('a broker refuses the keys of an account', { deployment_id: deploymentId });
  await commandDeployment(work, deploymentId, {
    action: 'halt',
    by: 'engine',
    stop_reason: 'broker_disconnected',
    reason: `${work.brokerName} refuses the keys of the account. Connect it again, then resume the deployment.`,
  });
};
