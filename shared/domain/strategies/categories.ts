import { STRATEGY_ASSET_CLASSES, type StrategyAssetClass, type Timeframe } from './strategies.ts';

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

export const CATEGORY_SLUGS = [...STRATEGY_ASSET_CLASSES, ...STYLES] as const;
export type CategorySlug = (typeof CATEGORY_SLUGS)[number];

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

/** Returns the categories of a strategy: one by asset class, one by style. */
export const categoriesOf = (strategy: {
  readonly asset_class: StrategyAssetClass;
  readonly timeframe: Timeframe;
}): CategorySlug[] => [strategy.asset_class, STYLE_OF[strategy.timeframe]];
