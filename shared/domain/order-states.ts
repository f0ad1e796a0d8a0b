/** Statuses that an order can leave. */
const OPEN_ORDER_STATUSES = [
  'pending',
  'submitted',
  'open',
  'trigger_pending',
  'partially_filled',
  'cancel_pending',
  'unknown',
] as const;

/** Statuses that an order never leaves. */
export const FINAL_ORDER_STATUSES = ['filled', 'cancelled', 'rejected', 'expired'] as const;

export const ORDER_STATUSES = [...OPEN_ORDER_STATUSES, ...FINAL_ORDER_STATUSES] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

const FINAL: ReadonlySet<OrderStatus> = new Set(FINAL_ORDER_STATUSES);

export const isFinalOrderStatus = (status: OrderStatus): boolean => FINAL.has(status);

/** A status and where in the order's history it was reported. */
export interface ReportedStatus {
  readonly status: OrderStatus;
  readonly sequence: number;
}

/**
 * Which of two reports of one order tells its status, whichever came first: a final one before any other,
 * of two final ones the earlier (an order that was cancelled is not filled later), else the later.
 */
export const prevailingStatus = <R extends ReportedStatus>(left: R, right: R): R => {
  const final = isFinalOrderStatus(left.status);
  if (final !== isFinalOrderStatus(right.status)) return final ? left : right;
  const leftIsLater = left.sequence >= right.sequence;
  return leftIsLater === final ? right : left;
};
