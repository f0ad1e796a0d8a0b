export const ASSET_CLASSES = ['equity', 'index', 'forex', 'commodity', 'crypto'] as const;
export type AssetClass = (typeof ASSET_CLASSES)[number];

/** Exchange of the demo market, which never closes. */
export const DEMO_EXCHANGE = 'DEMO';

/** Classes without zero or negative prices. Indices and commodities may be futures, spreads or CFDs. */
const ALWAYS_POSITIVE: ReadonlySet<AssetClass> = new Set(['equity', 'forex', 'crypto']);

/** Returns whether prices of an asset class are always above zero. */
export const isAlwaysPositive = (assetClass: AssetClass): boolean => ALWAYS_POSITIVE.has(assetClass);

/** Units of a swap rate: pips or points of price per night, or percent of the value per year. */
export const SWAP_CALCULATIONS = ['pips', 'percentage', 'points'] as const;

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

export const SYMBOL = /^[A-Z0-9][A-Z0-9._:/&-]{0,31}$/;

/** Returns the stored form of a symbol; undefined if the text cannot be a symbol. */
export const normaliseSymbol = (text: string): string | undefined => {
  const symbol = text.normalize('NFKC').trim().toUpperCase();
  return SYMBOL.test(symbol) ? symbol : undefined;
};

/** Returns the decimals of a price with this tick size. */
export const digitsOf = (tickSize: number): number => {
  const [mantissa = '', exponent = '0'] = String(tickSize).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
};
