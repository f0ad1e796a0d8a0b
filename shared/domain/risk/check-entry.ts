import { toText } from '../money.ts';
import { type Amount, exceeds, storedAmount, sumOf } from './amount.ts';
import { isDayOpenAt, isOpenAt } from './hours.ts';
import type { LimitName, MergedLimits } from './limits.ts';
import { ordersAt, type RiskState } from './state.ts';

/** An order that opens or adds to a position. */
export interface Entry {
  readonly symbol: string;
  /** Moment at which it is placed, in milliseconds. */
  readonly at: number;
  /** Value in the currency of the deployment; undefined if no price is known yet. */
  readonly value: Amount | undefined;
  /** Value of the position that an order against the one held leaves; absent if the order adds to it. */
  readonly leaves?: Amount | undefined;
  /** False for bars of days and weeks, whose time of day means nothing. */
  readonly hasTime?: boolean;
}

/** Limit that an order would exceed. */
export interface Exceeded {
  /** `tripped` if a limit has stopped the deployment before. */
  readonly limit: LimitName | 'tripped';
  /** Value with the order, and the largest one allowed; symbols and hours have none. */
  readonly used?: string;
  readonly allowed?: string;
}

const isAllowedAt = ({ hours = [] }: MergedLimits, { at, hasTime = true }: Entry): boolean =>
  hours.every((each) => (hasTime ? isOpenAt(each, at) : isDayOpenAt(each, at)));

const NOTHING: Amount = storedAmount('0');

/** Returns a limit that a value exceeds. */
export const above = (
  limit: LimitName,
  used: Amount | undefined,
  allowed: string | undefined,
): Exceeded | undefined =>
  used !== undefined && allowed !== undefined && exceeds(used, allowed)
    ? { limit, used: toText(used.exact()), allowed }
    : undefined;

/** Returns a limit that a count exceeds. */
export const more = (limit: LimitName, used: number, allowed: number | undefined): Exceeded | undefined =>
  allowed !== undefined && used > allowed
    ? { limit, used: String(used), allowed: String(allowed) }
    : undefined;

/**
 * Returns the first limit that an entry would exceed; undefined if it may be placed. Entries that wait count as
 * positions, so orders placed together cannot all pass.
 *
 * @param state without the entry.
 * @param positions values of the open positions by symbol.
 */
export const checkEntry = (
  limits: MergedLimits,
  state: RiskState,
  positions: ReadonlyMap<string, Amount>,
  entry: Entry,
): Exceeded | undefined => {
  const { symbol, at, value = NOTHING, leaves } = entry;
  if (state.tripped) return { limit: 'tripped' };
  if (limits.symbols && !limits.symbols.includes(symbol)) return { limit: 'symbols' };
  if (!isAllowedAt(limits, entry)) return { limit: 'hours' };
  const counted = ordersAt(state, at);
  const waiting = Object.values(state.entering ?? {});
  const symbols = new Set([...positions.keys(), ...waiting.map((each) => each.symbol), symbol]);
  const position = leaves ?? sumOf(positions.get(symbol) ?? NOTHING, value);
  const expected = waiting
    .filter((each) => each.symbol === symbol)
    .reduce((sum, each) => sumOf(sum, storedAmount(each.value)), position);
  return (
    more('orders_per_day', counted.today + 1, limits.orders_per_day) ??
    more('orders_per_minute', counted.thisMinute + 1, limits.orders_per_minute) ??
    more('open_positions', symbols.size, limits.open_positions) ??
    above('order_value', value, limits.order_value) ??
    above('position_value', expected, limits.position_value)
  );
};
