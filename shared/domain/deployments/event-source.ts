/** Source of the hub's own events on the bus. No engine may use it. */
export const HUB_SOURCE = 'strategy-hub';

/** Adapters of the hub that execute orders at brokers. */
export const ADAPTERS = ['alpaca', 'binance'] as const;
export type AdapterName = (typeof ADAPTERS)[number];

/** Returns the source of the reports of an adapter. */
export const sourceOfAdapter = (name: AdapterName): string => `${HUB_SOURCE}.${name}`;

/** Sources that only functions of the hub may use. */
export const HUB_SOURCES: readonly string[] = [HUB_SOURCE, ...ADAPTERS.map(sourceOfAdapter)];
