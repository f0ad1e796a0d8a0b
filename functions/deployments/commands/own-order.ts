import type { Call } from '../../../shared/api/call.ts';
import { unknownOrder } from '../../../shared/api/refusals.ts';
import {
  asStoredOrder,
  findOrderAlias,
  type OrderAlias,
  orderKey,
  type StoredOrder,
} from '../../../shared/data/books/orders.ts';
import type { TradingDeployment } from '../../../shared/data/deployments/deployments.ts';
import { type Items, itemWith } from '../../../shared/data/table/items.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { changeDeployment } from '../../../shared/lifecycle/deployment-change.ts';
import type { Effect } from '../../../shared/lifecycle/effect.ts';
import { requireScopeOf } from '../accounts/own-real.ts';

/**
 * Changes an order of a user's own deployment, and the deployment with it.
 *
 * @param decide returns the change, or throws to end without one
 * @param extraReads keys of items that `decide` needs
 * @throws HubError order_unknown, also for an order of another user
 */
export const changeOwnOrder = async <T>(
  call: Call,
  userId: string,
  orderId: number,
  decide: (
    deployment: TradingDeployment,
    order: StoredOrder,
    now: Date,
    items: Items,
  ) => Promise<{ effect: Effect; result: T }>,
  extraReads: (alias: OrderAlias) => readonly Key[] = () => [],
): Promise<T> => {
  const alias = await findOrderAlias(call.store, orderId);
  if (!alias) throw unknownOrder();
  let result: T | undefined;
  await changeDeployment(
    call,
    alias.deployment_id,
    async (deployment, now, items) => {
      const order = asStoredOrder(itemWith(items, orderKey(alias)));
      if (deployment?.kind !== 'live' || deployment.user_id !== userId || !order) throw unknownOrder();
      requireScopeOf(call, deployment);
      const decided = await decide(deployment, order, now, items);
      result = decided.result;
      return decided.effect;
    },
    [orderKey(alias), ...extraReads(alias)],
  );
  if (result === undefined) throw unknownOrder();
  return result;
};
