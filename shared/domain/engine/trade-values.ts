import { at } from './memory.ts';
import { ARITHMETIC, type ResolvedOperand } from './operands.ts';
import type { Comparison, TradeValueName } from './rules/shape.ts';
import { arithmeticOf, readsTrade } from './rules/walk.ts';

/** The oldest open trade of a side, as conditions see it. */
export interface HeldTrade {
  readonly side: 1 | -1;
  readonly entryBar: number;
  readonly entryPrice: number;
  /** Lowest and highest price of the bars that it was held through. */
  readonly low: number;
  readonly high: number;
}

/** Value of an operand for an account: of its trade, and of the places that hold the values of the bar. */
export type TradeValue = (values: Float64Array, held: HeldTrade | undefined) => number;

/** Operand at whose place the close of the bar is. */
const CLOSE_OPERAND = { price: 'close', ago: 0 } as const;

const PERCENT = 100;

const nameValue = (name: TradeValueName, close: number): TradeValue => {
  switch (name) {
    case 'entry_price':
      return (_, held) => held?.entryPrice ?? Number.NaN;
    case 'highest_since_entry':
      return (_, held) => (held ? Math.max(held.high, held.entryPrice) : Number.NaN);
    case 'lowest_since_entry':
      return (_, held) => (held ? Math.min(held.low, held.entryPrice) : Number.NaN);
    case 'percent_from_entry':
      return (values, held) => {
        if (!held || held.entryPrice === 0) return Number.NaN;
        const { side, entryPrice } = held;
        return (side * (at(values, close) - entryPrice) * PERCENT) / Math.abs(entryPrice);
      };
  }
};

/**
 * Compiles an operand for an account.
 *
 * @param placeOf returns the place of the value of an operand that no trade decides.
 */
export const tradeValue = (
  operand: ResolvedOperand,
  placeOf: (operand: ResolvedOperand) => number,
): TradeValue => {
  if (typeof operand === 'number' || 'price' in operand || 'indicator' in operand || !readsTrade(operand)) {
    const place = placeOf(operand);
    return (values) => at(values, place);
  }
  if ('trade' in operand) return nameValue(operand.trade, placeOf(CLOSE_OPERAND));
  const { operation, pair } = arithmeticOf<ResolvedOperand>(operand);
  const compute = ARITHMETIC[operation];
  const left = tradeValue(pair[0], placeOf);
  const right = tradeValue(pair[1], placeOf);
  return (values, held) => compute(left(values, held), right(values, held));
};

/**
 * Compares two values of which at least one is that of a trade.
 *
 * @throws RangeError for a cross, which the schema refuses.
 */
export const comparesTrade = (op: Comparison, left: number, right: number): boolean => {
  switch (op) {
    case 'gt':
      return left > right;
    case 'gte':
      return left >= right;
    case 'lt':
      return left < right;
    case 'lte':
      return left <= right;
    default:
      throw new RangeError(`a value of a trade cannot be compared by ${op}`);
  }
};
