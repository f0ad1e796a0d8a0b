/** Source of the hub's own events on the bus. No engine may use it. */
export const HUB_SOURCE = 'strategy-hub';

/** Source of the reports of the hub's execution adapter for Alpaca. */
export const ALPACA_SOURCE = `${HUB_SOURCE}.alpaca`;

/** Sources that only functions of the hub may use. */
export const HUB_SOURCES: readonly string[] = [HUB_SOURCE, ALPACA_SOURCE];
