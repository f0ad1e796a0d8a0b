import {
  type BrokerOrder,
  DuplicateOrderError,
  OrderRefusedError,
  type OrderToPlace,
  OutcomeUnknownError,
} from '../channels/execution/execution-broker.ts';
import { asDeployment } from '../data/deployments/deployments.ts';
import { asConnection } from '../data/execution/connections.ts';
import { type OrderInHand, saveOrderInHand } from '../data/execution/orders-in-hand.ts';
import { switchesIn, switchKeys, thrownSwitch } from '../data/switches/switches.ts';
import { itemWith } from '../data/table/items.ts';
import { keys } from '../data/table/keys.ts';
import { decimal, toText, zero } from '../domain/money.ts';
import { ADAPTER_FACTS } from '../domain/orders/execution-adapters.ts';
import { refusalOf } from '../domain/orders/order-admission.ts';
import {
  isPlacing,
  type PlacingRequest,
  POSITION_CLOSE_REQUESTED,
} from '../domain/orders/order-request-schema.ts';
import { haltForMissing } from '../lifecycle/missing-position.ts';
import { readOverallTrip } from '../lifecycle/overall-risk.ts';
import type { Access, ExecutionRuntime } from './execution-runtime.ts';
import { leaseUntil } from './lease.ts';
import { lackingBy, smaller } from './protection/figures.ts';
import { type Lifted, liftExits } from './protection/lift-exits.ts';
import { endUnplaced, followBroker } from './report-order.ts';

/** Time in which an order may still appear at the broker after an attempt without an answer, in milliseconds. */
const APPEARS_WITHIN_MS = 60_000;

/** Time in which a new order is sent without a check that no other run has taken it, in milliseconds. */
const FRESH_MS = 5_000;

/** Time in which a close waits for the cancel of an entry against it, in milliseconds. */
const UNBLOCKED_WITHIN_MS = 60_000;

/**
 * Reads consistently why an order must not leave; undefined if it may. Runs right before it leaves, so that nothing that
 * was stopped meanwhile is placed.
 */
const readRefusal = async (
  work: ExecutionRuntime,
  order: OrderInHand,
  request: PlacingRequest,
  { connection }: Access,
): Promise<string | undefined> => {
  if (order.cancel) return order.cancel.reason;
  const own = {
    deployment: keys.deployment(order.deployment_id),
    connection: keys.executionConnection(order.user_id, order.account_id),
  };
  const items = await work.store.getMany([...Object.values(own), ...switchKeys(order)], { consistent: true });
  const deployment = asDeployment(itemWith(items, own.deployment));
  const refused = refusalOf(request, {
    status: deployment?.status,
    thrown: thrownSwitch(switchesIn(items, order))?.reason,
    tripped: await readOverallTrip(work.store, deployment, work.clock()),
    now: work.clock(),
  });
  if (refused !== undefined) return refused;
  const isConnected =
    asConnection(itemWith(items, own.connection))?.connection_id === connection.connection_id;
  return isConnected ? undefined : 'The account was disconnected.';
};

/** Quantity of an order, and what lacks for it in the position. */
interface Sized {
  readonly quantity: string;
  readonly taken?: string;
}

/**
 * Returns the quantity that a close orders: never more than the account holds, so that it opens nothing. Brokers take
 * fees on crypto assets from the position, and the owner may have closed a part by hand. Zero if other orders hold the
 * position; undefined if there is no such position.
 */
const closableQuantity = async (
  { broker_symbol: symbol, asset_class, facts }: OrderInHand,
  { broker }: Access,
  lifted: Lifted | undefined,
): Promise<Sized | undefined> => {
  const position = await broker.findPosition(symbol);
  const isOther = position?.side !== (facts?.side === 'sell' ? 'long' : 'short');
  if (!position || isOther) return undefined;
  const asked = decimal(facts?.quantity ?? '0');
  const wanted = lifted ? smaller(asked, lifted.open) : asked;
  // A portion of a position lacks the fees of the whole. What exits have filled does not lack.
  const known = smaller(lifted?.taken ?? zero(), asked.minus(wanted));
  const more = asset_class === 'crypto' ? lackingBy(wanted, asked, position) : zero();
  const taken = known.plus(more);
  return {
    quantity: toText(smaller(decimal(position.available), wanted)),
    ...(taken.gt(0) && { taken: toText(taken) }),
  };
};

/** Result of what has to happen before a close is placed. */
interface Prepared {
  /** Its trades, by what their protection knows; undefined without one. */
  readonly lifted?: Lifted | undefined;
  /** True while the broker's word on exits is awaited. */
  readonly isWaiting?: true;
}

/** Lifts the exits of the trades that a close ends. Nothing is lifted for an order that must not leave. */
const prepareClose = async (
  work: ExecutionRuntime,
  order: OrderInHand,
  request: PlacingRequest,
  access: Access,
): Promise<Prepared> => {
  if (request.type !== POSITION_CLOSE_REQUESTED) return {};
  if ((await readRefusal(work, order, request, access)) !== undefined) return {};
  const { isDone, lifted } = await liftExits(work, order, access, request.detail.closes);
  return isDone ? { lifted } : { isWaiting: true };
};

const toPlace = (order: OrderInHand, { detail }: PlacingRequest, quantity: string): OrderToPlace => ({
  clientOrderId: order.broker_client_id,
  symbol: order.broker_symbol,
  assetClass: order.asset_class,
  side: detail.side,
  type: detail.order_type,
  quantity,
  limitPrice: 'price' in detail ? detail.price : undefined,
  stopPrice: 'trigger_price' in detail ? detail.trigger_price : undefined,
  timeInForce: detail.time_in_force,
});

/** Places an order once. Returns undefined if the outcome has to be looked up later. */
const attempt = async ({ broker }: Access, wanted: OrderToPlace): Promise<BrokerOrder | undefined> => {
  try {
    return await broker.place(wanted);
  } catch (error) {
    if (error instanceof DuplicateOrderError) return broker.findOrder(wanted.clientOrderId, wanted.symbol);
    if (error instanceof OutcomeUnknownError) return undefined;
    throw error;
  }
};

/**
 * Places an order that is not known to be at the broker, or ends it with a reason. An earlier attempt may have placed it,
 * so it is looked up first. An order that must not leave ends only when no earlier attempt can appear any more.
 *
 * @param options.isFirst true if no attempt was made before.
 * @throws OrderTakenError, AccessRefusedError, BrokerLaterError
 */
export const settlePlacing = async (
  work: ExecutionRuntime,
  before: OrderInHand,
  access: Access,
  { isFirst }: { readonly isFirst: boolean },
): Promise<OrderInHand> => {
  const { request } = before;
  if (!request || !isPlacing(request)) {
    return endUnplaced(work, before, 'cancelled', before.cancel?.reason ?? 'There is no order to place.');
  }
  const unsureSince = isFirst ? undefined : before.unsure_since;
  if (!isFirst) {
    const found = await access.broker.findOrder(before.broker_client_id, before.broker_symbol);
    if (found) return followBroker(work, before, found);
  }
  const mayAppear = unsureSince !== undefined && work.clock().getTime() < unsureSince + APPEARS_WITHIN_MS;
  const end = async (status: 'cancelled' | 'rejected', reason: string): Promise<OrderInHand> =>
    mayAppear
      ? { ...before, unsure_since: unsureSince }
      : endUnplaced(work, { ...before, unsure_since: unsureSince }, status, reason);

  const isClose = request.type === POSITION_CLOSE_REQUESTED;
  const waiting = (): OrderInHand => ({
    ...before,
    unsure_since: unsureSince,
    lifting_since: before.lifting_since ?? work.clock().getTime(),
  });
  const { lifted, isWaiting } = await prepareClose(work, before, request, access);
  if (isWaiting) return waiting();
  const sized = isClose ? await closableQuantity(before, access, lifted) : request.detail;
  const refused = await readRefusal(work, before, request, access);
  if (refused !== undefined) return end('cancelled', refused);
  if (lifted?.open.eq(0)) return end('cancelled', 'An exit at the broker has closed the trade.');
  if (!sized) {
    // An earlier attempt may have closed it.
    if (!mayAppear) await haltForMissing(work, before.deployment_id, request.detail.symbol);
    return end('cancelled', `The account at ${work.brokerName} holds no such position.`);
  }
  const { quantity, taken } = { taken: undefined, ...sized };
  if (decimal(quantity).eq(0)) {
    // The account frees a position moments after the end of the exits that held it.
    const isFreed =
      lifted && work.clock().getTime() < (before.lifting_since ?? Infinity) + UNBLOCKED_WITHIN_MS;
    return isFreed ? waiting() : end('cancelled', `Other orders at ${work.brokerName} hold the position.`);
  }
  const now = work.clock().getTime();
  const { appearsWithinMs } = ADAPTER_FACTS[work.adapter.name];
  // A second order with the same id would be another one.
  if (unsureSince !== undefined && now < unsureSince + appearsWithinMs) return before;
  const asked = { ...before, taken, requested_at: before.requested_at ?? now };
  // A slow run may have lost the order to another one, which places it too.
  const isFresh = isFirst && now < before.created_at + FRESH_MS;
  const order = isFresh
    ? asked
    : await saveOrderInHand(work.store, { ...asked, unsure_since: now, due_at: leaseUntil(work) });
  try {
    const placed = await attempt(access, toPlace(order, request, quantity));
    return placed ? await followBroker(work, order, placed) : order;
  } catch (error) {
    if (error instanceof OrderRefusedError) {
      const isEarly = work.clock().getTime() < order.created_at + UNBLOCKED_WITHIN_MS;
      // The account would ask for the close again at its next bar only.
      const isWaiting = isClose && error.isBlocked && isEarly;
      if (mayAppear || isWaiting) return { ...order, unsure_since: unsureSince };
      return endUnplaced(work, { ...order, unsure_since: unsureSince }, 'rejected', error.reason);
    }
    throw error;
  }
};
