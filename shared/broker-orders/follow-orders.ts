import { AccessRefusedError, BrokerLaterError } from '../channels/execution/execution-broker.ts';
import { findDueOrders, type OrderInHand, saveOrderInHand } from '../data/execution/orders-in-hand.ts';
import { ADAPTER_FACTS } from '../domain/orders/execution-adapters.ts';
import { attendOrder, releaseOrder, takeOrder } from './attend-order.ts';
import { compareAccount } from './compare-account.ts';
import { type Access, type ExecutionRuntime, findAccess } from './execution-runtime.ts';
import { followProtections } from './protection/follow-protections.ts';
import { unlessTaken } from './unless-taken.ts';

/** The most orders that are read at once. */
const MAX_DUE = 200;
/** Least and longest time for which the other orders of an account wait when its broker does not answer. */
const MIN_WAIT_MS = 5_000;
const MAX_WAIT_MS = 60_000;

/** Lists the open orders of an account, if that costs no more than a lookup of each. */
const listedOf = async (
  work: ExecutionRuntime,
  access: Access | undefined,
  orders: readonly OrderInHand[],
) => {
  if (!access || orders.length < ADAPTER_FACTS[work.adapter.name].lookupsPerList) return undefined;
  try {
    return await compareAccount(work, access);
  } catch (error) {
    // Each order finds out for itself.
    if (error instanceof BrokerLaterError || error instanceof AccessRefusedError) return undefined;
    throw error;
  }
};

/** Lets the orders of an account that cannot be attended wait, so that they do not hold up those of other accounts. */
const postpone = async (
  work: ExecutionRuntime,
  orders: readonly OrderInHand[],
  pauseMs: number,
): Promise<void> => {
  const due_at = work.clock().getTime() + Math.min(Math.max(pauseMs, MIN_WAIT_MS), MAX_WAIT_MS);
  await Promise.all(
    orders.map((order) => unlessTaken(() => saveOrderInHand(work.store, { ...order, due_at }))),
  );
};

/** Opens an account, and lists its open orders. Its orders wait if that fails. */
const openAccount = async (
  work: ExecutionRuntime,
  first: OrderInHand,
  orders: readonly OrderInHand[],
): Promise<{
  readonly access: Access | undefined;
  readonly listed: Awaited<ReturnType<typeof listedOf>>;
}> => {
  try {
    const access = await findAccess(work, first);
    return { access, listed: await listedOf(work, access, orders) };
  } catch (error) {
    await postpone(work, orders, MAX_WAIT_MS);
    throw error;
  }
};

/**
 * Attends the due orders of one account, one after another. Stops when its broker does not answer. An order at which the
 * hub fails does not block the others: its lease ends by itself.
 */
const attendAccount = async (work: ExecutionRuntime, orders: readonly OrderInHand[]): Promise<number> => {
  const [first] = orders;
  if (!first) return 0;
  let done = 0;
  const errors: unknown[] = [];
  const { access, listed } = await openAccount(work, first, orders);
  for (const order of orders) {
    if (!work.hasTime()) break;
    done += 1;
    try {
      const attended = await unlessTaken(async () => {
        const taken = await takeOrder(work, order);
        const known = listed?.get(order.broker_client_id);
        return releaseOrder(work, await attendOrder(work, taken, access, { listed: known }));
      });
      if (attended?.pauseMs === undefined) continue;
      await postpone(work, orders.slice(done), attended.pauseMs);
      break;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} orders failed`);
  return done;
};

/**
 * Attends the orders that are due: those that are open at a broker, and those that a run left behind. Goes on while it finds
 * full pages. A failing account, or an order that cannot be read, does not block the others.
 *
 * @returns the number of attended orders.
 * @throws AggregateError after all accounts, if some failed or an order cannot be read.
 */
const followDueOrders = async (work: ExecutionRuntime): Promise<number> => {
  const errors: unknown[] = [];
  let done = 0;
  let goesOn: boolean;
  do {
    let damaged = 0;
    const due = await findDueOrders(work.store, work.adapter.name, {
      before: work.clock().getTime(),
      limit: MAX_DUE,
      onDamaged: (error) => {
        damaged += 1;
        errors.push(error);
      },
    });
    const accounts = Map.groupBy(due, (order) => JSON.stringify([order.user_id, order.account_id]));
    const settled = await Promise.allSettled(
      [...accounts.values()].map((orders) => attendAccount(work, orders)),
    );
    errors.push(...settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
    done += settled.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0);
    goesOn = due.length + damaged === MAX_DUE && settled.some(({ status }) => status === 'fulfilled');
  } while (goesOn && work.hasTime());
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} accounts or orders failed`);
  return done;
};

/**
 * Follows what is due at the brokers of an adapter: orders, then the exits of open trades, also if orders fail: a position
 * must not be without its stop because of them.
 *
 * @returns the number of orders and protections that were due.
 * @throws AggregateError after all accounts.
 */
export const followOrders = async (work: ExecutionRuntime): Promise<number> => {
  const errors: unknown[] = [];
  let done = 0;
  for (const follow of [followDueOrders, followProtections]) {
    try {
      done += await follow(work);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'orders or exits failed');
  return done;
};
