import * as z from 'zod';
import { add, type Decimal, decimal, decimalText, toText, zero } from '../money.ts';
import { type Ratio, splitQuantityText } from '../splits/ratio.ts';
import { own } from '../unknown-fields.ts';
import type { FillEntry } from './entries.ts';

/** The open part of a position that one order opened. */
const lotSchema = z.tuple([
  z.string().describe('client_order_id'),
  decimalText.describe('quantity, unsigned'),
]);

export type Lot = z.output<typeof lotSchema>;

/**
 * Open lots of positions by symbol, oldest first. A position may be larger than its lots: that part is older than all
 * of them, and its orders are unknown.
 */
export const lotsSchema = z.record(z.string(), z.array(lotSchema));

export type Lots = z.output<typeof lotsSchema>;

/** Most lots that a ledger keeps in total. */
export const MAX_LOTS = 500;

const least = (left: Decimal, right: Decimal): Decimal => (left.lt(right) ? left : right);

/** Returns the total quantity of lots. */
export const sizeOfLots = (lots: readonly Lot[]): Decimal =>
  lots.reduce((sum, [, quantity]) => sum.plus(quantity), zero());

/** Returns the part of a position that is in no lot, which is the oldest part. */
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
 * Returns the lots of a position after a fill. An opposite fill closes the oldest lots first. A fill by hand, or one that
 * was taken back, closes the lots of its own order first.
 *
 * @param held the position before the fill; positive is long.
 * @param closes the order that the fill closes first.
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

const withinMax = (open: Lots): Lots => {
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

/** Returns the lots of a symbol; empty without any. */
export const lotsIn = (lots: Lots, symbol: string): readonly Lot[] => own(lots, symbol) ?? [];

/** Restates lots in new units. */
export const splitLots = (lots: readonly Lot[], ratio: Ratio): Lot[] =>
  lots.map(([id, quantity]) => [id, splitQuantityText(quantity, ratio)]);

/** Applies a fill to the lots. */
export const withFill = (lots: Lots, held: Decimal, fill: FillEntry, closes?: string): Lots => {
  const [, , symbol] = fill;
  const { [symbol]: _, ...others } = lots;
  const next = lotsAfter(lotsIn(lots, symbol), held, fill, closes);
  return withinMax(next.length === 0 ? others : { ...others, [symbol]: [...next] });
};
