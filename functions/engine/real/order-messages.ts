import type { TradingDeployment } from '../../../shared/data/deployments/deployments.ts';
import type { Message } from '../../../shared/data/outbox/messages.ts';
import { timeframeLength } from '../../../shared/domain/deployments/engines.ts';
import { AccountFaultError } from '../../../shared/domain/engine/running/account-fault.ts';
import type { RealRequest } from '../../../shared/domain/engine/running/real-requests.ts';
import type { EngineFacts } from '../../../shared/domain/orders/order-record.ts';
import type { OrderRequest } from '../../../shared/domain/orders/order-request-schema.ts';
import {
  ORDER_CANCEL_REQUESTED,
  ORDER_REQUESTED,
  POSITION_CLOSE_REQUESTED,
  PROTECTION_REQUESTED,
} from '../../../shared/domain/orders/order-request-schema.ts';
import { type BooksReport, ORDER_UPDATED } from '../../../shared/lifecycle/reports/report.ts';

const DAY_MS = 86_400_000;
/** Timeframes after its close for which a bar raises orders. */
const ORDER_BARS = 2;

/** Returns the start of the oldest bar that raises orders. */
export const freshFrom = ({ timeframe }: Pick<TradingDeployment, 'timeframe'>, now: Date): number =>
  now.getTime() - (1 + ORDER_BARS) * timeframeLength(timeframe);

/** Returns the report that enters a request into the order book; undefined for a cancel, which the adapter reports. */
export const reportOf = (
  { deployment_id }: TradingDeployment,
  request: RealRequest,
  now: Date,
): BooksReport | undefined => {
  if (request.kind === 'cancel' || request.kind === 'protect') return undefined;
  const { client_order_id, symbol, side, order_type, quantity, expected_price, status_message } = request;
  const { price, trigger_price, stop_loss, take_profit } = request;
  const isDropped = request.kind === 'dropped';
  return ORDER_UPDATED.ofHub({
    deployment_id,
    occurred_at: now.toISOString(),
    client_order_id,
    sequence: 0,
    symbol,
    side,
    order_type,
    quantity,
    price,
    trigger_price,
    stop_loss,
    take_profit,
    expected_price,
    status: isDropped ? 'cancelled' : 'pending',
    status_message,
    filled_quantity: '0',
    fees: '0',
  });
};

/** Returns the facts of the order of a request that its report does not have. */
export const factsOf = (request: RealRequest | undefined): EngineFacts | undefined => {
  if (request?.kind === 'entry') return request.alert && { received_at: request.alert.received_at };
  if (request?.kind !== 'close') return undefined;
  const { reason, alerted_at: received_at } = request;
  return { exit_reason: reason, ...(received_at !== undefined && { received_at }) };
};

/** Returns the time until which an order may leave. */
const validUntil = (
  { timeframe }: TradingDeployment,
  request: Extract<RealRequest, { readonly kind: 'entry' | 'close' }>,
  now: Date,
): number => {
  const bars = (1 + ORDER_BARS) * timeframeLength(timeframe);
  if (request.kind === 'entry') return request.alert?.until ?? request.at + bars;
  if (request.flatten) return now.getTime() + DAY_MS;
  return (request.alerted_at === undefined ? request.at : now.getTime()) + bars;
};

const requestOf = (
  deployment: TradingDeployment,
  request: Exclude<RealRequest, { readonly kind: 'dropped' }>,
  now: Date,
): OrderRequest => {
  const { deployment_id, execution } = deployment;
  if (!execution) throw new AccountFaultError('the deployment has no account for its orders');
  const { client_order_id, symbol } = request;
  const { adapter, account } = execution;
  const common = {
    version: 1 as const,
    deployment_id,
    client_order_id,
    symbol,
    adapter,
    account,
    occurred_at: now.toISOString(),
  };
  if (request.kind === 'cancel') {
    return { type: ORDER_CANCEL_REQUESTED, detail: { ...common, reason: request.status_message } };
  }
  if (request.kind === 'protect') {
    const { number, stop, target } = request;
    return {
      type: PROTECTION_REQUESTED,
      detail: {
        ...common,
        number,
        ...(stop !== undefined && { stop }),
        ...(target !== undefined && { target }),
      },
    };
  }
  const { side, quantity, expected_price, order_type, price, trigger_price } = request;
  const placing = {
    side,
    quantity,
    expected_price,
    time_in_force: order_type === 'market' ? ('day' as const) : ('gtc' as const),
    valid_until: new Date(validUntil(deployment, request, now)).toISOString(),
  };
  if (request.kind === 'close') {
    const { closes, flatten, status_message } = request;
    return {
      type: POSITION_CLOSE_REQUESTED,
      detail: {
        ...common,
        ...placing,
        order_type: 'market',
        closes,
        reason: status_message ?? 'exit',
        flatten,
      },
    };
  }
  return {
    type: ORDER_REQUESTED,
    detail: {
      ...common,
      ...placing,
      order_type,
      ...(price !== undefined && { price }),
      ...(trigger_price !== undefined && { trigger_price }),
      protection: request.protection,
    },
  };
};

/** Returns the message of a request to the execution adapter; none for an order that is not requested. */
export const messagesOf = (deployment: TradingDeployment, request: RealRequest, now: Date): Message[] => {
  if (request.kind === 'dropped') return [];
  const { user_id, broker_id } = deployment;
  return [
    {
      kind: 'order_request',
      user_id,
      ...(broker_id !== undefined && { broker_id }),
      request: requestOf(deployment, request, now),
    },
  ];
};
