import * as z from 'zod';
import { add, type Decimal, decimal, decimalText, toText, zero } from '../money.ts';
import { own } from '../own.ts';
import type { FillEntry } from './entries.ts';

/** The part of a position that an order opened and that is still open. */
const lotSchema = z.tuple([
  z.string().describe('client_order_id'),
  decimalText.describe('quantity, unsigned'),
]);

export type Lot = z.output<typeof lotSchema>;

/**
 * The open lots of positions by symbol, oldest first. A position may hold more than its lots: that part is older
 * than all of them, and its orders are not distinguished.
 */
export const lotsSchema = z.object({
  /** Fills that the books had when the lots were kept last: a version that does not keep lots leaves them behind. */
  fills: z.int(),
  open: z.record(z.string(), z.array(lotSchema)),
});

export type Lots = z.output<typeof lotsSchema>;

/** Lots that a ledger keeps in all. */
export const MAX_LOTS = 500;

const least = (left: Decimal, right: Decimal): Decimal => (left.lt(right) ? left : right);

export const sizeOfLots = (lots: readonly Lot[]): Decimal =>
  lots.reduce((sum, [, quantity]) => sum.plus(quantity), zero());

/** The part of a position that is in no lot: the oldest one. */
export const unattributedPart = (lots: readonly Lot[], held: Decimal): Decimal => {
  const rest = held.abs().minus(sizeOfLots(lots));
  return rest.gt(0) ? rest : zero();
};

const append = (lots: readonly Lot[], id: string, quantity: Decimal): Lot[] => {
  const last = lots.at(-1);
  if (last?.[0] === id) return [...lots.slice(0, -1), [id, add(last[1], quantity)]];
  return [...lots, [id, toText(quantity)]];
};

/** Takes up to a quantity from the lots, oldest first. */
const take = (lots: readonly Lot[], quantity: Decimal, id?: string): { lots: Lot[]; rest: Decimal } => {
  let rest = quantity;
  const left = lots.flatMap(([of, size]): Lot[] => {
    if (rest.lte(0) || (id !== undefined && of !== id)) return [[of, size]];
    const taken = least(rest, decimal(size));
    rest = rest.minus(taken);
    return taken.eq(size) ? [] : [[of, toText(decimal(size).minus(taken))]];
  });
  return { lots: left, rest };
};

/**
 * The lots of a position after a fill. A fill the other way closes the oldest lots first, but for a fill by hand
 * and a fill that was taken back: these close the lots of their own order before any other.
 *
 * @param held the position before the fill, positive is long.
 * @param closes the order that the fill closes before any other.
 */
export const lotsAfter = (
  lots: readonly Lot[],
  held: Decimal,
  [, , , id, , filled]: FillEntry,
  closes = id,
): readonly Lot[] => {
  const quantity = decimal(filled);
  if (quantity.eq(0)) return lots;
  if (held.eq(0) || held.gt(0) === quantity.gt(0)) return append(lots, id, quantity.abs());
  const beyond = quantity.abs().minus(held.abs());
  if (beyond.gte(0)) return beyond.eq(0) ? [] : [[id, toText(beyond)]];
  const own = take(lots, quantity.abs(), closes);
  return take(own.lots, own.rest.minus(unattributedPart(lots, held))).lots;
};

const withinMax = (open: Lots['open']): Lots['open'] => {
  let excess = Object.values(open).reduce((count, { length }) => count + length, 0) - MAX_LOTS;
  const bounded = { ...open };
  while (excess > 0) {
    const [longest] = Object.entries(bounded).sort(([, left], [, right]) => right.length - left.length);
    if (longest === undefined) break;
    bounded[longest[0]] = longest[1].slice(1);
    excess -= 1;
  }
  return bounded;
};

/** The lots of a symbol, where they are of books with so many fills. */
export const lotsIn = (lots: Lots | undefined, fills: number, symbol: string): readonly Lot[] =>
  lots?.fills === fills ? (own(lots.open, symbol) ?? []) : [];

/**
 * The lots after a fill.
 *
 * @param fills of the books before this one.
 */
export const withFill = (
  lots: Lots | undefined,
  fills: number,
  held: Decimal,
  fill: FillEntry,
  closes?: string,
): Lots => {
  const [, , symbol, , , quantity] = fill;
  const { [symbol]: _, ...others } = lots?.fills === fills ? lots.open : {};
  const next = lotsAfter(lotsIn(lots, fills, symbol), held, fill, closes);
  return {
    ...lots,
    fills: decimal(quantity).eq(0) ? fills : fills + 1,
    open: withinMax(next.length === 0 ? others : { ...others, [symbol]: [...next] }),
  };
};
