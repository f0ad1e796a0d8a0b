import type { StoredOrder } from '../../data/books/orders.ts';
import type { Ledger } from '../../domain/ledger/ledger-state.ts';
import { lastRate } from '../../domain/ledger/marks.ts';
import { converted, type Decimal, decimal, scaled, toText } from '../../domain/money.ts';
import { type Amount, abs, amountOf, rough, times } from '../../domain/risk/amount.ts';
import { above, checkEntry, type Exceeded, more } from '../../domain/risk/check-entry.ts';
import { type Marks, positionValues } from '../../domain/risk/equity.ts';
import type { MergedLimits } from '../../domain/risk/limits.ts';
import { countOrder, type RiskState } from '../../domain/risk/state.ts';

/** Books before a report, and its time. */
export interface Reported {
  readonly ledger: Ledger;
  /** The order before; undefined for a new one. */
  readonly order: StoredOrder | undefined;
  readonly at: number;
  /** True if the symbol of the order is quoted in another currency than the deployment's. */
  readonly isForeign?: boolean;
  /** Rate of the hub's candles for an order in another currency of which no other is known. */
  readonly hubRate?: string | undefined;
  /** Newer prices than the ledger has. */
  readonly marks?: Marks;
}

/** Returns the signed quantity that is held of a symbol. */
export const heldIn = ({ head }: Ledger, symbol: string): Decimal =>
  decimal(head.symbols[symbol]?.position?.quantity ?? '0');

const isOpposed = (held: Decimal, side: StoredOrder['side']): boolean =>
  side === 'buy' ? held.lt(0) : held.gt(0);

/** Returns whether an order is against the position that is held. */
export const isAgainst = ({ symbol, side }: Pick<StoredOrder, 'symbol' | 'side'>, ledger: Ledger): boolean =>
  isOpposed(heldIn(ledger, symbol), side);

/** Returns the quantity that an order leaves which turns a position around; undefined for others. */
export const leftBy = (
  { symbol, side, quantity }: Pick<StoredOrder, 'symbol' | 'side' | 'quantity'>,
  ledger: Ledger,
): string | undefined => {
  const held = heldIn(ledger, symbol);
  if (!isOpposed(held, side)) return undefined;
  const left = held.plus(side === 'buy' ? quantity : decimal(quantity).neg());
  return held.times(left).lt(0) ? toText(left.abs()) : undefined;
};

/** Returns whether an order opens or adds to a position, or turns it around. @param symbol of the order */
export const isEntry = (
  { side, quantity, filled_quantity }: StoredOrder,
  { ledger, order }: Reported,
  symbol: string,
) => {
  const held = heldIn(ledger, symbol);
  if (!isOpposed(held, side)) return true;
  const left = decimal(quantity).minus(order?.filled_quantity ?? '0');
  return (left.gt(filled_quantity) ? left : decimal(filled_quantity)).gt(held.abs());
};

/** Returns the rate of an order: its own, or the newest of its symbol in the books. */
export const knownRate = ({ symbol, rate }: Pick<StoredOrder, 'symbol' | 'rate'>, ledger: Ledger) =>
  rate ?? lastRate(ledger, symbol) ?? ledger.quotes[symbol]?.at(-1)?.[2];

/**
 * Returns the value of an order at its own price, in the currency of the deployment; undefined without a price, or
 * without a rate to that currency.
 */
const orderValue = (
  order: StoredOrder,
  ledger: Ledger,
  { isForeign = false, hubRate }: Pick<Reported, 'isForeign' | 'hubRate'>,
): Amount | undefined => {
  const { symbol, quantity, price, trigger_price, expected_price, average_price } = order;
  const at = average_price ?? price ?? trigger_price ?? expected_price ?? ledger.quotes[symbol]?.at(-1)?.[1];
  const rate = knownRate(order, ledger) ?? hubRate;
  if (at === undefined || (isForeign && rate === undefined)) return undefined;
  const size = ledger.contract_sizes[symbol] ?? order.contract_size;
  const inQuote = times(times(rough(quantity), rough(at)), rough(size));
  return amountOf(abs(rate === undefined ? inQuote : times(inQuote, rough(rate))), () =>
    converted(scaled(decimal(quantity).times(at).times(size)).abs(), rate),
  );
};

/** Returns whether an order had no price or rate of its own, so that only its first fill tells its value. */
const isUnvalued = (order: StoredOrder, { isForeign = false }: Reported): boolean => {
  const { average_price, price, trigger_price, expected_price, rate } = order;
  return (
    (average_price ?? price ?? trigger_price ?? expected_price) === null || (isForeign && rate === undefined)
  );
};

/** Returns the limit that the fills of an order have exceeded. @param known the order before */
const exceededByFills = (
  limits: MergedLimits,
  order: StoredOrder,
  reported: Reported,
  after: Ledger,
): Exceeded | undefined => {
  const { symbol } = order;
  const { ledger: before, order: known } = reported;
  const own = known && isUnvalued(known, reported) ? orderValue(order, after, reported) : undefined;
  const tooLarge = above('order_value', own, limits.order_value);
  if (tooLarge || !heldIn(after, symbol).abs().gt(heldIn(before, symbol).abs())) return tooLarge;
  const positions = positionValues(after);
  return (
    more('open_positions', positions.size, limits.open_positions) ??
    above('position_value', positions.get(symbol), limits.position_value)
  );
};

/** Counts a reported order, and judges it if it opens or adds to a position. */
export const judgeOrder = (
  limits: MergedLimits,
  before: RiskState,
  order: StoredOrder,
  after: Ledger,
  reported: Reported,
): { readonly state: RiskState; readonly exceeded: Exceeded | undefined } => {
  const { ledger, order: known, at } = reported;
  const { symbol, side, quantity } = order;
  const isNew = known === undefined;
  const state = isNew ? countOrder(before, at) : before;
  if (!isEntry(order, reported, symbol)) return { state, exceeded: undefined };
  const value = orderValue(order, after, reported);
  const left = leftBy({ symbol, side, quantity }, ledger);
  const leaves = left === undefined ? undefined : orderValue({ ...order, quantity: left }, after, reported);
  const entry = { symbol, at, value, leaves };
  const own = isNew ? checkEntry(limits, before, positionValues(ledger), entry) : undefined;
  return { state, exceeded: own ?? exceededByFills(limits, order, reported, after) };
};
