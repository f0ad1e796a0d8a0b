/** Types of the events that ask an execution adapter for something. */
export const ORDER_REQUESTED = 'Order Requested';
export const ORDER_CANCEL_REQUESTED = 'Order Cancel Requested';
export const POSITION_CLOSE_REQUESTED = 'Position Close Requested';

/** Highest `sequence` that the hub itself gives to a report on an order. Adapters use higher ones. */
export const MAX_HUB_SEQUENCE = 9;
