import { wordsOf } from '../words.ts';
import type { Instrument } from './instrument-records.ts';

/** A name contributes so many beginnings at most, which bounds what a search has to read. */
export const MAX_WORDS = 8;
/** The hub's symbol, the part after an exchange's prefix, and the broker's own ticker. */
export const MAX_SYMBOL_TEXTS = 3;
/** A longer text is cut for the index; whoever types more has long seen the instrument. */
export const MAX_TEXT = 64;

const cut = (text: string): string => [...text].slice(0, MAX_TEXT).join('');

/** A text as symbols are searched by: `BTC/USD`, `btc-usd` and `BTCUSD` are one. */
export const symbolText = (text: string): string => wordsOf(text).join('');

/** A text as names are searched by: words in their order. */
export const nameText = (text: string): string => wordsOf(text).join(' ');

/** Where a search looks: the whole catalogue, what a broker offers, or one of its servers. */
export type SearchScope = 'all' | `broker:${number}` | `server:${string}`;

/** The name of a scope may come from a caller; a longer one is nobody's. */
export const MAX_SCOPE = 100;

/** Symbols come before names. */
export const RANKS = { symbol: 0, name: 1 } as const;

/** A text by whose beginning an instrument is found. */
export interface SearchEntry {
  readonly scope: SearchScope;
  readonly rank: (typeof RANKS)[keyof typeof RANKS];
  readonly text: string;
}

/** The name from each of its words on: `apple inc` is found by `app`, `inc` and `apple in`. */
const nameTexts = (name: string): string[] => {
  const words = wordsOf(name);
  return words.slice(0, MAX_WORDS).map((_, index) => words.slice(index).join(' '));
};

const symbolTexts = (symbol: string): string[] =>
  [symbol, symbol.slice(symbol.indexOf(':') + 1)].map(symbolText);

/** Every text by which an instrument is found, in each scope that holds it. */
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
