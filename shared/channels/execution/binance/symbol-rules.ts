import * as z from 'zod';
import { amountInput, type Decimal, decimal, toText } from '../../../domain/money.ts';
import { OrderRefusedError, type OrderToPlace } from '../execution-broker.ts';

/** Filter of quantities. A step of zero switches it off. */
const lot = { minQty: amountInput, stepSize: amountInput };

/** Filters that decide how amounts are rounded. Binance judges the others, which need its own prices. */
const filter = z.discriminatedUnion('filterType', [
  z.object({ filterType: z.literal('LOT_SIZE'), ...lot }),
  z.object({ filterType: z.literal('MARKET_LOT_SIZE'), ...lot }),
  z.object({ filterType: z.literal('PRICE_FILTER'), tickSize: amountInput }),
]);

const symbolSchema = z
  .object({
    symbol: z.string(),
    baseAsset: z.string(),
    quoteAsset: z.string(),
    /** Types of orders in Binance's words. */
    orderTypes: z.array(z.string()),
    ocoAllowed: z.boolean(),
    filters: z.array(filter.optional().catch(undefined)),
  })
  .transform(({ filters, ...rules }) => {
    const lots = filters.filter((one) => one?.filterType === 'LOT_SIZE');
    const marketLots = filters.filter((one) => one?.filterType === 'MARKET_LOT_SIZE');
    const ticks = filters.filter((one) => one?.filterType === 'PRICE_FILTER');
    return { ...rules, lots, marketLots, tickSize: ticks[0]?.tickSize ?? '0' };
  });

/** Rules of a symbol. */
export type SymbolRules = z.output<typeof symbolSchema>;

/** Schema of the rules of one symbol. */
export const rulesSchema = z.object({ symbols: z.tuple([symbolSchema]) });

const ROUND_DOWN = 0;
const ROUND_UP = 3;
/** Part of a step by which a quotient may miss it. */
const NEAR = 1e-9;

const toSteps = (amount: Decimal, step: string, mode: 0 | 3): Decimal => {
  if (decimal(step).eq(0)) return amount;
  const count = amount.div(step);
  const near = count.round(0);
  const whole = count.minus(near).abs().lt(NEAR) ? near : count.round(0, mode);
  return whole.times(step);
};

const lotsOf = ({ lots, marketLots }: SymbolRules, type: OrderToPlace['type']) =>
  // A stop becomes an order at the market.
  type === 'limit' || type === 'stop_limit' ? lots : [...lots, ...marketLots];

/** Rounds a quantity down to what an order of a type may have. */
export const acceptedQuantity = (rules: SymbolRules, type: OrderToPlace['type'], quantity: string): string =>
  toText(
    lotsOf(rules, type).reduce(
      (rounded, { stepSize }) => toSteps(rounded, stepSize, ROUND_DOWN),
      decimal(quantity),
    ),
  );

const acceptedPrice = ({ tickSize }: SymbolRules, price: string, mode: 0 | 3): string =>
  toText(toSteps(decimal(price), tickSize, mode));

/**
 * Rounds prices and quantity to the steps of a symbol, never to the disadvantage of the owner: a limit to the better side,
 * a stop to the later one, a quantity down.
 *
 * @throws OrderRefusedError for a smaller quantity than the smallest.
 */
export const withAcceptedAmounts = (rules: SymbolRules, order: OrderToPlace): OrderToPlace => {
  const { side, type, limitPrice, stopPrice } = order;
  const [better, later] =
    side === 'buy' ? ([ROUND_DOWN, ROUND_UP] as const) : ([ROUND_UP, ROUND_DOWN] as const);
  const quantity = acceptedQuantity(rules, type, order.quantity);
  const isTooSmall = lotsOf(rules, type).some(({ minQty }) => decimal(quantity).lt(minQty));
  if (isTooSmall || decimal(quantity).eq(0)) {
    throw new OrderRefusedError(`The quantity is smaller than the smallest of ${rules.symbol} at Binance.`);
  }
  return {
    ...order,
    quantity,
    ...(limitPrice !== undefined && { limitPrice: acceptedPrice(rules, limitPrice, better) }),
    ...(stopPrice !== undefined && { stopPrice: acceptedPrice(rules, stopPrice, later) }),
  };
};
