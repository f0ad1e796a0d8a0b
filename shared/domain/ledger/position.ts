import * as z from 'zod';
import { converted, type Decimal, decimal, decimalText, scaled, share, toText, zero } from '../money.ts';

/**
 * An open position. Quantity and values are signed: positive is long. Cost and values are in the currency in which
 * the symbol is quoted; results, fees and swap are in that of the deployment. The cost of what is open is kept as a
 * sum, not as an average, so nothing is lost to rounding: a partial close takes its share of the cost, and
 * what rounding that share to 18 decimals leaves stays with the rest, down to exactly zero.
 */
export const positionSchema = z.object({
  quantity: decimalText,
  /** Σ quantity · price · contract size of what is still open. */
  cost: decimalText,
  /** All that was entered since the position was last flat, and its value. */
  entered: decimalText,
  entry_value: decimalText,
  exit_value: decimalText,
  /** What partial closes have realised since then, and what it has been charged. */
  gross: decimalText,
  fees: decimalText,
  swap: decimalText,
  opened_at: z.number(),
  /** Time, price and any rate of the last fill; absent in positions stored before it was kept. */
  filled: z.tuple([z.number(), decimalText, decimalText.optional()]).optional(),
});

export type Position = z.output<typeof positionSchema>;

/** A fill: quantity and value (quantity · price · contract size) are signed, positive buys. */
export interface Fill {
  readonly at: number;
  readonly quantity: Decimal;
  readonly value: Decimal;
  readonly fees: Decimal;
  /** Units per lot. */
  readonly size: string;
  /** From the quote currency to the deployment's, where they differ. */
  readonly rate?: string | undefined;
}

/** A position that went back to zero. */
export interface ClosedPosition {
  readonly side: 'long' | 'short';
  readonly entered: Decimal;
  readonly entry_value: Decimal;
  readonly exit_value: Decimal;
  readonly gross: Decimal;
  readonly fees: Decimal;
  readonly swap: Decimal;
  readonly opened_at: number;
  readonly closed_at: number;
}

interface Filled {
  readonly position: Position | null;
  /** What the fill realised before fees; null where it closed nothing. */
  readonly gross: Decimal | null;
  readonly closed: ClosedPosition | null;
}

const priceOf = ({ at, quantity, value, size, rate }: Fill): NonNullable<Position['filled']> => {
  const price = toText(averagePrice(value, quantity, size));
  return rate === undefined ? [at, price] : [at, price, rate];
};

const open = (fill: Fill): Position => ({
  quantity: toText(fill.quantity),
  cost: toText(fill.value),
  entered: toText(fill.quantity),
  entry_value: toText(fill.value),
  exit_value: '0',
  gross: '0',
  fees: toText(fill.fees),
  swap: '0',
  opened_at: fill.at,
  filled: priceOf(fill),
});

const increase = (position: Position, fill: Fill): Position => ({
  ...position,
  quantity: toText(fill.quantity.plus(position.quantity)),
  cost: toText(fill.value.plus(position.cost)),
  entered: toText(fill.quantity.plus(position.entered)),
  entry_value: toText(fill.value.plus(position.entry_value)),
  fees: toText(fill.fees.plus(position.fees)),
  filled: priceOf(fill),
});

const reduce = (position: Position, fill: Fill): Filled => {
  const { at, quantity, value, fees, rate } = fill;
  const held = decimal(position.quantity);
  const cost = scaled(share(decimal(position.cost), quantity.neg(), held));
  const gross = converted(cost.plus(value).neg(), rate);
  const rest = held.plus(quantity);
  const reduced = {
    exit_value: value.plus(position.exit_value),
    gross: gross.plus(position.gross),
    fees: fees.plus(position.fees),
  };
  if (!rest.eq(0)) {
    const left = {
      ...position,
      quantity: toText(rest),
      cost: toText(decimal(position.cost).minus(cost)),
      exit_value: toText(reduced.exit_value),
      gross: toText(reduced.gross),
      fees: toText(reduced.fees),
      filled: priceOf(fill),
    };
    return { position: left, gross, closed: null };
  }
  const closed: ClosedPosition = {
    ...reduced,
    side: held.gt(0) ? 'long' : 'short',
    entered: decimal(position.entered),
    entry_value: decimal(position.entry_value),
    swap: decimal(position.swap),
    opened_at: position.opened_at,
    closed_at: at,
  };
  return { position: null, gross, closed };
};

/** A correction of fees or of an average price that came without a quantity: realised at once. */
const correct = (position: Position | null, { value, fees, rate }: Fill): Filled => {
  const gross = value.eq(0) ? null : converted(value.neg(), rate);
  if (position === null) return { position, gross, closed: null };
  const corrected = {
    ...position,
    gross: toText(decimal(position.gross).plus(gross ?? 0)),
    fees: toText(fees.plus(position.fees)),
  };
  return { position: corrected, gross, closed: null };
};

/**
 * A position after a fill, at weighted-average cost. A fill through zero is split by quantity: one part closes
 * the position, the rest opens the opposite one.
 */
export const applyFill = (position: Position | null, fill: Fill): Filled => {
  if (fill.quantity.eq(0)) return correct(position, fill);
  if (position === null) return { position: open(fill), gross: null, closed: null };
  const held = decimal(position.quantity);
  if (held.gt(0) === fill.quantity.gt(0)) {
    return { position: increase(position, fill), gross: null, closed: null };
  }
  if (fill.quantity.abs().lte(held.abs())) return reduce(position, fill);
  const closing: Fill = {
    ...fill,
    quantity: held.neg(),
    value: scaled(share(fill.value, held.neg(), fill.quantity)),
    fees: scaled(share(fill.fees, held.neg(), fill.quantity)),
  };
  const opening: Fill = {
    ...fill,
    quantity: fill.quantity.plus(held),
    value: fill.value.minus(closing.value),
    fees: fill.fees.minus(closing.fees),
  };
  return { ...reduce(position, closing), position: open(opening) };
};

/** What closing a position at `price`, and `rate` where there is one, would realise. */
export const unrealized = (position: Position, price: string, contractSize: string, rate?: string): Decimal =>
  converted(scaled(decimal(position.quantity).times(price).times(contractSize)).minus(position.cost), rate);

/** The average price of a value over a quantity; zero quantity has none. */
export const averagePrice = (value: Decimal, quantity: Decimal, contractSize: string): Decimal =>
  quantity.eq(0) ? zero() : value.div(quantity.times(contractSize));
