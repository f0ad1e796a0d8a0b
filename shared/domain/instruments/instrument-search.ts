import { wordsOf } from '../words.ts';
import type { Instrument } from './instrument-records.ts';

/** The most words of a name that are indexed. Bounds the entries that a search reads. */
export const MAX_WORDS = 8;
/** Symbol texts of an instrument: the hub's symbol, its part after the exchange's prefix, and the broker's ticker. */
export const MAX_SYMBOL_TEXTS = 3;
/** Characters of a text that are indexed; a longer search text adds nothing. */
export const MAX_TEXT = 64;

const cut = (text: string): string => [...text].slice(0, MAX_TEXT).join('');

/** Normalises a symbol for searching: `BTC/USD`, `btc-usd` and `BTCUSD` are equal. */
export const symbolText = (text: string): string => wordsOf(text).join('');

/** Normalises a name for searching: its words in order. */
export const nameText = (text: string): string => wordsOf(text).join(' ');

/** Scope of a search: the whole catalogue, a broker, or one of its servers. */
export type SearchScope = 'all' | `broker:${number}` | `server:${string}`;

/** Bounds the name of a scope, which may come from a caller; a longer one is unknown. */
export const MAX_SCOPE = 100;

/** Ranks of matches: symbols come before names. */
export const RANKS = { symbol: 0, name: 1 } as const;

/** A text of the index; an instrument is found by its prefixes. */
export interface SearchEntry {
  readonly scope: SearchScope;
  readonly rank: (typeof RANKS)[keyof typeof RANKS];
  readonly text: string;
}

/** Returns the name from each word on: `app`, `inc` and `apple in` find `apple inc`. */
const nameTexts = (name: string): string[] => {
  const words = wordsOf(name);
  return words.slice(0, MAX_WORDS).map((_, index) => words.slice(index).join(' '));
};

const symbolTexts = (symbol: string): string[] =>
  [symbol, symbol.slice(symbol.indexOf(':') + 1)].map(symbolText);

/** Returns every search text of an instrument, in each scope that contains it. */
export const searchEntriesOf = ({ symbol, name, listings }: Instrument): SearchEntry[] => {
  const symbols = symbolTexts(symbol);
  const names = nameTexts(name);
  const within = (scope: SearchScope, texts: readonly string[]): SearchEntry[] => [
    ...[...new Set(texts.map(cut))].map((text) => ({ scope, rank: RANKS.symbol, text })),
    ...[...new Set(names.map(cut))].map((text) => ({ scope, rank: RANKS.name, text })),
  ];
  return [
    ...within('all', symbols),
    ...Object.values(listings).flatMap(({ broker_id, symbol: ticker, servers }) => {
      const texts = [...symbols, symbolText(ticker)];
      const scopes: SearchScope[] = [
        `broker:${broker_id}`,
        ...servers.map((server) => `server:${server}` as const),
      ];
      return scopes.flatMap((scope) => within(scope, texts));
    }),
  ].filter(({ text }) => text !== '');
};
