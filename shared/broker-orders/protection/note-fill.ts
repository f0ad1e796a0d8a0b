import { type OrderInHand, OrderTakenError } from '../../data/execution/orders-in-hand.ts';
import {
  createProtection,
  findProtection,
  findProtections,
  type Protection,
  saveProtection,
} from '../../data/execution/protections.ts';
import { decimal, toText } from '../../domain/money.ts';
import { ORDER_REQUESTED, POSITION_CLOSE_REQUESTED } from '../../domain/orders/order-request-schema.ts';
import { isFinalOrderStatus } from '../../domain/orders/order-states.ts';
import type { ProtectionTerms } from '../../domain/orders/protection-terms.ts';
import type { ExecutionRuntime } from '../execution-runtime.ts';
import { remainingOf, smaller } from './figures.ts';

const MAX_TRIES = 8;

/** Runs work on protections again while other runs change them. */
export const retryTaken = async <T>(run: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof OrderTakenError) || tries === MAX_TRIES) throw error;
    }
  }
};

/** Returns a protection for a trade whose entry an adapter has in hand. */
const newProtection = (
  order: OrderInHand,
  { symbol, side }: NonNullable<OrderInHand['facts']>,
  terms: ProtectionTerms,
  now: number,
): Protection => ({
  deployment_id: order.deployment_id,
  entry: order.client_order_id,
  user_id: order.user_id,
  ...(order.broker_id !== undefined && { broker_id: order.broker_id }),
  adapter: order.adapter,
  account_id: order.account_id,
  symbol,
  broker_symbol: order.broker_symbol,
  asset_class: order.asset_class,
  side: side === 'buy' ? 'long' : 'short',
  terms,
  moved: {},
  entered: '0',
  entry_price: '0',
  is_entry_over: false,
  closes: {},
  lifted_for: [],
  exited_before: '0',
  round: 1,
  next_exit: 1,
  exits: [],
  sums: {},
  reports: {},
  state: 'changing',
  reported: [],
  created_at: now,
  rev: 1,
  due_at: now,
});

type Report = NonNullable<OrderInHand['report']>;

const entered = (protection: Protection, { filled_quantity, average_price, status }: Report): Protection => {
  const isMore = decimal(filled_quantity).gt(protection.entered);
  return {
    ...protection,
    ...(isMore && { entered: filled_quantity, entry_price: average_price ?? protection.entry_price }),
    is_entry_over: protection.is_entry_over || isFinalOrderStatus(status),
  };
};

/** Takes the fills of an entry over into the protection of its trade, which begins with the first one. */
const noteEntry = (
  work: ExecutionRuntime,
  order: OrderInHand,
  report: Report,
  terms: ProtectionTerms,
): Promise<void> =>
  retryTaken(async () => {
    const { facts, deployment_id, client_order_id: entry } = order;
    if (!facts) return;
    const now = work.clock();
    const found = await findProtection(work.store, { deployment_id, symbol: facts.symbol, entry });
    if (found) {
      await saveProtection(work.store, { ...entered(found, report), due_at: now.getTime() }, now);
    } else if (report.filled_quantity !== '0') {
      const made = newProtection(order, facts, terms, now.getTime());
      await createProtection(work.store, entered(made, report), now);
    }
  });

/**
 * Takes the fills of a close over into the protections of the trades that it closes: that of the named order first, then
 * the oldest. Once it has ended, the exits of what is left may rest again.
 */
const noteClose = (
  work: ExecutionRuntime,
  { deployment_id, client_order_id: id, facts, broker_order_id: atBroker }: OrderInHand,
  { filled_quantity, status, quantity }: Report,
  closes: string,
): Promise<void> =>
  retryTaken(async () => {
    if (!facts) return;
    const now = work.clock();
    const found = await findProtections(work.store, deployment_id, facts.symbol);
    const isOwn = ({ entry }: Protection) => entry === closes;
    const sorted = found
      .filter(({ due_at }) => due_at !== undefined)
      .sort(
        (left, right) => Number(isOwn(right)) - Number(isOwn(left)) || left.created_at - right.created_at,
      );
    const isOver = isFinalOrderStatus(status);
    // Only with a single trade it is certain which one the rest of a close will end.
    const rests = !isOver && atBroker !== undefined && sorted.length === 1;
    let left = decimal(filled_quantity);
    for (const protection of sorted) {
      const { [id]: before = '0', ...others } = protection.closes;
      // A close books what the broker took from the position as its fees.
      const part = smaller(
        left,
        remainingOf(protection)
          .plus(before)
          .plus(protection.taken ?? '0'),
      );
      left = left.minus(part);
      const isLifted = protection.lifted_for.includes(id);
      const { [id]: rested, ...otherResting } = protection.resting ?? {};
      if (part.eq(before) && !isLifted && (rested === undefined || !isOver)) continue;
      const resting = rests
        ? { ...otherResting, [id]: toText(decimal(quantity).minus(filled_quantity)) }
        : otherResting;
      const next: Protection = {
        ...protection,
        closes: part.eq(0) ? others : { ...others, [id]: toText(part) },
        lifted_for:
          isOver || rests ? protection.lifted_for.filter((each) => each !== id) : protection.lifted_for,
        resting: Object.keys(resting).length === 0 ? undefined : resting,
        due_at: now.getTime(),
      };
      await saveProtection(work.store, next, now);
    }
  });

/** Returns whether the protection of a trade does not know the last report on an order. */
const hasNews = ({ noted, report }: OrderInHand): boolean =>
  report !== undefined &&
  (noted?.filled_quantity !== report.filled_quantity || noted.is_over !== isFinalOrderStatus(report.status));

/**
 * Hands the last report on an order to the protection of its trade. Safe to repeat: fills are cumulative. Calls no broker.
 */
export const noteFill = async (work: ExecutionRuntime, order: OrderInHand): Promise<OrderInHand> => {
  const { request, report } = order;
  if (!request || !report || !hasNews(order)) return order;
  if (request.type === ORDER_REQUESTED && request.detail.protection) {
    await noteEntry(work, order, report, request.detail.protection);
  } else if (request.type === POSITION_CLOSE_REQUESTED) {
    await noteClose(work, order, report, request.detail.closes);
  }
  const { filled_quantity, status } = report;
  return { ...order, noted: { filled_quantity, is_over: isFinalOrderStatus(status) } };
};
