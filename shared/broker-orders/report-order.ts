import type { BrokerOrder } from '../channels/execution/execution-broker.ts';
import { type OrderInHand, saveOrderInHand } from '../data/execution/orders-in-hand.ts';
import { decimal, scaled, toText } from '../domain/money.ts';
import { isFinalOrderStatus, type OrderStatus } from '../domain/orders/order-states.ts';
import { BROKER_DOUBTS, type ExecutionRuntime } from './execution-runtime.ts';
import { leaseUntil } from './lease.ts';
import { smaller } from './protection/figures.ts';
import { noteFill } from './protection/note-fill.ts';

/** Reason why an order is cancelled that appears at the broker after its end was reported. */
export const GIVEN_UP = 'The order reached the broker after it was given up.';

type Report = NonNullable<OrderInHand['report']>;

/** Returns the detail of the event `Order Updated`; undefined if the order has nothing to report. */
const detailOf = ({ facts, report, ...order }: OrderInHand) =>
  facts &&
  report && {
    version: 1,
    deployment_id: order.deployment_id,
    client_order_id: order.client_order_id,
    sequence: order.sequence,
    occurred_at: new Date(report.at).toISOString(),
    ...facts,
    quantity: report.quantity,
    status: report.status,
    filled_quantity: report.filled_quantity,
    ...(report.average_price !== null && { average_price: report.average_price }),
    fees: report.fees ?? '0',
    ...(order.requested_at !== undefined && { requested_at: new Date(order.requested_at).toISOString() }),
    ...(report.broker_order_id !== undefined && { broker_order_id: report.broker_order_id }),
    ...(report.status_message !== null && { status_message: report.status_message }),
  };

/** Puts the last report of an order on the bus, unless it is there. A repeat has the same sequence. */
export const sendReport = async (work: ExecutionRuntime, order: OrderInHand): Promise<OrderInHand> => {
  if (order.reported >= order.sequence) return order;
  const detail = detailOf(order);
  if (detail) await work.putReport(detail);
  return { ...order, reported: order.sequence };
};

const stateAt = ({ state }: OrderInHand, status: OrderStatus): OrderInHand['state'] =>
  isFinalOrderStatus(status) ? 'ended' : state;

/**
 * Stores the next report of an order, then sends it: a run that dies in between leaves the order due, and the next one
 * sends the same report.
 */
const report = async (work: ExecutionRuntime, order: OrderInHand, next: Report): Promise<OrderInHand> => {
  const saved = await saveOrderInHand(work.store, {
    ...order,
    state: stateAt(order, next.status),
    // A repeat is equal, whatever else the order learns meanwhile.
    report: { ...next, broker_order_id: order.broker_order_id },
    sequence: order.sequence + 1,
    due_at: leaseUntil(work),
  });
  // The protection of a trade knows a fill before the bus does.
  return sendReport(work, await noteFill(work, saved));
};

/** Ends an order that is not at the broker. @throws OrderTakenError */
export const endUnplaced = (
  work: ExecutionRuntime,
  order: OrderInHand,
  status: Extract<OrderStatus, 'cancelled' | 'rejected'>,
  message: string,
): Promise<OrderInHand> =>
  report(work, order, {
    status,
    quantity: order.facts?.quantity ?? '0',
    filled_quantity: '0',
    average_price: null,
    status_message: message,
    at: work.clock().getTime(),
  });

const messageOf = (
  { brokerName }: ExecutionRuntime,
  order: OrderInHand,
  { status, brokerStatus }: BrokerOrder,
): string | null => {
  if (brokerStatus === 'replaced')
    return `The order was replaced at ${brokerName}. The hub does not follow the new one.`;
  if (status === 'cancelled') return order.cancel?.reason ?? `The order was cancelled at ${brokerName}.`;
  if (status === 'rejected') return `${brokerName} rejected the order.`;
  return status === 'expired' ? `The order expired at ${brokerName}.` : null;
};

/**
 * Completes a close that was smaller than its trade, because the broker took fees from the position. The books would keep a
 * position that is not there, and close it again and again. What is lacking counts as fees.
 */
const withTakenFees = ({ facts, taken }: OrderInHand, found: BrokerOrder): BrokerOrder => {
  const { status, filledQuantity, averagePrice } = found;
  if (!facts || taken === undefined || status !== 'filled' || averagePrice === null) return found;
  const whole = smaller(decimal(filledQuantity).plus(taken), decimal(facts.quantity));
  const lacking = whole.minus(filledQuantity);
  if (!lacking.gt(0)) return found;
  return {
    ...found,
    quantity: toText(whole),
    filledQuantity: toText(whole),
    fees: toText(scaled(lacking.times(averagePrice).plus(found.fees ?? '0'))),
  };
};

/** Takes over the state of an order at the broker, and reports what is new. @throws OrderTakenError */
export const followBroker = async (
  work: ExecutionRuntime,
  before: OrderInHand,
  answer: BrokerOrder,
): Promise<OrderInHand> => {
  const found = withTakenFees(before, answer);
  const order: OrderInHand = {
    ...before,
    state: 'open',
    broker_order_id: found.brokerOrderId,
    unsure_since: undefined,
    missing_since: undefined,
  };
  const known = before.report;
  const isStale = known !== undefined && decimal(found.filledQuantity).lt(known.filled_quantity);
  const isSame =
    known?.status === found.status &&
    known.filled_quantity === found.filledQuantity &&
    known.average_price === found.averagePrice;
  if (isStale) return order;
  if (isSame) return { ...order, state: stateAt(order, found.status) };
  if (found.brokerStatus === 'replaced') {
    work.log.error(BROKER_DOUBTS.replaced, { broker_order_id: found.brokerOrderId });
  }
  return report(work, order, {
    ...known,
    status: found.status,
    quantity: found.quantity,
    filled_quantity: found.filledQuantity,
    average_price: found.averagePrice,
    ...(found.fees !== undefined && { fees: found.fees }),
    status_message: messageOf(work, before, found),
    // The clock of the broker may be ahead.
    at: Math.min(found.updatedAt, work.clock().getTime()),
  });
};

/** Reports that the broker does not find an order that it had. @throws OrderTakenError */
export const reportMissing = (work: ExecutionRuntime, order: OrderInHand): Promise<OrderInHand> => {
  const known = order.report;
  return report(work, order, {
    ...known,
    status: 'unknown',
    quantity: known?.quantity ?? order.facts?.quantity ?? '0',
    filled_quantity: known?.filled_quantity ?? '0',
    average_price: known?.average_price ?? null,
    status_message: `${work.brokerName} does not find the order. Check the account there.`,
    at: work.clock().getTime(),
  });
};
