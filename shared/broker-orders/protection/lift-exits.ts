import type { OrderInHand } from '../../data/execution/orders-in-hand.ts';
import {
  findProtection,
  findProtections,
  type Protection,
  saveProtection,
} from '../../data/execution/protections.ts';
import { type Decimal, zero } from '../../domain/money.ts';
import { type Access, BROKER_DOUBTS, type ExecutionRuntime } from '../execution-runtime.ts';
import { leaseUntil } from '../lease.ts';
import { attendProtection } from './attend-protection.ts';
import { isLifted, remainingOf, unclosedOf } from './figures.ts';
import { retryTaken } from './note-fill.ts';

/** Time after which exits that do not end are reported, in milliseconds. */
const SLOW_MS = 60_000;

/** Trades whose exits are lifted. */
export interface Lifted {
  /** Quantity that is open of them at the broker. */
  readonly open: Decimal;
  /** Quantity that lacks there, by fees and by what is below a step. */
  readonly taken: Decimal;
}

/** Exits of the trades that an order is to close. */
interface Lifting {
  /** True once none of them can fill any more. */
  readonly isDone: boolean;
  /** Undefined if the trades have no protection. */
  readonly lifted: Lifted | undefined;
}

/** Returns the protections whose exits an order has to wait for: that of the trade that it closes, and all if it closes more. */
const concerned = (found: readonly Protection[], closes: string, quantity: string): readonly Protection[] => {
  const live = found.filter(({ due_at }) => due_at !== undefined);
  const own = live.filter(({ entry }) => entry === closes);
  const [first] = own;
  return first && remainingOf(first).gte(quantity) ? own : live;
};

const liftOne = (
  work: ExecutionRuntime,
  protection: Protection,
  access: Access,
  closeId: string,
): Promise<Protection> =>
  retryTaken(async () => {
    const current = (await findProtection(work.store, protection)) ?? protection;
    const { lifted_for: known } = current;
    const lifted_for = known.includes(closeId) ? known : [...known, closeId];
    const next = { ...current, lifted_for, due_at: leaseUntil(work) };
    return attendProtection(work, await saveProtection(work.store, next, work.clock()), access);
  });

/**
 * Cancels the exits of the trades that an order closes, and waits for the broker's word for about two seconds. What an
 * exit fills meanwhile counts as the close. The exits may rest again once the order has ended.
 *
 * @throws AccessRefusedError, BrokerLaterError
 */
export const liftExits = async (
  work: ExecutionRuntime,
  order: OrderInHand,
  access: Access,
  closes: string,
): Promise<Lifting> => {
  const { facts, deployment_id } = order;
  if (!facts) return { isDone: true, lifted: undefined };
  const found = await findProtections(work.store, deployment_id, facts.symbol);
  const own = concerned(found, closes, facts.quantity);
  if (own.length === 0) return { isDone: true, lifted: undefined };
  const lifted: Protection[] = [];
  for (const protection of own) lifted.push(await liftOne(work, protection, access, order.client_order_id));
  const isDone = lifted.every(isLifted);
  const { lifting_since: since } = order;
  if (!isDone && since !== undefined && work.clock().getTime() > since + SLOW_MS) {
    work.log.error(BROKER_DOUBTS.notLifted, { deployment_id });
  }
  const open = lifted.reduce((sum, each) => sum.plus(unclosedOf(each)), zero());
  const taken = lifted.reduce((sum, each) => sum.plus(each.taken ?? '0'), zero());
  return { isDone, lifted: { open, taken } };
};
