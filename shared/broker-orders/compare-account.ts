import type { BrokerOrder } from '../channels/execution/execution-broker.ts';
import {
  asOrderInHand,
  type OrderInHand,
  orderInHandKey,
  saveOrderInHand,
} from '../data/execution/orders-in-hand.ts';
import { findProtections } from '../data/execution/protections.ts';
import { placeByKey, readable } from '../data/table/damaged-items.ts';
import { deploymentOfExit, isHubOrder } from '../domain/orders/broker-order-ids.ts';
import type { Access, ExecutionRuntime } from './execution-runtime.ts';
import { BROKER_DOUBTS } from './execution-runtime.ts';
import { leaseUntil } from './lease.ts';
import { legsOf } from './protection/figures.ts';
import { GIVEN_UP } from './report-order.ts';
import { unlessTaken } from './unless-taken.ts';

/** Takes an order back that was ended as never placed, but appeared at the broker. It is cancelled, and its fills count. */
const takeBack = async (work: ExecutionRuntime, order: OrderInHand, found: BrokerOrder): Promise<void> => {
  work.log.error(BROKER_DOUBTS.appearedLate, { deployment_id: order.deployment_id });
  await unlessTaken(() =>
    saveOrderInHand(work.store, {
      ...order,
      state: 'open',
      broker_order_id: found.brokerOrderId,
      cancel: order.cancel ?? { reason: GIVEN_UP },
      due_at: leaseUntil(work),
    }),
  );
};

/** Deployments whose exits are looked up at once. Owners choose the ids of their orders freely. */
const MAX_DEPLOYMENTS = 50;

/** Returns the exits of the hub at the broker that no protection knows. */
const unknownExits = async (
  { store }: ExecutionRuntime,
  orders: readonly BrokerOrder[],
): Promise<BrokerOrder[]> => {
  const byDeployment = Map.groupBy(orders, ({ clientOrderId }) => deploymentOfExit(clientOrderId));
  const unknown: BrokerOrder[] = [];
  for (const [deploymentId, own] of [...byDeployment].slice(0, MAX_DEPLOYMENTS)) {
    if (deploymentId === undefined) continue;
    const exits = (await findProtections(store, deploymentId)).flatMap((protection) => protection.exits);
    const known = new Set(
      exits.flatMap((exit) => [exit.id, exit.move?.id, ...legsOf(exit).map((leg) => leg.broker_order_id)]),
    );
    unknown.push(
      ...own.filter(
        ({ clientOrderId, brokerOrderId }) => !known.has(clientOrderId) && !known.has(brokerOrderId),
      ),
    );
  }
  return unknown;
};

/**
 * Compares the open orders of an account with those in hand. An order of the hub that is not in hand is reported to the
 * operator and never cancelled silently; orders of the owner are none of the hub's, also if they have the id of an order at
 * another account: owners choose the ids of their orders freely.
 *
 * @returns the open orders of the hub, by the id that it gave them.
 * @throws AccessRefusedError, BrokerLaterError
 */
export const compareAccount = async (
  work: ExecutionRuntime,
  { broker, connection }: Access,
): Promise<ReadonlyMap<string, BrokerOrder>> => {
  const { orders: all, unreadable } = await broker.listOpenOrders(
    (id) => isHubOrder(id) || deploymentOfExit(id) !== undefined,
  );
  const open = all.filter(({ clientOrderId }) => isHubOrder(clientOrderId));
  const [unread] = unreadable;
  if (unread !== undefined) {
    work.log.error(BROKER_DOUBTS.unreadable, { client_order_id: unread, orders: unreadable.length });
  }
  const items = await work.store.getMany(
    open.map(({ clientOrderId }) => orderInHandKey(clientOrderId)),
    { consistent: true },
  );
  const unknown: BrokerOrder[] = await unknownExits(work, all);
  for (const [index, found] of open.entries()) {
    const order = readable(asOrderInHand, items[index], placeByKey, ({ message }) => {
      work.log.error('an order in hand cannot be read', { reason: message });
    });
    if (!order && items[index]) continue;
    const isOther =
      order && (order.user_id !== connection.user_id || order.account_id !== connection.account_id);
    if (isOther) continue;
    const isGivenUp = order?.state === 'ended' && order.broker_order_id === undefined;
    if (isGivenUp) await takeBack(work, order, found);
    else if (order?.state !== 'placing' && order?.state !== 'open') {
      unknown.push(found);
    }
  }
  const [first] = unknown;
  // One line: owners choose the ids of their orders freely, and may have thousands.
  if (first) {
    const { clientOrderId: client_order_id, brokerOrderId: broker_order_id } = first;
    work.log.error(BROKER_DOUBTS.notInHand, { client_order_id, broker_order_id, orders: unknown.length });
  }
  return new Map(all.map((order) => [order.clientOrderId, order]));
};
