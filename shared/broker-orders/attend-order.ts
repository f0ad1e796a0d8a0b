import {
  AccessRefusedError,
  BrokerLaterError,
  type BrokerOrder,
  UnreadableAnswerError,
} from '../channels/execution/execution-broker.ts';
import { noteConnectionStatus } from '../data/execution/connections.ts';
import { type OrderInHand, saveOrderInHand } from '../data/execution/orders-in-hand.ts';
import type { Access, ExecutionRuntime } from './execution-runtime.ts';
import { BROKER_DOUBTS } from './execution-runtime.ts';
import { haltRefused } from './halt-refused.ts';
import { leaseUntil } from './lease.ts';
import { settlePlacing } from './place-order.ts';
import { noteFill } from './protection/note-fill.ts';
import { protectTrades } from './protection/protect-trades.ts';
import { endUnplaced, followBroker, GIVEN_UP, reportMissing, sendReport } from './report-order.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** Orders of this age are followed closely: market orders fill within seconds. */
const YOUNG_MS = 2 * MINUTE_MS;
const YOUNG_PAUSE_MS = 5 * SECOND_MS;
const OLD_PAUSE_MS = MINUTE_MS;
/** Pause of orders whose account refuses the keys, or is not connected. */
const REFUSED_PAUSE_MS = 5 * MINUTE_MS;
/** Longest pause that a broker may ask for. */
const MAX_PAUSE_MS = 15 * MINUTE_MS;
/** Time after which an open order that the broker does not find is reported. */
const MISSING_MS = MINUTE_MS;

/** Time after which an order that was given up is looked for once more. */
const LOOK_AGAIN_MS = 10 * MINUTE_MS;

const DISCONNECTED = 'The account is not connected any more. Connect it again.';

/** An attended order, and the pause until the next attendance. */
interface Attended {
  readonly order: OrderInHand;
  readonly pauseMs?: number | undefined;
}

/** Follows an order that the broker has. */
const followOpen = async (
  work: ExecutionRuntime,
  order: OrderInHand,
  { broker }: Access,
  listed: BrokerOrder | undefined,
): Promise<OrderInHand> => {
  const id = order.broker_order_id;
  const toCancel = order.cancel !== undefined && order.report?.status !== 'cancel_pending';
  if (toCancel && id !== undefined) await broker.cancel(id);
  const found =
    (toCancel ? undefined : listed) ?? (await broker.findOrder(order.broker_client_id, order.broker_symbol));
  if (found) return followBroker(work, order, found);
  const now = work.clock().getTime();
  const since = order.missing_since ?? now;
  if (now < since + MISSING_MS || order.report?.status === 'unknown')
    return { ...order, missing_since: since };
  work.log.error(BROKER_DOUBTS.notFound, { deployment_id: order.deployment_id });
  return reportMissing(work, { ...order, missing_since: since });
};

/** Returns an order that no attempt can have placed. */
const certain = (order: OrderInHand): OrderInHand => ({ ...order, unsure_since: undefined });

/**
 * Looks once more for an order that was given up after an attempt without an answer. If the broker has it after all, it
 * is taken back and cancelled; what was filled counts.
 */
const lookAgain = async (
  work: ExecutionRuntime,
  order: OrderInHand,
  { broker }: Access,
): Promise<OrderInHand> => {
  const found = await broker.findOrder(order.broker_client_id, order.broker_symbol);
  if (!found) return certain(order);
  work.log.error(BROKER_DOUBTS.appearedLate, { deployment_id: order.deployment_id });
  return followBroker(work, { ...order, cancel: order.cancel ?? { reason: GIVEN_UP } }, found);
};

const go = (
  work: ExecutionRuntime,
  order: OrderInHand,
  access: Access,
  { isFirst, listed }: { readonly isFirst: boolean; readonly listed: BrokerOrder | undefined },
): Promise<OrderInHand> => {
  if (order.state === 'placing') return settlePlacing(work, order, access, { isFirst });
  return order.state === 'ended' ? lookAgain(work, order, access) : followOpen(work, order, access, listed);
};

const step = async (
  work: ExecutionRuntime,
  order: OrderInHand,
  access: Access | undefined,
  { isFirst, listed }: { readonly isFirst: boolean; readonly listed: BrokerOrder | undefined },
): Promise<Attended> => {
  if (order.state === 'ended' && order.unsure_since === undefined) return { order };
  if (!access) {
    if (isFirst) return { order: await endUnplaced(work, certain(order), 'rejected', DISCONNECTED) };
    work.log.error(BROKER_DOUBTS.disconnected, { deployment_id: order.deployment_id });
    return { order, pauseMs: REFUSED_PAUSE_MS };
  }
  try {
    const next = await go(work, order, access, { isFirst, listed });
    await noteConnectionStatus(work.store, access.connection, 'connected', work.clock());
    return { order: next };
  } catch (error) {
    if (error instanceof UnreadableAnswerError) {
      const { deployment_id } = order;
      work.log.warn('an answer of a broker cannot be read', { deployment_id, reason: error.message });
      return { order };
    }
    if (error instanceof BrokerLaterError) {
      work.log.warn('a broker does not answer', { reason: error.message });
      return { order, pauseMs: Math.min(error.retryAfterMs ?? YOUNG_PAUSE_MS, MAX_PAUSE_MS) };
    }
    if (!(error instanceof AccessRefusedError)) throw error;
    await haltRefused(work, order.deployment_id, access);
    if (!isFirst) return { order, pauseMs: REFUSED_PAUSE_MS };
    const reason = `${work.brokerName} refuses the keys of the account. Connect it again.`;
    return { order: await endUnplaced(work, certain(order), 'rejected', reason) };
  }
};

const dueAfter = (work: ExecutionRuntime, { order, pauseMs }: Attended): number | undefined => {
  const now = work.clock().getTime();
  if (order.lifting_since !== undefined && order.state === 'placing') {
    return now + Math.max(pauseMs ?? 0, YOUNG_PAUSE_MS);
  }
  if (order.state === 'ended') {
    return order.unsure_since === undefined ? undefined : now + Math.max(pauseMs ?? 0, LOOK_AGAIN_MS);
  }
  const usual = now - order.created_at < YOUNG_MS ? YOUNG_PAUSE_MS : OLD_PAUSE_MS;
  return now + Math.max(pauseMs ?? 0, usual);
};

/** Takes an order for this run alone. @throws OrderTakenError */
export const takeOrder = (work: ExecutionRuntime, order: OrderInHand): Promise<OrderInHand> =>
  saveOrderInHand(work.store, { ...order, due_at: leaseUntil(work) });

/** Ends the attendance of an order, and sets the time of the next one. */
export const releaseOrder = async (work: ExecutionRuntime, attended: Attended): Promise<Attended> => {
  const order = { ...attended.order, due_at: dueAfter(work, attended) };
  return { ...attended, order: await saveOrderInHand(work.store, order) };
};

/**
 * Does what is next for an order that this run has taken: sends an unsent report, places or cancels the order, takes over
 * its state at the broker.
 *
 * @param listed the order, if a list of open orders has it.
 * @throws OrderTakenError
 */
export const attendOrder = async (
  work: ExecutionRuntime,
  taken: OrderInHand,
  access: Access | undefined,
  { isFirst = false, listed }: { readonly isFirst?: boolean; readonly listed?: BrokerOrder | undefined } = {},
): Promise<Attended> => {
  let isNews = true;
  try {
    // A run that died in between left the fill to this one.
    const known = await noteFill(work, taken);
    const attended = await step(work, await sendReport(work, known), access, { isFirst, listed });
    isNews = attended.order.noted !== taken.noted;
    return attended;
  } finally {
    // Also if the bus does not take the report: a position must not wait for it.
    if (isNews) await protectTrades(work, taken, access);
  }
};
