import {
  ORDER_CANCEL_REQUESTED,
  ORDER_REQUESTED,
  POSITION_CLOSE_REQUESTED,
} from '../../shared/domain/orders/order-requests.ts';
import type { BusSource } from '../declaration.ts';

/** Source of the function: requests of the hub to execution adapters. */
export const BROKER_ORDERS_SOURCE: BusSource = {
  subscriptions: [
    { senders: 'hub', detailTypes: [ORDER_REQUESTED, ORDER_CANCEL_REQUESTED, POSITION_CLOSE_REQUESTED] },
  ],
  maxRetries: 2,
  finalErrors: ['ZodError', 'MalformedEventError'],
};
