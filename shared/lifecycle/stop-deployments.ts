import { findReadable } from '../data/deployments/deployments.ts';
import { findDeploymentIds } from '../data/user-data/holdings.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import type { Runtime } from '../runtime.ts';
import { commandDeployment } from './deployment-commands.ts';

const PAGE = 100;
const AT_ONCE = 20;

interface Stopping {
  readonly by: 'user' | 'operator';
  readonly reason: string;
  /** Stops only those deployed before; all without it. */
  readonly deployedBefore?: string;
}

/**
 * Stops the deployments of a user with the usual commands.
 *
 * @returns the number of those that have not ended.
 */
export const stopDeployments = async (
  runtime: Runtime,
  userId: string,
  { by, reason, deployedBefore }: Stopping,
): Promise<number> => {
  const { store } = runtime;
  const ids = await findDeploymentIds(store, userId);
  const failures: unknown[] = [];
  const command = { action: 'stop', by, reason, stop_reason: 'user' } as const;
  let running = 0;
  for (let start = 0; start < ids.length; start += PAGE) {
    const { deployments, unreadable } = await findReadable(store, ids.slice(start, start + PAGE));
    const left = [
      ...deployments
        .filter(({ status }) => !isFinalDeploymentStatus(status))
        .filter(({ deployed_at }) => deployedBefore === undefined || deployed_at < deployedBefore)
        .map((one) => one.deployment_id),
      ...unreadable,
    ];
    for (let first = 0; first < left.length; first += AT_ONCE) {
      const settled = await Promise.allSettled(
        left.slice(first, first + AT_ONCE).map((id) => commandDeployment(runtime, id, command)),
      );
      for (const outcome of settled) {
        if (outcome.status === 'rejected') failures.push(outcome.reason);
        else if (outcome.value && !isFinalDeploymentStatus(outcome.value.deployment.status)) running += 1;
      }
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'deployments of an account failed to stop');
  return running;
};
