import type { InstrumentSuggestion } from '../../../../infra/client/package/src/index.ts';
import { sourcesOf } from '../../../../shared/domain/candles/timeframes.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';
import { format } from '../format.ts';

export type StoredCandles = NonNullable<InstrumentSuggestion['candles']>[number];
type PriceState = StoredCandles['prices'];

type Tone = 'good' | 'info' | 'warn';

/** Words for a state of prices, with the tone of their label. */
export interface PriceWords {
  readonly state: PriceState | 'none';
  readonly label: string;
  readonly tone: Tone;
  /** Day of the newest candle, if no more arrive. */
  readonly end?: string;
}

const ARRIVING = {
  live: { label: 'Live', tone: 'good' },
  demo: { label: 'Demo market', tone: 'info' },
  replay: { label: 'Replay', tone: 'info' },
} as const;

const ORDER = ['live', 'demo', 'replay'] as const;

type WriteDay = (start: string, timeframe: Timeframe) => string;

/** Writes the start of a bar as a day, in the locale of the user. */
const dayText: WriteDay = (start) => format.bar(start, '1d').text;

/** Returns the candles from which a timeframe is made: its own, else the largest smaller ones. */
export const candlesFor = (
  candles: readonly StoredCandles[],
  timeframe: Timeframe,
): StoredCandles | undefined =>
  [timeframe, ...sourcesOf(timeframe)]
    .map((wanted) => candles.find((one) => one.timeframe === wanted))
    .find((one) => one !== undefined);

/**
 * Says whether prices of an instrument arrive now.
 *
 * @param timeframe bars that are wanted; any by default.
 */
export const priceWords = (
  candles: readonly StoredCandles[],
  timeframe?: Timeframe,
  writeDay: WriteDay = dayText,
): PriceWords => {
  const own = timeframe && candlesFor(candles, timeframe);
  const wanted = timeframe === undefined ? candles : own ? [own] : [];
  const state = ORDER.find((one) => wanted.some(({ prices }) => prices === one));
  if (state) return { state, ...ARRIVING[state] };
  const newest = wanted.reduce<StoredCandles | undefined>(
    (found, one) => (found && found.to >= one.to ? found : one),
    undefined,
  );
  if (!newest) return { state: 'none', label: 'No candles here', tone: 'warn' };
  const end = writeDay(newest.to, newest.timeframe);
  return { state: 'ended', label: `Ends ${end}`, tone: 'warn', end };
};

/** Writes from when to when candles of each timeframe are stored. */
export const spanTexts = (candles: readonly StoredCandles[], writeDay: WriteDay = dayText): string[] =>
  candles.map(
    ({ timeframe, from, to }) => `${timeframe} ${writeDay(from, timeframe)} – ${writeDay(to, timeframe)}`,
  );

/** Puts instruments that can be tested first, after one whose symbol is the text; keeps the order otherwise. */
export const testableFirst = <T extends Pick<InstrumentSuggestion, 'symbol' | 'candles'>>(
  found: readonly T[],
  text: string,
): T[] => {
  const wanted = text.trim().toUpperCase();
  const rank = ({ symbol, candles = [] }: T): number =>
    symbol.toUpperCase() === wanted ? 0 : candles.length > 0 ? 1 : 2;
  return found.toSorted((left, right) => rank(left) - rank(right));
};
