import * as z from 'zod';
import { converted, type Decimal, decimal, decimalText, scaled, share, toText, zero } from '../money.ts';
import { type Ratio, splitPriceText, splitQuantityText } from '../splits/ratio.ts';

/**
 * An open position. Quantity and values are signed; positive is long. Cost and values are in the symbol's quote
 * currency; results, fees and swap are in the deployment's currency. The open cost is a sum, not an average, so that
 * rounding loses nothing: a partial close takes its share of the cost, and the remainder of rounding that share to 18
 * decimals stays with the rest, down to exactly zero.
 */
export const positionSchema = z.object({
  quantity: decimalText,
  /** Σ quantity · price · contract size of the open part. */
  cost: decimalText,
  /** Quantity entered since the position was last flat; `entry_value`, `exit_value`: values entered and closed. */
  entered: decimalText,
  entry_value: decimalText,
  exit_value: decimalText,
  /** Result of partial closes since then; `fees`, `swap`: charges since then. */
  gross: decimalText,
  fees: decimalText,
  swap: decimalText,
  opened_at: z.number(),
  /** Time, price and rate (if any) of the last fill. */
  filled: z.tuple([z.number(), decimalText, decimalText.optional()]),
});

export type Position = z.output<typeof positionSchema>;

/** A fill. Quantity and value (quantity · price · contract size) are signed; positive is a purchase. */
export interface Fill {
  readonly at: number;
  readonly quantity: Decimal;
  readonly value: Decimal;
  readonly fees: Decimal;
  /** Units per lot. */
  readonly size: string;
  /** Exchange rate from the quote currency to the deployment's, if they differ. */
  readonly rate?: string | undefined;
}

/** A position that returned to zero. */
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
  /** Realised result before fees; null if the fill closed nothing. */
  readonly gross: Decimal | null;
  readonly closed: ClosedPosition | null;
}

const priceOf = ({ at, quantity, value, size, rate }: Fill): Position['filled'] => {
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

/** Applies a correction of fees or average price without a quantity; it is realised at once. */
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
 * Applies a fill to a position at weighted-average cost. A fill through zero is split by quantity: one part closes the
 * position, the rest opens the opposite one.
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

/** Restates a position in new units. Values and results stay as they are. */
export const applySplit = (position: Position, ratio: Ratio): Position => {
  const { quantity, entered, filled, ...values } = position;
  const [at, price, rate] = filled;
  const newPrice = splitPriceText(price, ratio);
  return {
    ...values,
    quantity: splitQuantityText(quantity, ratio),
    entered: splitQuantityText(entered, ratio),
    filled: rate === undefined ? [at, newPrice] : [at, newPrice, rate],
  };
};

/** Returns the result of closing a position at `price`, converted at `rate` if given. */
export const unrealized = (
  position: Pick<Position, 'quantity' | 'cost'>,
  price: string,
  contractSize: string,
  rate?: string,
): Decimal =>
  converted(scaled(decimal(position.quantity).times(price).times(contractSize)).minus(position.cost), rate);

/** Returns the average price of a value over a quantity; zero for zero quantity. */
export const averagePrice = (value: Decimal, quantity: Decimal, contractSize: string): Decimal => {
  if (quantity.eq(0)) return zero();
  return value.div(contractSize === '1' ? quantity : quantity.times(contractSize));
};
