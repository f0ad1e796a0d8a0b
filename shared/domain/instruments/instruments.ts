export const ASSET_CLASSES = ['equity', 'index', 'forex', 'commodity', 'crypto'] as const;
export type AssetClass = (typeof ASSET_CLASSES)[number];

/** Exchange of the demo market, which never closes. */
export const DEMO_EXCHANGE = 'DEMO';

/** Exchange of recorded bars that are fed once more: each replay has a symbol of its own. */
export const REPLAY_EXCHANGE = 'REPLAY';

/** Returns whether the time of an exchange is not that of the clock. Its figures never count among real ones. */
export const hasOwnClock = (exchange: string | undefined): boolean =>
  exchange === DEMO_EXCHANGE || exchange === REPLAY_EXCHANGE;

const REPLAY_MARK = `.${REPLAY_EXCHANGE}-`;

/** Returns the symbol of a replay; undefined if that of the instrument is too long for one. */
export const replaySymbol = (symbol: string, id: string): string | undefined =>
  normaliseSymbol(`${symbol}${REPLAY_MARK}${id}`);

/** Returns whether a symbol is that of a replay. */
export const isReplaySymbol = (symbol: string): boolean => symbol.includes(REPLAY_MARK);

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
