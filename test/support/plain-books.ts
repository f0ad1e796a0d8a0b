import { ExactPosition, Fraction } from '../unit/domain/fractions.ts';

const ZERO = Fraction.of('0');
const of = (amount: number): Fraction => Fraction.of(String(amount));

/** Rounds half to even to a number of decimals. */
const rounded = (amount: Fraction, digits: number): number => {
  const scale = 10n ** BigInt(digits);
  const { top, bottom } = amount.abs();
  const [whole, rest] = [(top * scale) / bottom, (top * scale) % bottom];
  const isUp = rest * 2n > bottom || (rest * 2n === bottom && whole % 2n === 1n);
  const cents = Number(isUp ? whole + 1n : whole);
  return (amount.sign() * cents) / Number(scale) || 0;
};

const DIGITS: Readonly<Record<string, number>> = { JPY: 0, percent: 6 };

/** Formats an amount in a currency like the hub. */
export const shown = (amount: Fraction, currency: string | null): number =>
  rounded(amount, DIGITS[currency ?? ''] ?? 2);

interface Cycle {
  readonly position: ExactPosition;
  /** Result realised before the position was last flat. */
  settled: Fraction;
  fees: Fraction;
  swap: Fraction;
}

/** The books of one deployment, kept by plain addition in exact fractions. */
export class PlainBooks {
  readonly cycles = new Map<string, Cycle>();
  /** Last quote of each symbol; the price of a later fill is in `filledAt`. */
  readonly quotes = new Map<string, Fraction>();
  private readonly filledAt = new Map<string, Fraction>();
  readonly orders: Record<string, number> = {};
  gross = ZERO;
  fees = ZERO;
  swap = ZERO;
  lots = ZERO;
  traded_value = ZERO;
  fills = 0;
  trades = 0;
  wins = 0;

  order(status: string): void {
    this.orders[status] = (this.orders[status] ?? 0) + 1;
  }

  /** @param quantity positive buys */
  fill(symbol: string, quantity: number, price: number, fee: number): void {
    this.order('filled');
    this.fills += 1;
    this.filledAt.set(symbol, of(price));
    const [filled, held] = [of(quantity), this.cycle(symbol).position.quantity];
    const flips = held.sign() * filled.sign() < 0 && filled.abs().minus(held.abs()).sign() > 0;
    const closing = flips ? ZERO.minus(held) : filled;
    const share = of(fee).times(closing).over(filled);
    this.part(symbol, closing, of(price), share);
    if (flips) this.part(symbol, filled.minus(closing), of(price), of(fee).minus(share));
  }

  charge(symbol: string, amount: number): void {
    const cycle = this.cycle(symbol);
    if (cycle.position.quantity.sign() !== 0) cycle.swap = cycle.swap.plus(of(amount));
    this.swap = this.swap.plus(of(amount));
  }

  quote(symbol: string, price: number): void {
    this.quotes.set(symbol, of(price));
    // A fill before the quote is older.
    this.filledAt.delete(symbol);
  }

  get realized(): Fraction {
    return this.gross.minus(this.fees).plus(this.swap);
  }

  /** Values open positions at the newer of quote and fill, and tells whether each ever had a quote. */
  get open(): { readonly unrealized: Fraction; readonly isQuoted: boolean; readonly positions: number } {
    const open = this.held;
    const quoted = open.flatMap(({ position, price }) =>
      price ? [position.quantity.times(price).minus(position.cost)] : [],
    );
    return {
      unrealized: quoted.reduce((sum, each) => sum.plus(each), ZERO),
      isQuoted: quoted.length === open.length,
      positions: open.length,
    };
  }

  /** Returns the open positions by symbol, with their valuation prices. */
  get held(): { symbol: string; position: ExactPosition; price: Fraction | undefined }[] {
    return [...this.cycles]
      .filter(([, { position }]) => position.quantity.sign() !== 0)
      .map(([symbol, { position }]) => ({ symbol, position, price: this.priceOf(symbol) }));
  }

  private priceOf(symbol: string): Fraction | undefined {
    const quote = this.quotes.get(symbol);
    return quote && (this.filledAt.get(symbol) ?? quote);
  }

  private cycle(symbol: string): Cycle {
    const known = this.cycles.get(symbol);
    if (known) return known;
    const made = { position: new ExactPosition(), settled: ZERO, fees: ZERO, swap: ZERO };
    this.cycles.set(symbol, made);
    return made;
  }

  private part(symbol: string, quantity: Fraction, price: Fraction, fee: Fraction): void {
    const cycle = this.cycle(symbol);
    const before = cycle.position.realized;
    cycle.position.fill(quantity, quantity.times(price));
    this.gross = this.gross.plus(cycle.position.realized.minus(before));
    this.fees = this.fees.plus(fee);
    this.lots = this.lots.plus(quantity.abs());
    this.traded_value = this.traded_value.plus(quantity.abs().times(price));
    cycle.fees = cycle.fees.plus(fee);
    if (cycle.position.quantity.sign() !== 0) return;
    const net = cycle.position.realized.minus(cycle.settled).minus(cycle.fees).plus(cycle.swap);
    this.trades += 1;
    if (net.sign() > 0) this.wins += 1;
    cycle.settled = cycle.position.realized;
    cycle.fees = ZERO;
    cycle.swap = ZERO;
  }
}

/** Adds amounts of several books. */
export const sumOver = (books: readonly PlainBooks[], amount: (each: PlainBooks) => Fraction): Fraction =>
  books.reduce((sum, each) => sum.plus(amount(each)), ZERO);

/** Adds counts by status. */
export const countsOver = (books: readonly PlainBooks[]): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const { orders } of books) {
    for (const [status, count] of Object.entries(orders)) sums[status] = (sums[status] ?? 0) + count;
  }
  return sums;
};
