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

const STYLES = ['scalping', 'intraday', 'swing', 'positional'] as const;
type Style = (typeof STYLES)[number];

const STYLE_OF: Readonly<Record<Timeframe, Style>> = {
  '1m': 'scalping',
  '3m': 'scalping',
  '5m': 'scalping',
  '15m': 'intraday',
  '30m': 'intraday',
  '1h': 'intraday',
  '4h': 'swing',
  '1d': 'swing',
  '1w': 'positional',
};

export type CategorySlug = StrategyAssetClass | Style;

interface Category {
  readonly category_id: number;
  readonly slug: CategorySlug;
  readonly name: string;
  readonly description: string;
}

const category = (category_id: number, slug: CategorySlug, name: string, description: string): Category => ({
  category_id,
  slug,
  name,
  description,
});

/** Categories of the explore catalogue, in display order. */
export const CATEGORIES: readonly Category[] = [
  category(1, 'equity', 'Equity', 'Shares of single companies'),
  category(2, 'index', 'Index', 'Stock market indices'),
  category(3, 'forex', 'Forex', 'Currency pairs'),
  category(4, 'commodity', 'Commodity', 'Metals, energy and agriculture'),
  category(5, 'crypto', 'Crypto', 'Digital assets'),
  category(6, 'multi', 'Multi-asset', 'Instruments of several asset classes'),
  category(7, 'scalping', 'Scalping', 'Bars of up to five minutes'),
  category(8, 'intraday', 'Intraday', 'Bars of 15 minutes to an hour'),
  category(9, 'swing', 'Swing', 'Bars of four hours to a day'),
  category(10, 'positional', 'Positional', 'Bars of a week'),
];

/** Returns the asset class of a strategy over instruments of these classes. */
export const assetClassOf = (classes: readonly AssetClass[]): StrategyAssetClass => {
  const [first, ...others] = new Set(classes);
  return first === undefined || others.length > 0 ? 'multi' : first;
};

/** Returns the categories of a strategy: one by asset class, one by style. */
export const categoriesOf = (strategy: {
  readonly asset_class: StrategyAssetClass;
  readonly timeframe: Timeframe;
}): CategorySlug[] => [strategy.asset_class, STYLE_OF[strategy.timeframe]];

/** Returns equal weights in steps of 0.0001 that add up to exactly 1; earlier symbols take the remainder. */
export const equalLegs = (symbols: readonly string[]): { symbol: string; weight: number }[] => {
  const share = Math.floor(10_000 / symbols.length);
  const rest = 10_000 - share * symbols.length;
  return symbols.map((symbol, index) => ({ symbol, weight: (share + (index < rest ? 1 : 0)) / 10_000 }));
};
