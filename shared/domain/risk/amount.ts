import { type Decimal, decimal } from '../money.ts';

/**
 * A double, and the size of the numbers that it was computed from: the sum of their magnitudes. Whatever cancels out, it is
 * wrong by a tiny part of that size only.
 */
export interface Rough {
  readonly value: number;
  readonly size: number;
}

/** Part of the size that doubles are never wrong by; far more than their error of some 1e-16 for each step. */
const ERROR = 1e-9;
/** Size that a product has at least: of it, rounding to the decimals of stored amounts is less than the error. */
const LEAST_SIZE = 1e-6;

/** Returns a number as a double. */
export const rough = (amount: string | number): Rough => {
  const value = Number(amount);
  return { value, size: Math.abs(value) };
};

/** Adds doubles. */
export const plus = (left: Rough, right: Rough): Rough => ({
  value: left.value + right.value,
  size: left.size + right.size,
});

/** Subtracts doubles. */
export const minus = (left: Rough, right: Rough): Rough => ({
  value: left.value - right.value,
  size: left.size + right.size,
});

/** Multiplies doubles. */
export const times = (left: Rough, right: Rough): Rough => ({
  value: left.value * right.value,
  size: left.size * right.size + LEAST_SIZE,
});

/** Returns a double without sign. */
export const abs = ({ value, size }: Rough): Rough => ({ value: Math.abs(value), size });

/** Returns a part of a double. @param part a number from 0 to 1. */
export const partOf = ({ value, size }: Rough, part: number): Rough => ({
  value: value * part,
  size: size * part,
});

/**
 * Returns whether an amount is certainly below a bound. False does not mean that it is not: then only exact decimals tell.
 * Numbers beyond the range of doubles are never sure.
 */
export const isSurelyBelow = (used: Rough, bound: Rough): boolean =>
  used.value + used.size * ERROR < bound.value - bound.size * ERROR;

/**
 * An amount that is compared with a limit: as a double, and in exact decimals, which are computed only if the double is too
 * near to the limit to be sure.
 */
export interface Amount {
  readonly rough: Rough;
  readonly exact: () => Decimal;
}

/** Returns an amount. @param exact runs once at most. */
export const amountOf = (value: Rough, exact: () => Decimal): Amount => {
  let known: Decimal | undefined;
  return {
    rough: value,
    exact: () => {
      known ??= exact();
      return known;
    },
  };
};

/** Returns the amount of an exact number. */
export const exactAmount = (amount: Decimal): Amount => ({
  rough: rough(amount.toNumber()),
  exact: () => amount,
});

/** Returns the amount of a stored text. */
export const storedAmount = (text: string): Amount => amountOf(rough(text), () => decimal(text));

/** Adds amounts. */
export const sumOf = (left: Amount, right: Amount): Amount =>
  amountOf(plus(left.rough, right.rough), () => left.exact().plus(right.exact()));

/** Returns whether an amount is more than a limit. */
export const exceeds = (used: Amount, allowed: string): boolean =>
  !isSurelyBelow(used.rough, rough(allowed)) && used.exact().gt(allowed);
