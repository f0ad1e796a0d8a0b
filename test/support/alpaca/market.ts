import { type HeldOrder, isOpen, leftOf, positionSymbol, rounded } from './orders.ts';
import type { Sessions } from './sessions.ts';

/** State of the loopback broker: one account, its orders and positions, and the market. */
export interface Market {
  readonly clock: () => Date;
  /** Orders, oldest first. */
  readonly orders: HeldOrder[];
  /** Positions by symbol without a slash; a short one is negative. */
  readonly positions: Map<string, number>;
  /** Price of symbols that have none of their own. */
  anyPrice: number | undefined;
  /** Prices by symbol without a slash. */
  readonly prices: Map<string, number>;
  /** Units that trade at each price; undefined for any number. */
  liquidity: number | undefined;
  /** Units that still trade at the present price, by symbol without a slash. */
  readonly traded: Map<string, number>;
  /** Sessions of shares. Crypto assets trade at any time. */
  sessions: Sessions;
  /** Time that a cancel, and a replacement, remains pending, in milliseconds. */
  pendingMs: number;
  /** True if the venue rejects replacements after they were answered with success. */
  rejectsReplacements: boolean;
  /** False for a broker that lets orders sell more than the position, and knows of no part that others hold. */
  checksAvailability: boolean;
  /** True if a simple stop that the price has passed is refused; it triggers at once otherwise. */
  refusesPassedStops: boolean;
  /** Part of a purchase of a crypto asset that Alpaca takes from the position. */
  cryptoFee: number;
}

export const priceOf = ({ prices, anyPrice }: Market, symbol: string): number | undefined =>
  prices.get(positionSymbol(symbol)) ?? anyPrice;

export const positionOf = ({ positions }: Market, symbol: string): number =>
  positions.get(positionSymbol(symbol)) ?? 0;

/** Returns the units that trade at the present price. */
export const depthOf = ({ liquidity, traded }: Market, symbol: string): number =>
  liquidity === undefined
    ? Number.POSITIVE_INFINITY
    : rounded(liquidity - (traded.get(positionSymbol(symbol)) ?? 0));

export const trades = (market: Market, { asset_class: asset }: Pick<HeldOrder, 'asset_class'>): boolean =>
  asset === 'crypto' || market.sessions.isOpen(market.clock().getTime());

/** True if the exits of a group wait for an entry, and hold nothing yet. */
export const isWaiting = ({ group }: HeldOrder): boolean =>
  group?.entry !== undefined && group.entry.status !== 'filled';

/** Returns open orders of a side, with those of one group as one: only one of them can trade. */
const openSides = (market: Market, symbol: string, side: HeldOrder['side']): HeldOrder[] => {
  const own = positionSymbol(symbol);
  const groups = new Set<object>();
  return market.orders.filter((order) => {
    const isIt = isOpen(order) && order.side === side && positionSymbol(order.symbol) === own;
    if (!isIt || order.group?.entry === order || !order.group) return isIt;
    if (isWaiting(order) || groups.has(order.group)) return false;
    groups.add(order.group);
    return true;
  });
};

/** Returns the quantity that open orders of a side may trade. */
export const openQuantity = (market: Market, symbol: string, side: HeldOrder['side']): number =>
  rounded(
    openSides(market, symbol, side)
      // A replacement that is not done yet trades for the order that it replaces.
      .filter(({ replaces, status }) => replaces === null || status !== 'pending_new')
      .reduce((sum, order) => sum + leftOf(order), 0),
  );

/** Returns the size of a position that no open order would close. Never negative. */
export const availableOf = (market: Market, symbol: string): number => {
  const held = positionOf(market, symbol);
  const closing = openQuantity(market, symbol, held > 0 ? 'sell' : 'buy');
  return Math.max(0, rounded(Math.abs(held) - closing));
};
