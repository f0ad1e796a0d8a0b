import type { InstrumentSuggestion } from '../../../../infra/client/package/src/index.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';
import { candlesFor, type PriceWords, priceWords, type StoredCandles } from '../instruments/candle-words.ts';

/** Instruments of a strategy by symbol. Those that the catalogue does not have are missing. */
export type Instruments = ReadonlyMap<string, InstrumentSuggestion>;

/** Symbol of which no prices arrive, and the reason. */
export interface Unpriced {
  readonly symbol: string;
  readonly words: PriceWords;
}

/** Returns the symbols of which no prices arrive. One that the catalogue does not have is left to the service. */
export const unpricedOf = (
  symbols: readonly string[],
  instruments: Instruments,
  timeframe: Timeframe,
): Unpriced[] =>
  symbols.flatMap((symbol) => {
    const one = instruments.get(symbol);
    if (!one) return [];
    const words = priceWords(one.candles ?? [], timeframe);
    return words.state === 'ended' || words.state === 'none' ? [{ symbol, words }] : [];
  });

/** Facts of a strategy that decide whether recorded candles can be replayed for it. */
interface Replayable {
  readonly symbols: readonly string[];
  readonly timeframe: Timeframe;
  readonly rules_hash: string | null;
}

/** Returns the recorded candles that a replay feeds: those of a strategy with rules over one instrument of a real market. */
export const replayableOf = (
  { symbols, timeframe, rules_hash }: Replayable,
  instruments: Instruments,
): StoredCandles | undefined => {
  const [symbol] = symbols;
  if (rules_hash === null || symbol === undefined || symbols.length > 1) return undefined;
  const found = candlesFor(instruments.get(symbol)?.candles ?? [], timeframe);
  return found?.prices === 'demo' ? undefined : found;
};

const DAY_MS = 86_400_000;
/** Part of recorded candles that a replay usually feeds. */
const YEAR_MS = 365 * DAY_MS;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Returns the days from which candles can be replayed, and the usual one: a year before the end. */
export const replayDays = ({ from, to }: StoredCandles): { first: string; last: string; usual: string } => {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return { first: dayOf(first), last: dayOf(last), usual: dayOf(Math.max(first, last - YEAR_MS)) };
};
