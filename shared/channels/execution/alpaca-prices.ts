import { decimal, toText } from '../../domain/money.ts';
import type { ExitToPlace, OrderToPlace } from './execution-broker.ts';

/** Decimals of prices of shares: cents from one dollar on, hundredths of a cent below. */
const CENTS = 2;
const SUB_CENTS = 4;
/** Decimals of prices of crypto assets, and of quantities. */
const FINE = 9;

const ROUND_DOWN = 0;
const ROUND_UP = 3;

const roundPrice = (price: string, assetClass: OrderToPlace['assetClass'], mode: 0 | 3): string => {
  const exact = decimal(price);
  const digits = exact.lt(1) ? SUB_CENTS : CENTS;
  return toText(exact.round(assetClass === 'crypto' ? FINE : digits, mode));
};

/**
 * Rounds prices and quantity to what Alpaca accepts, never to the disadvantage of the owner: a limit to the better side, a
 * stop to the later one, a quantity down.
 */
export const withAcceptedPrices = (order: OrderToPlace): OrderToPlace => {
  const { side, assetClass, limitPrice, stopPrice, quantity } = order;
  const [better, later] =
    side === 'buy' ? ([ROUND_DOWN, ROUND_UP] as const) : ([ROUND_UP, ROUND_DOWN] as const);
  return {
    ...order,
    quantity: acceptedQuantity(quantity),
    ...(limitPrice !== undefined && { limitPrice: roundPrice(limitPrice, assetClass, better) }),
    ...(stopPrice !== undefined && { stopPrice: roundPrice(stopPrice, assetClass, later) }),
  };
};

/**
 * Rounds prices and quantity of an exit in the same way, and the limit of a `stop_limit` to the side on which it fills
 * sooner.
 */
export const withAcceptedExit = <
  E extends Pick<ExitToPlace, 'side' | 'assetClass' | 'stopPrice' | 'targetPrice' | 'limitPrice'>,
>(
  exit: E,
): E => {
  const { side, assetClass, stopPrice, targetPrice, limitPrice } = exit;
  const [better, later] =
    side === 'buy' ? ([ROUND_DOWN, ROUND_UP] as const) : ([ROUND_UP, ROUND_DOWN] as const);
  return {
    ...exit,
    ...(stopPrice !== undefined && { stopPrice: roundPrice(stopPrice, assetClass, later) }),
    ...(targetPrice !== undefined && { targetPrice: roundPrice(targetPrice, assetClass, better) }),
    ...(limitPrice !== undefined && { limitPrice: roundPrice(limitPrice, assetClass, later) }),
  };
};

/** Rounds a quantity down to what Alpaca takes. */
export const acceptedQuantity = (quantity: string): string =>
  toText(decimal(quantity).round(FINE, ROUND_DOWN));
