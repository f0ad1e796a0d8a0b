import { exitCapabilities } from '../../channels/execution/exit-capabilities.ts';
import type { Protection, ProtectiveExit } from '../../data/execution/protections.ts';
import { type CalendarDay, calendarById, dayAt } from '../../domain/candles/calendar.ts';
import { type Decimal, decimal, toText } from '../../domain/money.ts';
import { ADAPTER_FACTS } from '../../domain/orders/execution-adapters.ts';
import { isFinalOrderStatus } from '../../domain/orders/order-states.ts';
import { coverableBy, coveredBy, type Levels, legsOf, levelsOf, openOf, wantedOf } from './figures.ts';

/** Exits of a trade at once. Beyond, the small ones are joined. */
const MAX_EXITS = 4;
/** Time after which a cancel that the broker has not confirmed is requested again, in milliseconds. */
const CANCEL_AGAIN_MS = 5_000;
/** Time in which an exit may still appear at the broker after an attempt without an answer, in milliseconds. */
const APPEARS_WITHIN_MS = 60_000;
/** Time in which a broker finishes a replacement, in milliseconds. */
const REPLACED_WITHIN_MS = 60_000;
/** Time after a refused move until the next one, in milliseconds. */
const MOVE_AGAIN_MS = 60_000;
/** Time after a refused exit until the next attempt, in milliseconds. */
const PLACE_AGAIN_MS = 60_000;
/** Refused moves after which an exit is cancelled and placed again. */
const MAX_REFUSALS = 2;
const DAY_MS = 86_400_000;
/** Most days until the next session: a week of holidays. */
const MAX_DAYS = 10;

/** Next thing to do for the exits of a trade. */
export type Step =
  /** An exit that was never sent, or cannot appear any more, is given up. */
  | { readonly do: 'drop'; readonly exit: ProtectiveExit }
  | { readonly do: 'cancel'; readonly exit: ProtectiveExit }
  /** An exit whose attempt had no answer is sent again under the same id. */
  | { readonly do: 'retry'; readonly exit: ProtectiveExit }
  | {
      readonly do: 'place';
      readonly exit: Pick<ProtectiveExit, 'kind' | 'time_in_force' | 'quantity' | 'stop' | 'target'>;
    }
  | {
      readonly do: 'move';
      readonly exit: ProtectiveExit;
      readonly level: 'stop' | 'target';
      readonly price: string;
    }
  /** Nothing now. `until` is the time at which it changes by itself, in milliseconds. */
  | { readonly do: 'wait'; readonly until?: number | undefined };

const exchange = calendarById('us');

/** Returns the session that is open, or the next one; undefined for an asset that trades at all times. */
export const sessionOf = (
  { asset_class }: Pick<Protection, 'asset_class'>,
  now: number,
): Pick<CalendarDay, 'open' | 'close'> | undefined => {
  if (asset_class === 'crypto') return undefined;
  for (let ahead = 0; ahead < MAX_DAYS; ahead += 1) {
    const day = dayAt(exchange, now + ahead * DAY_MS);
    if (day.close > now) return day;
  }
  return undefined;
};

/** Returns whether orders of an asset can fill now. */
export const isTrading = (protection: Pick<Protection, 'asset_class'>, now: number): boolean => {
  const session = sessionOf(protection, now);
  return session === undefined || session.open <= now;
};

/**
 * Returns the step that sends an exit again whose attempt had no answer. A broker that takes an id twice might have two
 * of it, until a lookup is certain to find the first.
 */
const retryStep = ({ adapter }: Protection, exit: ProtectiveExit, now: number): Step => {
  const until = (exit.tried_at ?? 0) + ADAPTER_FACTS[adapter].appearsWithinMs;
  return now < until ? { do: 'wait', until } : { do: 'retry', exit };
};

/**
 * Returns the step that ends an exit. One whose attempt had no answer is sent again under its id while the trade is open:
 * the broker's word on it is certain then. Without an open trade it is only awaited, as it would open a position.
 */
const cancelStep = (protection: Protection, exit: ProtectiveExit, now: number): Step => {
  if (exit.state === 'placing') {
    const appears = exit.tried_at === undefined ? now : exit.tried_at + APPEARS_WITHIN_MS;
    if (appears <= now) return { do: 'drop', exit };
    return wantedOf(protection).gte(exit.quantity)
      ? retryStep(protection, exit, now)
      : { do: 'wait', until: appears };
  }
  // A cancel of a replacement that is not done would leave the order before it.
  const replacing = legsOf(exit).find(({ was, at }) => was && at + REPLACED_WITHIN_MS > now);
  if (replacing) return { do: 'wait', until: now };
  const again = exit.cancelled_at === undefined ? now : exit.cancelled_at + CANCEL_AGAIN_MS;
  return again <= now ? { do: 'cancel', exit } : { do: 'wait', until: again };
};

/** Returns the step that ends exits, the first that is possible; undefined if all have ended. */
const endAll = (protection: Protection, exits: readonly ProtectiveExit[], now: number): Step | undefined => {
  const steps = exits
    .filter(({ state }) => state !== 'ended')
    .map((exit) => cancelStep(protection, exit, now));
  return steps.find((step) => step.do !== 'wait') ?? steps[0];
};

/** Returns the exit that covers a quantity, or a part of it; undefined if none rests at the broker. */
const exitFor = (
  { adapter, asset_class }: Protection,
  levels: Levels,
  lacking: Decimal,
): Extract<Step, { readonly do: 'place' }>['exit'] | undefined => {
  const whole = asset_class === 'equity' ? lacking.round(0, 0) : lacking;
  const quantity = toText(whole.gt(0) ? whole : lacking);
  const can = exitCapabilities(adapter, { assetClass: asset_class, quantity });
  const stop = can.levels.includes('stop') ? levels.stop : undefined;
  const target = can.levels.includes('target') ? levels.target : undefined;
  const common = { time_in_force: can.timeInForce, quantity };
  if (can.kind === 'oco' && stop !== undefined && target !== undefined)
    return { ...common, kind: 'oco', stop, target };
  if (stop !== undefined) return { ...common, kind: can.kind === 'stop_limit' ? 'stop_limit' : 'stop', stop };
  return target === undefined ? undefined : { ...common, kind: 'target', target };
};

/** Returns an OCO whose stop has ended without its target: a fill of a part, or the owner, has ended it. */
const hasLostStop = ({ kind, state, cancelled_at, legs: { stop, target } }: ProtectiveExit): boolean =>
  kind === 'oco' &&
  state === 'open' &&
  cancelled_at === undefined &&
  stop !== undefined &&
  target !== undefined &&
  stop.status !== 'filled' &&
  isFinalOrderStatus(stop.status) &&
  !isFinalOrderStatus(target.status);

const moveStep = (
  { adapter, asset_class: assetClass }: Protection,
  exit: ProtectiveExit,
  levels: Levels,
  now: number,
): Step | undefined => {
  if (exit.state !== 'open' || exit.cancelled_at !== undefined || openOf(exit).eq(0)) return undefined;
  if (legsOf(exit).some(({ was }) => was)) return undefined;
  for (const level of ['stop', 'target'] as const) {
    const price = levels[level];
    if (price === undefined || exit[level] === undefined || !exit.legs[level]) continue;
    if (price === exit[level]) continue;
    const { isMovable } = exitCapabilities(adapter, { assetClass, quantity: exit.quantity });
    if (!isMovable) return { do: 'cancel', exit };
    const last = Math.max(exit.refused_at ?? 0, exit.move?.price === price ? exit.move.tried_at : 0);
    if (last > 0 && last + MOVE_AGAIN_MS > now) continue;
    return (exit.refusals ?? 0) >= MAX_REFUSALS ? { do: 'cancel', exit } : { do: 'move', exit, level, price };
  }
  return undefined;
};

const isLive = (exit: ProtectiveExit): boolean => exit.state !== 'ended' && exit.kind !== 'close';

/** Returns a protection that joins its small exits once there are many, until only the first is left. */
export const withJoining = (protection: Protection): Protection => {
  const live = protection.exits.filter(isLive);
  const isJoining = live.length > MAX_EXITS || (protection.is_joining === true && live.length > 1);
  return { ...protection, is_joining: isJoining ? true : undefined };
};

/** Returns the exits that are too much: the newest ones beyond the wanted quantity, or small ones that are joined. */
const excessOf = (protection: Protection): ProtectiveExit[] => {
  const live = protection.exits.filter((exit) => isLive(exit) && openOf(exit).gt(0));
  if (protection.is_joining) return live.slice(1);
  let covered = coveredBy(protection);
  const wanted = wantedOf(protection);
  return live.toReversed().filter((exit) => {
    if (exit.cancelled_at !== undefined || !covered.gt(wanted)) return false;
    covered = covered.minus(openOf(exit));
    return true;
  });
};

/** Returns whether no exit may rest now: nothing is open, or an order of the hub closes the trade. */
export const isToLift = (protection: Protection): boolean =>
  protection.lifted_for.length > 0 || protection.is_suspended === true || wantedOf(protection).eq(0);

/**
 * Returns the next thing to do, by the exits as last seen. Exits are cancelled until the rest fits what is open, then what
 * lacks is placed: they never cover more than that.
 */
export const nextStep = (protection: Protection, now: number): Step => {
  const { exits, is_closing: isClosing, refused_at: refusedAt } = protection;
  const resting = exits.filter(({ kind }) => kind !== 'close');
  if (isToLift(protection)) return endAll(protection, exits, now) ?? { do: 'wait' };
  if (isClosing) {
    const ending = endAll(protection, resting, now);
    if (ending) return ending;
  }
  const unanswered = exits.find(({ state }) => state === 'placing');
  if (unanswered) {
    const fits = coverableBy(protection).lte(wantedOf(protection));
    return fits ? retryStep(protection, unanswered, now) : cancelStep(protection, unanswered, now);
  }
  const unstopped = endAll(protection, exits.filter(hasLostStop), now);
  if (unstopped) return unstopped;
  const excess = isClosing ? undefined : endAll(protection, excessOf(protection), now);
  if (excess && (excess.do !== 'wait' || protection.is_joining)) return excess;
  const lacking = wantedOf(protection).minus(coverableBy(protection));
  const again = refusedAt === undefined ? now : refusedAt + PLACE_AGAIN_MS;
  if (lacking.gt(0) && again > now) return { do: 'wait', until: again };
  if (lacking.gt(0)) {
    if (isClosing) {
      const close = { kind: 'close', time_in_force: 'day', quantity: toText(lacking) } as const;
      return { do: 'place', exit: close };
    }
    const exit = exitFor(protection, levelsOf(protection), lacking);
    const session = exit?.time_in_force === 'day' ? sessionOf(protection, now) : undefined;
    if (exit && session && session.open > now) return { do: 'wait', until: session.open };
    if (exit) return { do: 'place', exit };
  }
  const levels = levelsOf(protection);
  const moves = isClosing ? [] : exits.flatMap((exit) => moveStep(protection, exit, levels, now) ?? []);
  return moves[0] ?? excess ?? { do: 'wait' };
};

/** Returns the quantity of a trade that has no stop at the broker, and should. */
export const unprotectedOf = (protection: Protection): Decimal => {
  const { stop } = levelsOf(protection);
  if (stop === undefined) return decimal('0');
  const covered = protection.exits
    .filter(
      ({ state, stop: price, cancelled_at }) => state === 'open' && price !== undefined && !cancelled_at,
    )
    .reduce((sum, exit) => sum.plus(openOf(exit)), decimal('0'));
  const lacking = wantedOf(protection).minus(covered);
  return lacking.gt(0) ? lacking : decimal('0');
};
