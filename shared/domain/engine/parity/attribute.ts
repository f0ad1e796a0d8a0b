import { type Decimal, decimal, scaled, share, zero } from '../../money.ts';

/** A fill of a backtest or of an order book. Amounts are decimal text, times milliseconds. */
export interface ComparedFill {
  readonly client_order_id: string;
  readonly at: number;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  readonly price: string;
  readonly fees: string;
  /** True if it was decided at the close of a bar, not by a price level. */
  readonly isMarket: boolean;
  /** Decision behind it: `entry`, or the cause of an exit. */
  readonly decision: string;
  /** Order that opened the trade: the fill's own for an entry, undefined if it is not known. */
  readonly trade: string | undefined;
}

/** A part of a fill of the backtest, of the account, or of both. */
export interface FillPart {
  readonly quantity: Decimal;
  readonly expected: ComparedFill | undefined;
  readonly found: ComparedFill | undefined;
}

/** Effects on the result of an account, in its currency; negative ones cost. */
export interface Effects {
  readonly slippage: Decimal;
  readonly fees: Decimal;
  readonly delay: Decimal;
  readonly missing: Decimal;
  readonly extra: Decimal;
}

export interface AttributedFill extends Effects {
  readonly part: FillPart;
}

export interface Attribution extends Effects {
  readonly fills: readonly AttributedFill[];
  /** Results with open positions at the mark. */
  readonly real: Decimal;
  readonly backtest: Decimal;
}

/** Prices by which fills of a symbol are judged. */
export interface MarketPrices {
  /** Price of what is open at the end, in both accounts. */
  readonly mark: string;
  readonly contractSize: string;
  /** Returns the first price of the bar in which an order was filled, if it is a later bar than that of the decision. */
  readonly openAt: (at: number, decidedAt: number) => string | undefined;
}

const NONE: Effects = { slippage: zero(), fees: zero(), delay: zero(), missing: zero(), extra: zero() };

const signOf = ({ side }: ComparedFill): 1 | -1 => (side === 'buy' ? 1 : -1);

/** Takes the fees of a part of a fill. The last part of a fill takes what is left, so that rounding loses nothing. */
type TakeFees = (fill: ComparedFill, part: Decimal) => Decimal;

const feeTaker = (): TakeFees => {
  const open = new Map<string, { readonly quantity: Decimal; readonly fees: Decimal }>();
  return ({ client_order_id: id, quantity, fees }, part) => {
    const left = open.get(id) ?? { quantity: decimal(quantity), fees: decimal(fees) };
    const taken = scaled(share(left.fees, part, left.quantity));
    open.set(id, { quantity: left.quantity.minus(part), fees: left.fees.minus(taken) });
    return taken;
  };
};

/** Returns what a purchase or sale adds to the result, up to the mark. */
const addedBy = (fill: ComparedFill, quantity: Decimal, { mark, contractSize }: MarketPrices): Decimal =>
  decimal(mark).minus(fill.price).times(quantity).times(contractSize).times(signOf(fill));

interface Takers {
  readonly expectedFees: TakeFees;
  readonly foundFees: TakeFees;
}

const attributePart = (part: FillPart, prices: MarketPrices, takers: Takers): AttributedFill => {
  const { expected, found, quantity } = part;
  const { expectedFees, foundFees } = takers;
  if (expected && found) {
    const size = quantity.times(prices.contractSize).times(signOf(found));
    const market = expected.isMarket ? prices.openAt(found.at, expected.at) : undefined;
    const reached = decimal(market ?? expected.price);
    return {
      ...NONE,
      part,
      delay: decimal(expected.price).minus(reached).times(size),
      slippage: reached.minus(found.price).times(size),
      fees: expectedFees(expected, quantity).minus(foundFees(found, quantity)),
    };
  }
  if (expected) {
    const missed = addedBy(expected, quantity, prices).minus(expectedFees(expected, quantity));
    return { ...NONE, part, missing: missed.neg() };
  }
  if (!found) return { ...NONE, part };
  return { ...NONE, part, extra: addedBy(found, quantity, prices).minus(foundFees(found, quantity)) };
};

const sumOf = (fills: readonly AttributedFill[], name: keyof Effects): Decimal =>
  fills.reduce((sum, fill) => sum.plus(fill[name]), zero());

const resultOf = (fills: readonly ComparedFill[], prices: MarketPrices): Decimal =>
  fills.reduce(
    (sum, fill) => sum.plus(addedBy(fill, decimal(fill.quantity), prices)).minus(fill.fees),
    zero(),
  );

/**
 * Attributes the difference between the results of an account and of its backtest to their fills. A fill of the signed
 * quantity q (positive is a purchase) at the price p adds q · (mark − p) · contract size − fees to a result. So, exactly:
 *
 *     real − backtest = slippage + fees + delay + missing + extra
 *
 * - both filled: q · (backtest's price − reached price) is delay, q · (reached price − real price) slippage, and what the
 *   broker charged less or more is fees. The reached price is the first one of the bar in which the order was filled, if
 *   that bar is later than the decision's; otherwise the backtest's price.
 * - only the backtest filled: missing, what its fill would have added, with its fees.
 * - only the account filled: extra, what the fill added, with its fees.
 *
 * This is the implementation shortfall of A. F. Perold ("The Implementation Shortfall: Paper versus Reality", Journal of
 * Portfolio Management 14(3), 1988), whose opportunity cost is `missing`, with the execution cost divided into delay and
 * slippage as W. H. Wagner and M. Edwards do ("Best Execution", Financial Analysts Journal 49(1), 1993).
 *
 * @param charged what was charged beyond the fees of fills, such as swap; negative is a charge. It counts as fees.
 */
export const attribute = (
  parts: readonly FillPart[],
  fills: { readonly expected: readonly ComparedFill[]; readonly found: readonly ComparedFill[] },
  prices: MarketPrices,
  charged: { readonly real: Decimal; readonly backtest: Decimal },
): Attribution => {
  const takers = { expectedFees: feeTaker(), foundFees: feeTaker() };
  const attributed = parts.map((part) => attributePart(part, prices, takers));
  const backtest = resultOf(fills.expected, prices).plus(charged.backtest);
  const real = resultOf(fills.found, prices).plus(charged.real);
  const [slippage, delay, missing, extra] = [
    sumOf(attributed, 'slippage'),
    sumOf(attributed, 'delay'),
    sumOf(attributed, 'missing'),
    sumOf(attributed, 'extra'),
  ];
  return {
    fills: attributed,
    real,
    backtest,
    slippage,
    delay,
    missing,
    extra,
    fees: sumOf(attributed, 'fees').plus(charged.real).minus(charged.backtest),
  };
};
