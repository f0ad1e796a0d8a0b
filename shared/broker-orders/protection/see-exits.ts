import type { BrokerOrder, BrokerPosition } from '../../channels/execution/execution-broker.ts';
import type { Protection, ProtectiveExit, ProtectiveLeg } from '../../data/execution/protections.ts';
import { decimal, toText } from '../../domain/money.ts';
import { isFinalOrderStatus } from '../../domain/orders/order-states.ts';
import type { ProtectiveLevel } from '../../domain/orders/protective-ids.ts';
import { withUnknownOf } from '../../domain/unknown-fields.ts';
import { type Access, BROKER_DOUBTS, type ExecutionRuntime } from '../execution-runtime.ts';
import { fillsOfLeg, legsOf } from './figures.ts';

/** Open orders and positions of an account, as listed at one time. */
export interface Listed {
  readonly byClientId: ReadonlyMap<string, BrokerOrder>;
  readonly byBrokerId: ReadonlyMap<string, BrokerOrder>;
  readonly positions: readonly BrokerPosition[];
}

/** Time after which an order that the broker does not find counts as ended, in milliseconds. */
const MISSING_MS = 60_000;
/** Replacements of an order that are followed at once. */
const MAX_REPLACED = 8;

/** Fields of an exit whose last move was not refused. */
const UNREFUSED = { refusals: undefined, refused_at: undefined } as const;

type Find = (brokerOrderId: string) => Promise<BrokerOrder | undefined>;

const levelOf = ({ type, stopPrice }: BrokerOrder): ProtectiveLevel => {
  if (stopPrice !== null || type.startsWith('stop')) return 'stop';
  return type === 'market' ? 'close' : 'target';
};

const priceOf = ({ stopPrice, limitPrice }: BrokerOrder): string | null => stopPrice ?? limitPrice;

const legOf = (order: BrokerOrder, known: ProtectiveLeg | undefined): ProtectiveLeg => {
  const isSameOrder = known?.broker_order_id === order.brokerOrderId;
  // A stale answer has a smaller fill.
  const isStale = isSameOrder && decimal(order.filledQuantity).lt(known.filled);
  if (isStale) return known;
  const leg: ProtectiveLeg = {
    broker_order_id: order.brokerOrderId,
    status: order.status,
    filled: order.filledQuantity,
    average_price: order.averagePrice,
    ...(order.fees !== undefined && { fees: order.fees }),
    price: priceOf(order) ?? known?.price ?? null,
    at: order.updatedAt,
    ...(known?.before && { before: known.before }),
    ...(isSameOrder && known.was && { was: known.was }),
  };
  return isSameOrder ? withUnknownOf(known, leg) : leg;
};

/** Returns the fills that stay with a replaced order, and with those before it. */
const keptBy = (
  exit: ProtectiveExit,
  was: Pick<ProtectiveLeg, 'before' | 'filled' | 'average_price' | 'fees'>,
  next: BrokerOrder,
): ProtectiveLeg['before'] => {
  const { filled, value, fees } = fillsOfLeg(was);
  // Some brokers count the fills of the replaced order on.
  const isCarried = decimal(next.filledQuantity).gte(was.filled) && decimal(next.quantity).gte(exit.quantity);
  if (filled.eq(0) || isCarried) return was.before;
  return { filled: toText(filled), value: toText(value), fees: toText(fees) };
};

/** Returns an exit whose order of a level was replaced. What the replaced one filled still counts. */
const withReplaced = (
  exit: ProtectiveExit,
  level: ProtectiveLevel,
  { was, next }: { readonly was: ProtectiveLeg; readonly next: BrokerOrder },
): ProtectiveExit => {
  const before = keptBy(exit, was, next);
  const leg: ProtectiveLeg = {
    ...legOf(next, undefined),
    ...(before && { before }),
    // Until it works, the broker may reject it, and the replaced order may fill.
    was: { broker_order_id: was.broker_order_id, ...(was.before && { before: was.before }) },
  };
  return { ...exit, legs: { ...exit.legs, [level]: leg } };
};

/** Returns an exit whose replacement the broker has rejected: the order before it goes on. */
const withRejected = (
  exit: ProtectiveExit,
  level: ProtectiveLevel,
  old: BrokerOrder,
  { was, now }: { readonly was: NonNullable<ProtectiveLeg['was']>; readonly now: number },
): ProtectiveExit => {
  const leg = { ...legOf(old, undefined), ...(was.before && { before: was.before }) };
  return {
    ...exit,
    ...(level !== 'close' && leg.price !== null && { [level]: leg.price }),
    refusals: (exit.refusals ?? 0) + 1,
    refused_at: now,
    legs: { ...exit.legs, [level]: leg },
  };
};

/** Takes over how a replacement ended that the broker had only accepted. */
const settleReplacing = async (
  work: ExecutionRuntime,
  exit: ProtectiveExit,
  level: ProtectiveLevel,
  order: BrokerOrder,
  find: Find,
): Promise<ProtectiveExit> => {
  const leg = exit.legs[level];
  const old = leg?.was && (await find(leg.was.broker_order_id));
  if (!leg?.was || !old) return exit;
  if (order.status === 'rejected' && order.filledQuantity === '0') {
    work.log.warn('a broker rejected the move of an exit', { broker_order_id: order.brokerOrderId });
    return withRejected(exit, level, old, { was: leg.was, now: work.clock().getTime() });
  }
  const before = keptBy(exit, { ...legOf(old, undefined), before: leg.was.before }, order);
  const { was, before: _, ...rest } = leg;
  const isOver = order.status !== 'submitted';
  const next = { ...rest, ...(before && { before }), ...(!isOver && { was }) };
  return { ...exit, ...(isOver && UNREFUSED), legs: { ...exit.legs, [level]: next } };
};

const isAllFinal = (exit: ProtectiveExit): boolean => {
  const legs = legsOf(exit);
  return legs.length > 0 && legs.every(({ status, was }) => isFinalOrderStatus(status) && !was);
};

const stateAfter = (exit: ProtectiveExit): ProtectiveExit => ({
  ...exit,
  state: isAllFinal(exit) ? 'ended' : 'open',
  // Nothing is replaced of an exit that has ended.
  ...(isAllFinal(exit) && { move: undefined }),
});

/** Takes over an order of an exit, with the further ones of an OCO. */
export const adopt = (exit: ProtectiveExit, order: BrokerOrder): ProtectiveExit => {
  let next = exit;
  for (const each of [order, ...order.legs]) {
    const level = exit.kind === 'close' ? 'close' : levelOf(each);
    const known = next.legs[level];
    if (known && known.broker_order_id !== each.brokerOrderId) continue;
    next = { ...next, legs: { ...next.legs, [level]: legOf(each, known) } };
  }
  return stateAfter(next);
};

/** Returns an exit after a move of the hub that the broker has taken. */
export const movedTo = (exit: ProtectiveExit, order: BrokerOrder): ProtectiveExit => {
  const { move } = exit;
  const was = move && exit.legs[move.level];
  if (!move || !was) return exit;
  const moved = { ...exit, [move.level]: move.price, move: undefined };
  // A move that changes nothing at the broker makes no other order.
  if (was.broker_order_id === order.brokerOrderId) return { ...moved, ...UNREFUSED };
  return stateAfter(withReplaced(moved, move.level, { was, next: order }));
};

/** An exit as seen, and the levels that the owner has moved at the broker. */
interface Seen {
  readonly exit: ProtectiveExit;
  readonly moved: Readonly<Partial<Record<'stop' | 'target', string>>>;
}

/**
 * Follows the replacements of an order, by the hub or by the owner. Leaves the exit as it is while the replacement is not
 * found: the next look follows it.
 */
const followReplaced = async (
  exit: ProtectiveExit,
  level: ProtectiveLevel,
  found: BrokerOrder,
  find: Find,
): Promise<Seen> => {
  let [next, order, isByHand] = [adopt(exit, found), found, false];
  for (let count = 0; count < MAX_REPLACED && order.replacedBy !== null; count += 1) {
    const was = next.legs[level];
    const replacement = await find(order.replacedBy);
    if (!replacement || !was) return { exit, moved: {} };
    isByHand = replacement.clientOrderId !== exit.move?.id;
    next = withReplaced(next, level, { was, next: replacement });
    order = replacement;
  }
  const price = next.legs[level]?.price ?? null;
  if (level === 'close' || price === null) return { exit: stateAfter(next), moved: {} };
  const settled = exit.move?.level === level ? { ...next, move: undefined } : next;
  const at = isByHand ? price : (exit.move?.price ?? price);
  return {
    exit: stateAfter({ ...settled, [level]: at }),
    moved: isByHand ? { [level]: price } : {},
  };
};

/** Counts an order that the broker does not find as ended after a minute. What the account holds is compared then. */
const withMissing = (
  work: ExecutionRuntime,
  { deployment_id }: Protection,
  exit: ProtectiveExit,
  level: ProtectiveLevel,
): ProtectiveExit => {
  const leg = exit.legs[level];
  if (!leg || isFinalOrderStatus(leg.status)) return exit;
  const now = work.clock().getTime();
  const since = leg.missing_since ?? now;
  const isLost = now >= since + MISSING_MS;
  if (isLost) work.log.error(BROKER_DOUBTS.notFound, { deployment_id });
  const next: ProtectiveLeg = { ...leg, missing_since: since, ...(isLost && { status: 'cancelled' }) };
  return { ...exit, legs: { ...exit.legs, [level]: next } };
};

/** Looks at the orders of an exit. The first one of an OCO names the further ones. */
const seeOpen = async (
  work: ExecutionRuntime,
  protection: Protection,
  exit: ProtectiveExit,
  find: Find,
): Promise<Seen> => {
  let seen: Seen = { exit, moved: {} };
  for (const level of ['target', 'stop', 'close'] as const) {
    const leg = seen.exit.legs[level];
    if (!leg || (isFinalOrderStatus(leg.status) && !leg.was)) continue;
    const order = await find(leg.broker_order_id);
    if (!order) {
      seen = { ...seen, exit: withMissing(work, protection, seen.exit, level) };
    } else if (order.replacedBy === null) {
      const known = adopt(seen.exit, order);
      seen = { ...seen, exit: await settleReplacing(work, known, level, order, find) };
    } else {
      const followed = await followReplaced(seen.exit, level, order, find);
      seen = { exit: followed.exit, moved: { ...seen.moved, ...followed.moved } };
    }
  }
  return { ...seen, exit: stateAfter(seen.exit) };
};

/** Looks for an exit that may be at the broker. */
const seePlacing = async (
  exit: ProtectiveExit,
  symbol: string,
  { broker }: Access,
  listed: Listed | undefined,
): Promise<ProtectiveExit> => {
  if (exit.tried_at === undefined) return exit;
  const order = listed?.byClientId.get(exit.id) ?? (await broker.findOrder(exit.id, symbol));
  return order ? adopt(exit, order) : exit;
};

/** Looks for the replacement of an order whose outcome is not known. */
const seeMove = async (exit: ProtectiveExit, symbol: string, { broker }: Access): Promise<ProtectiveExit> => {
  const { move } = exit;
  if (!move || exit.state !== 'open') return exit;
  const order = await broker.findOrder(move.id, symbol);
  return order ? movedTo(exit, order) : exit;
};

/** Returns a protection with the state of its exits at the broker. @throws AccessRefusedError, BrokerLaterError */
export const seeExits = async (
  work: ExecutionRuntime,
  protection: Protection,
  access: Access,
  listed?: Listed,
): Promise<Protection> => {
  const seen = new Map<string, BrokerOrder>();
  const find: Find = async (id) => {
    const order = listed?.byBrokerId.get(id) ?? seen.get(id) ?? (await access.broker.findByBrokerId(id));
    for (const each of order ? [order, ...order.legs] : []) seen.set(each.brokerOrderId, each);
    return order;
  };
  const exits: ProtectiveExit[] = [];
  const { broker_symbol: symbol } = protection;
  let { moved } = protection;
  for (const exit of protection.exits) {
    if (exit.state === 'ended') exits.push(exit);
    else if (exit.state === 'placing') exits.push(await seePlacing(exit, symbol, access, listed));
    else {
      const open = await seeOpen(work, protection, await seeMove(exit, symbol, access), find);
      exits.push(open.exit);
      moved = { ...moved, ...open.moved };
    }
  }
  return { ...protection, exits, moved };
};

/** Returns the open order of an exit that is to be cancelled first: cancelling that of a target ends an OCO. */
export const openLegOf = ({ legs }: ProtectiveExit): ProtectiveLeg | undefined =>
  (['target', 'stop', 'close'] as const)
    .flatMap((level) => legs[level] ?? [])
    .find(({ status }) => !isFinalOrderStatus(status));
