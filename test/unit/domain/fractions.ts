/** Exact rational arithmetic, to compare the ledger's decimals with. */
export class Fraction {
  readonly top: bigint;
  readonly bottom: bigint;

  constructor(top: bigint, bottom: bigint) {
    const divisor = gcd(top < 0n ? -top : top, bottom);
    this.top = top / divisor;
    this.bottom = bottom / divisor;
  }

  static of(text: string): Fraction {
    const [whole = '0', decimals = ''] = text.split('.');
    return new Fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
  }

  plus(other: Fraction): Fraction {
    return new Fraction(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom);
  }

  minus(other: Fraction): Fraction {
    return this.plus(new Fraction(-other.top, other.bottom));
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.top * other.top, this.bottom * other.bottom);
  }

  over(other: Fraction): Fraction {
    const sign = other.top < 0n ? -1n : 1n;
    return new Fraction(this.top * other.bottom * sign, this.bottom * other.top * sign);
  }

  sign(): -1 | 0 | 1 {
    if (this.top === 0n) return 0;
    return this.top < 0n ? -1 : 1;
  }

  abs(): Fraction {
    return this.sign() < 0 ? new Fraction(-this.top, this.bottom) : this;
  }

  isCloseTo(other: Fraction, decimals: number): boolean {
    const gap = this.minus(other).abs();
    return gap.top * 10n ** BigInt(decimals) < gap.bottom;
  }
}

const gcd = (left: bigint, right: bigint): bigint => {
  let [a, b] = [left, right];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
};

const ZERO = new Fraction(0n, 1n);

/** Weighted-average cost by its definition, in exact fractions. */
export class ExactPosition {
  quantity = ZERO;
  cost = ZERO;
  realized = ZERO;

  fill(quantity: Fraction, value: Fraction): void {
    const isSameSide = this.quantity.sign() === 0 || this.quantity.sign() === quantity.sign();
    if (isSameSide) {
      this.quantity = this.quantity.plus(quantity);
      this.cost = this.cost.plus(value);
      return;
    }
    if (quantity.abs().minus(this.quantity.abs()).sign() > 0) {
      const closing = ZERO.minus(this.quantity);
      const part = value.times(closing).over(quantity);
      this.fill(closing, part);
      this.fill(quantity.minus(closing), value.minus(part));
      return;
    }
    const cost = ZERO.minus(this.cost.times(quantity).over(this.quantity));
    this.realized = this.realized.minus(cost.plus(value));
    this.cost = this.cost.minus(cost);
    this.quantity = this.quantity.plus(quantity);
  }
}
