import * as z from 'zod';
import { converted, type Decimal, decimal, toMoney, toText } from '../money.ts';

/** The fields of an order that slippage is computed from. */
export interface SlippedOrder {
  readonly side: 'buy' | 'sell';
  readonly expected_price: string | null;
  readonly average_price: string | null;
  readonly filled_quantity: string;
  /** Units per lot. */
  readonly contract_size: string;
  /** Exchange rate from the quote currency to `currency`, if they differ. */
  readonly rate?: string | undefined;
  readonly currency: string;
}

export interface Slippage {
  readonly expected_price: number;
  readonly fill_price: number;
  /** In price units. This and the next two are positive if adverse for the trader. */
  readonly slippage: number;
  /** Null if the expected price is zero. */
  readonly slippage_bps: number | null;
  readonly slippage_amount: number;
}

const BASIS_POINTS = 10_000;
/** Decimals of basis points on the wire. */
const BPS_SCALE = 4;

const rounded = (value: Decimal): number => value.round(BPS_SCALE).toNumber();

/**
 * Computes slippage: side · (fill − expected), also in basis points of the absolute expected price, so that positive is
 * adverse at negative prices too.
 *
 * @returns undefined without an expected price or a fill.
 */
export const slippageOf = (order: SlippedOrder): Slippage | undefined => {
  const { side, expected_price, average_price, filled_quantity, contract_size, rate, currency } = order;
  if (expected_price === null || average_price === null || decimal(filled_quantity).eq(0)) return undefined;
  const [expected, fill] = [decimal(expected_price), decimal(average_price)];
  const slippage = side === 'buy' ? fill.minus(expected) : expected.minus(fill);
  const amount = decimal(filled_quantity).times(contract_size).times(slippage);
  return {
    expected_price: expected.toNumber(),
    fill_price: fill.toNumber(),
    slippage: slippage.toNumber(),
    slippage_bps: expected.eq(0) ? null : rounded(slippage.div(expected.abs()).times(BASIS_POINTS)),
    slippage_amount: toMoney(toText(converted(amount, rate)), currency),
  };
};

const figure = z.number().nullable();

/** Summary of slippage records; figures are null without records. Basis points cover the records that have them. */
export const slippageSummarySchema = z.object({
  count: z.int(),
  mean_bps: figure,
  median_bps: figure,
  p95_bps: figure,
  worst_bps: figure,
  /** Null if the records have several currencies. */
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

/** Returns the quantile of sorted values by nearest rank; null without values. */
const quantile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;

const median = (sorted: readonly number[]): number | null => {
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return lower === undefined || upper === undefined ? null : rounded(decimal(lower).plus(upper).div(2));
};

/** Summarises slippage records: mean, median, 95th percentile by nearest rank, and the worst. */
export const summariseSlippage = (
  records: readonly (Pick<Slippage, 'slippage_bps' | 'slippage_amount'> & { readonly currency: string })[],
): SlippageSummary => {
  if (records.length === 0) return NONE;
  const sorted = records
    .flatMap(({ slippage_bps }) => slippage_bps ?? [])
    .sort((left, right) => left - right);
  const currencies = new Set(records.map(({ currency }) => currency));
  const [currency = null] = currencies.size === 1 ? currencies : [];
  const add = (sum: Decimal, value: number): Decimal => sum.plus(value);
  const total = records.map(({ slippage_amount }) => slippage_amount).reduce(add, decimal(0));
  return {
    count: records.length,
    mean_bps: sorted.length === 0 ? null : rounded(sorted.reduce(add, decimal(0)).div(sorted.length)),
    median_bps: median(sorted),
    p95_bps: quantile(sorted, 0.95),
    worst_bps: sorted.at(-1) ?? null,
    total_amount: currency === null ? null : total.toNumber(),
    currency,
  };
};
