import { compareSequences, type Sequence } from './sequence-input.ts';

export const ORDER_SIDES = ['buy', 'sell'] as const;
export const ORDER_TYPES = ['market', 'limit', 'stop', 'stop_limit'] as const;

/** Statuses that an order can leave. */
export const OPEN_ORDER_STATUSES = [
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

/** Returns whether a status is final. */
export const isFinalOrderStatus = (status: OrderStatus): boolean => FINAL.has(status);

/** A status and the sequence of its report. */
export interface ReportedStatus {
  readonly status: OrderStatus;
  readonly sequence: Sequence;
}

/** The status to show, and the other final status if the order was reported both filled and otherwise ended. */
export interface Prevailing<R extends ReportedStatus> {
  readonly shown: R;
  readonly hidden: R | undefined;
}

const earlier = <R extends ReportedStatus>(left: R, right: R): R =>
  compareSequences(left.sequence, right.sequence) <= 0 ? left : right;

const later = <R extends ReportedStatus>(left: R, right: R): R =>
  compareSequences(left.sequence, right.sequence) >= 0 ? left : right;

/** Returns the earliest report of an end. */
const firstEnd = <R extends ReportedStatus>(
  reports: readonly R[],
  isEnd: (status: OrderStatus) => boolean,
): R | undefined => {
  const ends = reports.filter(({ status }) => isEnd(status));
  return ends.length === 0 ? undefined : ends.reduce(earlier);
};

/**
 * Chooses the report that decides an order's status, in any order of arrival. A final status prevails over an open one,
 * an earlier end over a later one, and a full fill over any other end unless everything was taken back. Among open
 * statuses the latest counts.
 *
 * @param reports the known status, the hidden end if there is one, and the new report.
 * @param options.hasFills whether the latest report has a filled quantity.
 */
export const prevailingStatus = <R extends ReportedStatus>(
  reports: readonly [R, ...R[]],
  { hasFills }: { readonly hasFills: boolean },
): Prevailing<R> => {
  const filled = firstEnd(reports, (status) => status === 'filled');
  const ended = firstEnd(reports, (status) => status !== 'filled' && isFinalOrderStatus(status));
  if (filled && ended) {
    return hasFills ? { shown: filled, hidden: ended } : { shown: ended, hidden: filled };
  }
  return { shown: filled ?? ended ?? reports.reduce(later), hidden: undefined };
};
