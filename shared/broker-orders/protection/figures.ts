import type { BrokerPosition } from '../../channels/execution/execution-broker.ts';
import type {
  Protection,
  ProtectiveExit,
  ProtectiveLeg,
  ProtectiveReport,
} from '../../data/execution/protections.ts';
import { type Decimal, decimal, scaled, toText, zero } from '../../domain/money.ts';
import { isFinalOrderStatus } from '../../domain/orders/order-states.ts';
import { levelPrice } from '../../domain/orders/protection-terms.ts';
import { PROTECTIVE_LEVELS, type ProtectiveLevel } from '../../domain/orders/protective-ids.ts';

const sum = (amounts: readonly (Decimal | string)[]): Decimal =>
  amounts.reduce<Decimal>((total, amount) => total.plus(amount), zero());

const atLeastZero = (amount: Decimal): Decimal => (amount.lt(0) ? zero() : amount);

/** Returns the smaller of two amounts. */
export const smaller = (left: Decimal, right: Decimal): Decimal => (left.lt(right) ? left : right);

/** Returns the legs of an exit that are known. */
export const legsOf = ({ legs }: ProtectiveExit): ProtectiveLeg[] =>
  PROTECTIVE_LEVELS.flatMap((level) => legs[level] ?? []);

/** Fills of a level: their quantity, their value and their fees. */
export interface LevelFills {
  readonly filled: Decimal;
  readonly value: Decimal;
  readonly fees: Decimal;
}

/** Returns the fills of a leg, with those of the orders that it replaced. */
export const fillsOfLeg = ({
  filled,
  average_price: average,
  fees,
  before,
}: Pick<ProtectiveLeg, 'filled' | 'average_price' | 'fees' | 'before'>): LevelFills => ({
  fees: sum([fees ?? '0', before?.fees ?? '0']),
  filled: decimal(filled).plus(before?.filled ?? '0'),
  value: decimal(filled)
    .times(average ?? '0')
    .plus(before?.value ?? '0'),
});

const filledOfExit = (exit: ProtectiveExit): Decimal =>
  sum(legsOf(exit).map((leg) => fillsOfLeg(leg).filled));

/** Returns the quantity that an exit may still fill. */
export const openOf = (exit: ProtectiveExit): Decimal =>
  exit.state === 'ended' ? zero() : atLeastZero(decimal(exit.quantity).minus(filledOfExit(exit)));

/** Returns the fills of a level in the current round. */
export const fillsOf = ({ exits, sums }: Protection, level: ProtectiveLevel): LevelFills => {
  const known = exits.flatMap(({ legs }) => legs[level] ?? []).map(fillsOfLeg);
  const before = sums[level];
  return {
    filled: sum([before?.filled ?? '0', ...known.map(({ filled }) => filled)]),
    value: sum([before?.value ?? '0', ...known.map(({ value }) => value)]),
    fees: sum([before?.fees ?? '0', ...known.map(({ fees }) => fees)]),
  };
};

/** Returns the quantity that exits have filled in the current round. */
export const filledByExits = (protection: Protection): Decimal =>
  sum(PROTECTIVE_LEVELS.map((level) => fillsOf(protection, level).filled));

/** Returns the quantity of a trade that the books hold, by all fills that the adapter knows. */
export const bookedOf = (protection: Protection): Decimal => {
  const { entered, exited_before: before, closes } = protection;
  const out = sum([before, filledByExits(protection), ...Object.values(closes)]);
  return atLeastZero(decimal(entered).minus(out));
};

/** Returns the quantity of a trade that is open at the broker, by all fills that the adapter knows. */
export const remainingOf = (protection: Protection): Decimal =>
  atLeastZero(bookedOf(protection).minus(protection.taken ?? '0'));

/** Largest part of a purchase that a broker takes as fees. */
const MAX_FEE_PART = '0.03';

/**
 * Returns the quantity of a crypto asset that lacks for an order, because the broker took fees from the position, or because
 * these leave less than a step of it. Zero if more lacks than fees take of a whole.
 */
export const lackingBy = (
  wanted: Decimal,
  whole: Decimal,
  { quantity, sellable }: Pick<BrokerPosition, 'quantity' | 'sellable'>,
): Decimal => {
  const fees = wanted.minus(quantity);
  const isFee = fees.gte(0) && fees.lte(whole.times(MAX_FEE_PART));
  return isFee ? atLeastZero(wanted.minus(sellable)) : zero();
};

/** Returns a protection that knows what lacks for its exits in the position of a crypto asset. */
export const withTaken = (
  protection: Protection,
  position: Pick<BrokerPosition, 'quantity' | 'sellable'>,
): Protection => {
  if (protection.asset_class !== 'crypto') return protection;
  const lacking = lackingBy(remainingOf(protection), decimal(protection.entered), position);
  return lacking.eq(0) ? protection : { ...protection, taken: toText(lacking.plus(protection.taken ?? '0')) };
};

/** Returns the open quantity of a trade that no close of the hub at the broker covers. */
export const unclosedOf = (protection: Protection): Decimal =>
  atLeastZero(remainingOf(protection).minus(sum(Object.values(protection.resting ?? {}))));

/** Returns the quantity that exits should cover: what is open of the trade, and no more than the account holds. */
export const wantedOf = (protection: Protection): Decimal => {
  const remaining = unclosedOf(protection);
  return protection.cap === undefined ? remaining : smaller(remaining, decimal(protection.cap));
};

/** Returns the quantity that exits which are not being cancelled may still fill. */
export const coveredBy = ({ exits }: Protection): Decimal =>
  sum(exits.filter(({ cancelled_at: at }) => at === undefined).map(openOf));

/** Returns the quantity that all exits together may still fill. */
export const coverableBy = ({ exits }: Protection): Decimal => sum(exits.map(openOf));

/** Returns whether a price has passed a stop: at it or beyond. */
export const isStopPassed = (side: Protection['side'], stop: string, price: string): boolean =>
  side === 'long' ? decimal(price).lte(stop) : decimal(price).gte(stop);

/** Prices of the levels of a trade. */
export type Levels = Readonly<Partial<Record<'stop' | 'target', string>>>;

/**
 * Returns the prices at which a trade ends: those that were moved, else those that follow from the fills of the entry. A
 * target that the stop has passed is none: no broker takes both, and the stop ends the trade first.
 */
export const levelsOf = ({ side, terms, moved, entry_price: average }: Protection): Levels => {
  const stop = moved.stop ?? (terms.stop && levelPrice(terms.stop, average));
  const wanted = moved.target ?? (terms.target && levelPrice(terms.target, average));
  const isPassed = stop !== undefined && wanted !== undefined && isStopPassed(side, stop, wanted);
  const target = isPassed ? undefined : wanted;
  return { ...(stop !== undefined && { stop }), ...(target !== undefined && { target }) };
};

/** Returns whether nothing is at the broker, or may be. */
export const isLifted = ({ exits }: Protection): boolean => exits.every(({ state }) => state === 'ended');

/** Returns whether a trade is over: nothing of it is open, and its entry fills no further. */
export const isOver = (protection: Protection): boolean =>
  protection.is_entry_over && remainingOf(protection).eq(0) && isLifted(protection);

/** Returns the average price of the fills of a level; null without one. */
export const averageOf = ({ filled, value }: LevelFills): string | null =>
  filled.eq(0) ? null : toText(scaled(value.div(filled)));

/** Ended exits that stay in a record for late fills. */
const MAX_ENDED = 8;

/** Returns a protection without its oldest exits that have ended; their fills stay in its sums. */
export const withoutOld = (protection: Protection): Protection => {
  let left = protection.exits.filter(({ state }) => state === 'ended').length - MAX_ENDED;
  if (left <= 0) return protection;
  const sums = { ...protection.sums };
  const exits = protection.exits.filter((exit) => {
    if (exit.state !== 'ended' || left <= 0) return true;
    left -= 1;
    for (const level of PROTECTIVE_LEVELS) {
      const leg = exit.legs[level];
      if (!leg) continue;
      const { filled, value, fees } = fillsOfLeg(leg);
      if (filled.eq(0)) continue;
      const before = sums[level];
      sums[level] = {
        filled: toText(filled.plus(before?.filled ?? '0')),
        value: toText(value.plus(before?.value ?? '0')),
        fees: toText(fees.plus(before?.fees ?? '0')),
      };
    }
    return false;
  });
  return { ...protection, exits, sums };
};

/** Returns whether all reports of a protection are on the bus. */
export const isReported = ({ reports }: Protection): boolean =>
  PROTECTIVE_LEVELS.every((level) => {
    const report = reports[level];
    return report === undefined || report.reported >= report.sequence;
  });

/** Returns whether a report is the last one of its order. */
export const isEnd = (report: ProtectiveReport | undefined): boolean =>
  report !== undefined && isFinalOrderStatus(report.status);
