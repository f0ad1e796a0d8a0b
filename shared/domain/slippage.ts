import * as z from 'zod';
import { type Decimal, decimal, toMoney, toText } from './money.ts';

/** What is needed of an order that was expected at one price and filled at another. */
export interface SlippedOrder {
  readonly side: 'buy' | 'sell';
  readonly expected_price: string | null;
  readonly average_price: string | null;
  readonly filled_quantity: string;
  /** Quantity, price and contract size multiplied. */
  readonly filled_value: string;
  readonly currency: string;
}

export interface Slippage {
  readonly expected_price: number;
  readonly fill_price: number;
  /** Price units; positive is to the trader's disadvantage, as in the next two. */
  readonly slippage: number;
  readonly slippage_bps: number;
  readonly slippage_amount: number;
}

const BASIS_POINTS = 10_000;
/** Decimals of basis points on the wire. */
const BPS_SCALE = 4;

const rounded = (value: Decimal): number => value.round(BPS_SCALE).toNumber();

/**
 * How much worse an order was filled than expected: side · (fill − expected), in basis points of the
 * expected price. Undefined without an expectation or a fill.
 */
export const slippageOf = (order: SlippedOrder): Slippage | undefined => {
  const { side, expected_price, average_price, filled_quantity, filled_value, currency } = order;
  if (expected_price === null || average_price === null || decimal(filled_quantity).eq(0)) return undefined;
  const [expected, fill] = [decimal(expected_price), decimal(average_price)];
  if (expected.lte(0) || fill.eq(0)) return undefined;
  const slippage = side === 'buy' ? fill.minus(expected) : expected.minus(fill);
  return {
    expected_price: expected.toNumber(),
    fill_price: fill.toNumber(),
    slippage: slippage.toNumber(),
    slippage_bps: rounded(slippage.div(expected).times(BASIS_POINTS)),
    slippage_amount: toMoney(toText(decimal(filled_value).times(slippage).div(fill)), currency),
  };
};

const figure = z.number().nullable();

/** What slippage records come to; null of none. */
export const slippageSummarySchema = z.object({
  count: z.int(),
  mean_bps: figure,
  median_bps: figure,
  p95_bps: figure,
  worst_bps: figure,
  /** Null where the records are in several currencies. */
  total_amount: figure,
  currency: z.string().nullable(),
});

export type SlippageSummary = z.output<typeof slippageSummarySchema>;

const NONE: SlippageSummary = {
  count: 0,
  mean_bps: null,
  median_bps: null,
  p95_bps: null,
  worst_bps: null,
  total_amount: null,
  currency: null,
};

/** The least of the sorted values that a share of them does not exceed (nearest rank). */
const quantile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;

const median = (sorted: readonly number[]): number | null => {
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return lower === undefined || upper === undefined ? null : rounded(decimal(lower).plus(upper).div(2));
};

/** Sums up slippage records: mean, median, 95th percentile by nearest rank, and the worst. */
export const summariseSlippage = (
  records: readonly (Pick<Slippage, 'slippage_bps' | 'slippage_amount'> & { readonly currency: string })[],
): SlippageSummary => {
  const sorted = records.map(({ slippage_bps }) => slippage_bps).sort((left, right) => left - right);
  if (sorted.length === 0) return NONE;
  const currencies = new Set(records.map(({ currency }) => currency));
  const [currency = null] = currencies.size === 1 ? currencies : [];
  const add = (sum: Decimal, value: number): Decimal => sum.plus(value);
  const total = records.map(({ slippage_amount }) => slippage_amount).reduce(add, decimal(0));
  return {
    count: sorted.length,
    mean_bps: rounded(sorted.reduce(add, decimal(0)).div(sorted.length)),
    median_bps: median(sorted),
    p95_bps: quantile(sorted, 0.95),
    worst_bps: sorted.at(-1) ?? null,
    total_amount: currency === null ? null : total.toNumber(),
    currency,
  };
};
