import { ASSET_CLASSES, type AssetClass } from '../instruments/instruments.ts';

/** Bar lengths of strategies, shortest first. */
export const TIMEFRAMES = ['1m', '3m', '5m', '15m', '30m', '1h', '4h', '1d', '1w'] as const;
export type Timeframe = (typeof TIMEFRAMES)[number];

/** Visibility of a strategy: owner only, public on the profile, or by share key. */
export const PUBLISH_STATES = { private: 0, public: 1, link: 2 } as const;
export type PublishState = (typeof PUBLISH_STATES)[keyof typeof PUBLISH_STATES];

export const DIRECTIONS = ['long', 'short', 'both'] as const;
/** Permission to copy the rules of a visible strategy: everyone or no one. */
export const RULES_VISIBILITIES = ['open', 'closed'] as const;
export const STRATEGY_STATUSES = ['draft', 'ready', 'archived'] as const;

/** Asset classes of strategies: that of all instruments, or `multi`. */
export const STRATEGY_ASSET_CLASSES = [...ASSET_CLASSES, 'multi'] as const;
export type StrategyAssetClass = (typeof STRATEGY_ASSET_CLASSES)[number];

/** Returns the asset class of a strategy over instruments of these classes. */
export const assetClassOf = (classes: readonly AssetClass[]): StrategyAssetClass => {
  const [first, ...others] = new Set(classes);
  return first === undefined || others.length > 0 ? 'multi' : first;
};

/** Returns equal weights in steps of 0.0001 that add up to exactly 1; earlier symbols take the remainder. */
export const equalLegs = (symbols: readonly string[]): { symbol: string; weight: number }[] => {
  const share = Math.floor(10_000 / symbols.length);
  const rest = 10_000 - share * symbols.length;
  return symbols.map((symbol, index) => ({ symbol, weight: (share + (index < rest ? 1 : 0)) / 10_000 }));
};
