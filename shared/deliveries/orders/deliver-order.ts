import { putEvent } from '../../channels/bus.ts';
import { asStoredOrder, orderKey } from '../../data/books/orders.ts';
import { asDeployment } from '../../data/deployments/deployments.ts';
import type { Delivery } from '../../data/outbox/deliveries.ts';
import type { MessageOf } from '../../data/outbox/messages.ts';
import { switchesIn, switchKeys, thrownSwitch } from '../../data/switches/switches.ts';
import { itemWith } from '../../data/table/items.ts';
import { keys } from '../../data/table/keys.ts';
import { refusalOf } from '../../domain/orders/order-admission.ts';
import {
  isPlacing,
  ORDER_CANCEL_REQUESTED,
  type OrderRequest,
  orderRequestSchema,
  type PlacingRequest,
  PROTECTION_REQUESTED,
} from '../../domain/orders/order-request-schema.ts';
import { isFinalOrderStatus, type OrderStatus } from '../../domain/orders/order-states.ts';
import { readOverallTrip } from '../../lifecycle/overall-risk.ts';
import { ORDER_UPDATED } from '../../lifecycle/reports/report.ts';
import { takeReport } from '../../lifecycle/reports/take-report.ts';
import type { Runtime } from '../../runtime.ts';
import { deliverBy, type Send } from '../attempt.ts';
import { NewerMessageError } from '../failures.ts';

const newer = (): NewerMessageError => new NewerMessageError('of a kind that this version does not know');

const parse = ({ request }: MessageOf<'order_request'>): OrderRequest => {
  const { data } = orderRequestSchema.safeParse(request);
  if (!data) throw newer();
  return data;
};

/** Ends an order that never left, for the order book and for the account. */
const cancelUnsent = (runtime: Runtime, { detail }: PlacingRequest, reason: string): Promise<void> => {
  const { deployment_id, client_order_id, symbol, side, order_type, quantity } = detail;
  return takeReport(
    runtime,
    ORDER_UPDATED.ofHub({
      deployment_id,
      client_order_id,
      sequence: 1,
      occurred_at: runtime.clock().toISOString(),
      symbol,
      side,
      order_type,
      quantity,
      status: 'cancelled',
      status_message: reason,
      filled_quantity: '0',
      fees: '0',
    }),
  );
};

/** Lets the adapter cancel an order that an earlier attempt may have sent. The adapter reports its end. */
const cancelSent = async (
  runtime: Runtime,
  { detail }: PlacingRequest,
  { deliveryId, reason }: { readonly deliveryId: string; readonly reason: string },
): Promise<void> => {
  const { version, deployment_id, client_order_id, symbol, broker_symbol, adapter, account } = detail;
  await putEvent(runtime, {
    detailType: ORDER_CANCEL_REQUESTED,
    detail: {
      version,
      deployment_id,
      client_order_id,
      symbol,
      ...(broker_symbol !== undefined && { broker_symbol }),
      adapter,
      account,
      occurred_at: runtime.clock().toISOString(),
      reason,
    },
    deliveryId,
  });
};

/** An order that has ended is neither placed nor cancelled; a cancel may overtake its order. Levels are of one that fills. */
const isNeeded = (type: OrderRequest['type'], status: OrderStatus | undefined): boolean => {
  if (type === PROTECTION_REQUESTED) return true;
  if (type === ORDER_CANCEL_REQUESTED) return status === undefined || !isFinalOrderStatus(status);
  return status === 'pending';
};

/**
 * Reads consistently whether a request may leave: its deployment, its order and the kill switches. Runs right before it leaves, so that
 * nothing stopped meanwhile is sent.
 */
const readAdmission = async (
  { store, clock }: Runtime,
  { user_id, broker_id }: MessageOf<'order_request'>,
  { type, detail }: OrderRequest,
) => {
  const own = { deployment: keys.deployment(detail.deployment_id), order: orderKey(detail) };
  const scope = { user_id, broker_id };
  const items = await store.getMany([...Object.values(own), ...switchKeys(scope)], { consistent: true });
  const order = asStoredOrder(itemWith(items, own.order));
  const deployment = asDeployment(itemWith(items, own.deployment));
  return {
    isNeeded: isNeeded(type, order?.status),
    status: deployment?.status,
    tripped: await readOverallTrip(store, deployment, clock()),
    thrown: thrownSwitch(switchesIn(items, scope))?.reason,
    now: clock(),
  };
};

/**
 * Puts a request on the bus for the execution adapter, unless it must not leave any more: then its order is cancelled
 * with the reason.
 */
const send: Send = async (runtime, { delivery_id: deliveryId, message, attempts }: Delivery) => {
  if (message?.kind !== 'order_request') throw newer();
  const request = parse(message);
  const { isNeeded: isWanted, ...admission } = await readAdmission(runtime, message, request);
  if (!isWanted) return true;
  const reason = refusalOf(request, admission);
  if (reason === undefined || !isPlacing(request)) {
    const { type, detail } = message.request;
    await putEvent(runtime, { detailType: type, detail, deliveryId });
    return true;
  }
  const { deployment_id, client_order_id } = request.detail;
  runtime.log.warn('an order does not leave', { deployment_id, client_order_id, reason });
  if (attempts === 1) await cancelUnsent(runtime, request, reason);
  else await cancelSent(runtime, request, { deliveryId, reason });
  return true;
};

/** Makes one attempt at a request to an execution adapter. */
export const deliverOrder = deliverBy(send);
