export const ASSET_CLASSES = ['equity', 'index', 'forex', 'commodity', 'crypto'] as const;
export type AssetClass = (typeof ASSET_CLASSES)[number];

/** Indices and commodities may be futures, spreads or contracts for difference: these trade at and below zero. */
const ALWAYS_POSITIVE: ReadonlySet<AssetClass> = new Set(['equity', 'forex', 'crypto']);

/** Whether no instrument of a class ever has a price of zero or less. */
export const isAlwaysPositive = (assetClass: AssetClass): boolean => ALWAYS_POSITIVE.has(assetClass);

/** How a swap rate is meant: pips or points of price per night, or percent of the value per year. */
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

/** The form in which a symbol is stored and compared; undefined where it can be no symbol. */
export const normaliseSymbol = (text: string): string | undefined => {
  const symbol = text.normalize('NFKC').trim().toUpperCase();
  return SYMBOL.test(symbol) ? symbol : undefined;
};

/** The decimals that a price of this tick size has. */
export const digitsOf = (tickSize: number): number => {
  const [mantissa = '', exponent = '0'] = String(tickSize).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
};
