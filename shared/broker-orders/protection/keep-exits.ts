import {
  type BrokerOrder,
  DuplicateOrderError,
  OrderRefusedError,
  OutcomeUnknownError,
} from '../../channels/execution/execution-broker.ts';
import { exitCapabilities } from '../../channels/execution/exit-capabilities.ts';
import { type Protection, type ProtectiveExit, saveProtection } from '../../data/execution/protections.ts';
import { decimal, scaled, toText } from '../../domain/money.ts';
import { brokerExitIdOf } from '../../domain/orders/broker-order-ids.ts';
import type { Access, ExecutionRuntime } from '../execution-runtime.ts';
import { leaseUntil } from '../lease.ts';
import { isTrading, type Step } from './exit-plan.ts';
import { coverableBy, isStopPassed, levelsOf, remainingOf, smaller, wantedOf, withTaken } from './figures.ts';
import { refusedByBroker, refusedMove } from './refused-exit.ts';
import { adopt, movedTo, openLegOf } from './see-exits.ts';

/** A position that is this much larger or smaller than its trade is in other units, as after a split. */
const OTHER_UNITS = 1.5;

/** Returns a protection with an exit in its place. */
const replaced = (protection: Protection, exit: ProtectiveExit): Protection => ({
  ...protection,
  exits: protection.exits.map((each) => (each.id === exit.id ? exit : each)),
});

const save = (work: ExecutionRuntime, protection: Protection): Promise<Protection> =>
  saveProtection(work.store, { ...protection, due_at: leaseUntil(work) }, work.clock());

const sideOf = ({ side }: Protection): 'buy' | 'sell' => (side === 'long' ? 'sell' : 'buy');

/** Returns the limit of a `stop_limit`: beyond the stop by the band that the page of exits states. */
export const limitOf = (
  { adapter, asset_class, side }: Protection,
  stop: string,
  quantity: string,
): string => {
  const { band = '0' } = exitCapabilities(adapter, { assetClass: asset_class, quantity });
  const distance = decimal(stop).times(band);
  return toText(scaled(side === 'long' ? decimal(stop).minus(distance) : decimal(stop).plus(distance)));
};

/** Sends an exit under its id, which the broker accepts once. Returns undefined if the outcome has to be looked up. */
const send = async (
  { broker }: Access,
  protection: Protection,
  exit: ProtectiveExit,
): Promise<BrokerOrder | undefined> => {
  const { broker_symbol: symbol, asset_class: assetClass } = protection;
  const { id: clientOrderId, quantity, time_in_force: timeInForce, stop, target } = exit;
  const common = { clientOrderId, symbol, assetClass, side: sideOf(protection), quantity, timeInForce };
  try {
    if (exit.kind === 'close') return await broker.place({ ...common, type: 'market' });
    return await broker.placeExit({
      ...common,
      kind: exit.kind,
      stopPrice: stop,
      targetPrice: target,
      limitPrice:
        exit.kind === 'stop_limit' && stop !== undefined ? limitOf(protection, stop, quantity) : undefined,
    });
  } catch (error) {
    if (error instanceof DuplicateOrderError) return broker.findOrder(clientOrderId, symbol);
    if (error instanceof OutcomeUnknownError) return undefined;
    throw error;
  }
};

/** Sends an exit that is stored. @throws OrderTakenError, AccessRefusedError, BrokerLaterError */
const attempt = async (
  work: ExecutionRuntime,
  protection: Protection,
  exit: ProtectiveExit,
  access: Access,
): Promise<Protection> => {
  const tried = { ...exit, tried_at: work.clock().getTime() };
  const stored = await save(work, replaced(protection, tried));
  try {
    const order = await send(access, stored, tried);
    return order ? { ...replaced(stored, adopt(tried, order)), refused_at: undefined } : stored;
  } catch (error) {
    if (!(error instanceof OrderRefusedError)) throw error;
    return refusedByBroker(work, replaced(stored, { ...tried, state: 'ended' }), error, access);
  }
};

/**
 * Places an exit: stored first, for no more than the account holds. A stop that the price has passed closes the trade at
 * once, unless the position is in other units than the trade.
 */
const place = async (
  work: ExecutionRuntime,
  before: Protection,
  wanted: Extract<Step, { readonly do: 'place' }>['exit'],
  access: Access,
): Promise<Protection> => {
  const now = work.clock().getTime();
  const position = await access.broker.findPosition(before.broker_symbol);
  const reason = `Other orders at ${work.brokerName} may hold the position.`;
  if (!position || position.side !== before.side) return { ...before, is_short_of: true, reason };
  const protection = withTaken(before, position);
  const remaining = remainingOf(protection);
  // The quantity of a close at the broker is still part of the position.
  const most = smaller(remaining, decimal(protection.cap ?? remaining.toFixed())).times(OTHER_UNITS);
  // Only shares are split: there are more of them, at a lower price. The owner may hold more at the same price.
  const isSplit =
    protection.asset_class === 'equity' &&
    decimal(position.quantity).gte(most) &&
    decimal(position.price ?? protection.entry_price)
      .times(OTHER_UNITS)
      .lte(protection.entry_price);
  const isOtherUnits = isSplit ? true : undefined;
  const { stop } = levelsOf(protection);
  const isPassed =
    stop !== undefined &&
    position.price !== undefined &&
    isStopPassed(protection.side, stop, position.price) &&
    isTrading(protection, now);
  if (isPassed && wanted.kind !== 'close') {
    if (isOtherUnits) return { ...protection, reason: 'The position at the broker is in other units.' };
    return { ...protection, is_closing: true, reason: 'The price had passed the stop before it could rest.' };
  }
  const lacking = wantedOf(protection).minus(coverableBy(protection));
  if (lacking.lte(0)) return protection;
  const available = smaller(decimal(position.available), smaller(lacking, decimal(wanted.quantity)));
  if (available.eq(0)) return { ...protection, is_short_of: true, reason };
  const exit: ProtectiveExit = {
    ...wanted,
    id: brokerExitIdOf(protection, protection.next_exit),
    quantity: toText(available),
    state: 'placing',
    legs: {},
  };
  const next = {
    ...protection,
    is_short_of: undefined,
    is_other_units: isOtherUnits,
    next_exit: protection.next_exit + 1,
    exits: [...protection.exits, exit],
  };
  return attempt(work, next, exit, access);
};

/** Requests the end of an exit. The broker's word on it is awaited. */
const cancel = async (
  work: ExecutionRuntime,
  protection: Protection,
  exit: ProtectiveExit,
  { broker }: Access,
): Promise<Protection> => {
  const leg = openLegOf(exit);
  if (!leg) return replaced(protection, { ...exit, state: 'ended' });
  const asked = { ...exit, cancelled_at: work.clock().getTime() };
  const stored = await save(work, replaced(protection, asked));
  await broker.cancel(leg.broker_order_id);
  return stored;
};

/** Moves an order of an exit. A move that fails leaves it as it is. */
const move = async (
  work: ExecutionRuntime,
  protection: Protection,
  { exit, level, price }: Extract<Step, { readonly do: 'move' }>,
  { broker }: Access,
): Promise<Protection> => {
  const leg = exit.legs[level];
  if (!leg) return protection;
  const id = brokerExitIdOf(protection, protection.next_exit);
  const moving = { ...exit, move: { id, level, price, tried_at: work.clock().getTime() } };
  const stored = await save(work, {
    ...replaced(protection, moving),
    next_exit: protection.next_exit + 1,
  });
  try {
    const order = await broker.moveExit({
      brokerOrderId: leg.broker_order_id,
      clientOrderId: id,
      assetClass: protection.asset_class,
      side: sideOf(protection),
      ...(level === 'target'
        ? { targetPrice: price }
        : {
            stopPrice: price,
            ...(exit.kind === 'stop_limit' && { limitPrice: limitOf(protection, price, exit.quantity) }),
          }),
    });
    return replaced(stored, movedTo(moving, order));
  } catch (error) {
    // It is looked up before anything else.
    if (error instanceof DuplicateOrderError || error instanceof OutcomeUnknownError) return stored;
    if (!(error instanceof OrderRefusedError)) throw error;
    return refusedMove(work, stored, moving, error);
  }
};

/** Does a step. Returns the protection as far as the broker has answered. */
export const doStep = async (
  work: ExecutionRuntime,
  protection: Protection,
  step: Exclude<Step, { readonly do: 'wait' }>,
  access: Access,
): Promise<Protection> => {
  switch (step.do) {
    case 'drop':
      return replaced(protection, { ...step.exit, state: 'ended' });
    case 'cancel':
      return cancel(work, protection, step.exit, access);
    case 'retry':
      return attempt(work, protection, step.exit, access);
    case 'place':
      return place(work, protection, step.exit, access);
    case 'move':
      return move(work, protection, step, access);
    default:
      return step satisfies never;
  }
};
