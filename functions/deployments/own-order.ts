import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import type { Effect } from '../../shared/data/deployment-change.ts';
import { changeDeployment } from '../../shared/data/deployment-change.ts';
import type { LiveDeployment } from '../../shared/data/deployments.ts';
import { asLiveOrder, findOrderPointer, type LiveOrder, orderKey } from '../../shared/data/live-orders.ts';

/** The one answer to an unknown order and to somebody else's. */
const unknownOrder = (): HubError => new HubError('order_unknown', 'There is no such order.');

/**
 * Changes an order of a user's own deployment, and the deployment with it.
 *
 * @param decide answers with what the change leads to. What it throws ends it.
 * @throws HubError order_unknown, for somebody else's too
 */
export const changeOwnOrder = async <T>(
  call: Call,
  userId: string,
  orderId: number,
  decide: (deployment: LiveDeployment, order: LiveOrder, now: Date) => Promise<{ effect: Effect; result: T }>,
): Promise<T> => {
  const pointer = await findOrderPointer(call.store, orderId);
  if (!pointer) throw unknownOrder();
  let result: T | undefined;
  await changeDeployment(
    call,
    pointer.deployment_id,
    async (deployment, now, [item]) => {
      const order = asLiveOrder(item);
      if (deployment?.kind !== 'live' || deployment.user_id !== userId || !order) throw unknownOrder();
      const decided = await decide(deployment, order, now);
      result = decided.result;
      return decided.effect;
    },
    [orderKey(pointer)],
  );
  if (result === undefined) throw unknownOrder();
  return result;
};
