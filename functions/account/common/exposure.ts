import type { TradingSummary } from '../../../shared/data/books/summary.ts';
import { type Decimal, decimal, zero } from '../../../shared/domain/money.ts';

type Position = TradingSummary['positions'][number];

/** Open positions of one symbol, or of several: quantities and values of both sides. */
export interface Exposure {
  readonly quantity: { readonly long: Decimal; readonly short: Decimal };
  /** Undefined if the value of a position is unknown. */
  readonly value: { readonly long: Decimal; readonly short: Decimal } | undefined;
}

const NONE: Exposure = {
  quantity: { long: zero(), short: zero() },
  value: { long: zero(), short: zero() },
};

/**
 * Returns the value of an open position in the deployment's currency: at its last price, or at its cost without one.
 * Undefined for a symbol of another currency whose summary is older than the field.
 */
export const worthOf = ({ basis, value, quantity, last_price }: Position): Decimal | undefined => {
  if (basis === undefined) return value === undefined ? undefined : decimal(value).abs();
  if (last_price === null) return decimal(basis.cost).abs();
  return decimal(quantity).times(last_price).times(basis.contract_size).abs();
};

const plus = (sum: Exposure, position: Position): Exposure => {
  const { side } = position;
  const value = worthOf(position);
  return {
    quantity: { ...sum.quantity, [side]: sum.quantity[side].plus(position.quantity) },
    value:
      sum.value === undefined || value === undefined
        ? undefined
        : { ...sum.value, [side]: sum.value[side].plus(value) },
  };
};

/** Returns the exposure of deployments of one currency. */
export const exposureOf = (summaries: readonly TradingSummary[]): Exposure =>
  summaries.flatMap(({ positions }) => positions).reduce(plus, NONE);

/** Returns the exposure of deployments of one currency by symbol, sorted by symbol. */
export const exposureBySymbol = (summaries: readonly TradingSummary[]): [symbol: string, of: Exposure][] => {
  const sums = new Map<string, Exposure>();
  for (const position of summaries.flatMap(({ positions }) => positions)) {
    sums.set(position.symbol, plus(sums.get(position.symbol) ?? NONE, position));
  }
  return [...sums].sort(([left], [right]) => (left < right ? -1 : 1));
};
