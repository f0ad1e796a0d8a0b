import { NO_PERFORMANCE, type Strategy } from '../../shared/data/strategies/strategies.ts';
import type { Instrument } from '../../shared/domain/instruments/instrument-records.ts';
import { ASSET_CLASSES } from '../../shared/domain/instruments/instruments.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';

/** Number of strategies and instruments with the rare word in their name, at any size. */
export const RARE = { word: 'zephyr', count: 5 } as const;

const STYLES = ['Breakout', 'Reversal', 'Momentum', 'Crossover', 'Pullback', 'Carry', 'Squeeze', 'Drift'];
const MANNERS = ['Opening', 'Weekly', 'Quiet', 'Fast', 'Patient', 'Adaptive', 'Classic', 'Nightly', 'Trend'];
const MARKETS = [
  { word: 'Gold', symbol: 'XAUUSD', assetClass: 'commodity' },
  { word: 'Sterling', symbol: 'GBPUSD', assetClass: 'forex' },
  { word: 'Euro', symbol: 'EURUSD', assetClass: 'forex' },
  { word: 'Bitcoin', symbol: 'BTCUSD', assetClass: 'crypto' },
  { word: 'Dax', symbol: 'GER40', assetClass: 'index' },
  { word: 'Apple', symbol: 'AAPL', assetClass: 'equity' },
  { word: 'Oil', symbol: 'BRENT', assetClass: 'commodity' },
] as const;
/** Every fiftieth author has the searched first name. */
const FIRST_NAMES = ['Priya', ...Array.from({ length: 49 }, (_, index) => `Author${index}`)];
const AT = '2026-03-02T10:00:00.000Z';

/** Scrambles a number (Knuth's multiplicative hash). */
const scatter = (n: number): number => Math.imul(n + 1, 2_654_435_761) >>> 0;

const pick = <T>(from: readonly T[], by: number): T => {
  const found = from[by % from.length];
  if (found === undefined) throw new Error('there is nothing to pick from');
  return found;
};

/** Most strategies have few likes and a few have very many. */
const likesOf = (n: number): number => Math.floor(10_000 / ((scatter(n) % 10_000) + 1)) - 1;

/** Returns a published strategy. The words of its name, its symbol and its author vary independently. */
export const strategyAt = (n: number): Strategy => {
  const market = pick(MARKETS, n);
  const rare = n % 20 === 3 && n < 20 * RARE.count ? ` ${RARE.word}` : '';
  const author = scatter(n) % 5000;
  return {
    strategy_id: 300_000_000_000_000 + n,
    strategy_key: `s_${(300_000_000_000_000 + n).toString(36)}_${String(n).padStart(16, '0')}`,
    keygen: `k_${(300_000_000_000_000 + n).toString(36)}_${String(n).padStart(22, '0')}`,
    user_id: `user-${String(author).padStart(17, '0')}`,
    user_key: `u_${String(author).padStart(20, '0')}`,
    author_name: `${pick(FIRST_NAMES, author)} Writer${author}`,
    strategy_name: `${pick(MANNERS, scatter(n) >>> 8)} ${market.word} ${pick(STYLES, scatter(n) >>> 16)}${rare} ${n}`,
    description: 'Buys the break of the first half hour and leaves at the close.',
    symbols: [market.symbol],
    timeframe: pick(TIMEFRAMES, scatter(n) >>> 4),
    asset_class: market.assetClass,
    direction: 'both',
    legs: [{ symbol: market.symbol, weight: 1 }],
    status: 'ready',
    is_copied: 0,
    publish_state: 1,
    profile_seq: n,
    explore_seq: n,
    published_at: AT,
    like_count: likesOf(n),
    copy_count: 0,
    deployment_count: 0,
    performance: NO_PERFORMANCE,
    version: 1,
    order_type: 'market',
    quantity: 1,
    max_allocation_pct: 10,
    created_at: AT,
    updated_at: AT,
  };
};

const NAME_WORDS = [
  ['Global', 'United', 'Northern', 'Pacific', 'Royal', 'First', 'General', 'Alpine'],
  ['Energy', 'Foods', 'Motors', 'Software', 'Chemicals', 'Insurance', 'Mining', 'Textiles'],
  ['Holdings', 'Group', 'Industries', 'Partners'],
] as const;

const LETTERS = 5;

/** Returns five letters that are unique for a number. */
const symbolOf = (n: number): string => {
  const mixed = (n * 7_368_787) % 26 ** LETTERS;
  return Array.from({ length: LETTERS }, (_, at) =>
    String.fromCharCode(65 + (Math.floor(mixed / 26 ** at) % 26)),
  ).join('');
};

/** The broker that lists every third instrument. */
export const BROKER_ID = 7;

/** Returns an instrument of a catalogue with equally many of each class. */
export const instrumentAt = (n: number): Instrument => {
  const symbol = symbolOf(n);
  const words = NAME_WORDS.map((column, index) => pick(column, scatter(n) >>> (6 * index + 3)));
  const rare = n % 5 === 0 && n < 5 * RARE.count ? [RARE.word] : [];
  return {
    symbol,
    name: [...words, ...rare].join(' '),
    exchange: 'BENCH',
    asset_class: pick(ASSET_CLASSES, n),
    quote_currency: 'USD',
    tick_size: 0.01,
    digits: 2,
    contract_size: 1,
    min_volume: 1,
    volume_step: 1,
    tradable: true,
    listings: n % 3 === 0 ? { bench: { broker_id: BROKER_ID, symbol: `${symbol}.b`, servers: [] } } : {},
  };
};
