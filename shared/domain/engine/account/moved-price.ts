/**
 * Returns a price moved by a part of itself, up (1) or down (-1). A part of a price below zero is one of its absolute
 * value, so that it has the same direction.
 */
export const movedPrice = (price: number, sign: number, part: number): number =>
  price * (1 + (price < 0 ? -sign : sign) * part);
