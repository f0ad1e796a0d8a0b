import { AccessRefusedError, BrokerLaterError } from '../../../shared/channels/execution/execution-broker.ts';
import { findDueOrders, type OrderInHand } from '../../../shared/data/execution/orders-in-hand.ts';
import { attendOrder, releaseOrder, takeOrder, unlessTaken } from './attend-order.ts';
import { compareAccount } from './compare-account.ts';
import { type Access, type ExecutionRuntime, findAccess } from './execution-runtime.ts';

/** The most orders of a round. */
const MAX_DUE = 200;

/** Lists the open orders of an account, if it has several due ones: one call instead of one per order. */
const listedOf = async (work: ExecutionRuntime, access: Access | undefined) => {
  try {
    return access && (await compareAccount(work, access));
  } catch (error) {
    // Each order finds out for itself.
    if (error instanceof BrokerLaterError || error instanceof AccessRefusedError) return undefined;
    throw error;
  }
};

/** Attends the due orders of one account, one after another. Stops when its broker does not answer. */
const attendAccount = async (work: ExecutionRuntime, orders: readonly OrderInHand[]): Promise<number> => {
  const [first] = orders;
  if (!first) return 0;
  const access = await findAccess(work, first);
  const listed = await listedOf(work, access);
  let done = 0;
  for (const order of orders) {
    if (!work.hasTime()) break;
    const attended = await unlessTaken(async () => {
      const taken = await takeOrder(work, order);
      const known = listed?.get(order.broker_client_id);
      return releaseOrder(work, await attendOrder(work, taken, access, { listed: known }));
    });
    done += 1;
    if (attended?.pauseMs !== undefined) break;
  }
  return done;
};

/**
 * Attends the orders that are due: those that are open at a broker, and those that a run left behind. A failing account does
 * not block the others.
 *
 * @returns the number of attended orders.
 * @throws AggregateError after all accounts, if some failed.
 */
export const followOrders = async (work: ExecutionRuntime): Promise<number> => {
  const due = await findDueOrders(work.store, work.clock().getTime(), MAX_DUE);
  const accounts = Map.groupBy(due, (order) => JSON.stringify([order.user_id, order.account_id]));
  const settled = await Promise.allSettled(
    [...accounts.values()].map((orders) => attendAccount(work, orders)),
  );
  const errors = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} accounts failed`);
  return settled.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0);
};
