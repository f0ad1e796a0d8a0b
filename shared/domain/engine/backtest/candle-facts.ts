import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type BarColumns, barCount, firstBarFrom, sliceBars } from '../../candles/bars.ts';
import { candlesHash } from '../../candles/candles-hash.ts';
import type { SeriesKind } from '../../candles/checks.ts';
import { addQuality, NO_QUALITY, qualityCountsSchema } from '../../candles/quality-counts.ts';

/** Facts on the candles of a symbol that a backtest has read so far. */
export const candleFactsSchema = z.object({
  bars: z.int(),
  /** Digest of all months so far. */
  digest: z.string(),
  quality: qualityCountsSchema,
  /** Derived bars that lack smaller ones. */
  incomplete: z.int(),
  /** Digest of the smaller bars that decided about fills; empty without any. */
  smaller: z.string(),
});

export type CandleFacts = z.output<typeof candleFactsSchema>;

export const NO_FACTS: CandleFacts = {
  bars: 0,
  digest: '',
  quality: NO_QUALITY,
  incomplete: 0,
  smaller: '',
};

/** Returns the start of a month (UTC) after a moment: of the next one, or of a later one. */
export const nextMonth = (at: number, months = 1): number => {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Chains the hashes of months: a run can go on from any month, and any division into months gives one digest. */
const digestOf = (before: string, bars: BarColumns): string => {
  const count = barCount(bars);
  let digest = before;
  for (let from = 0; from < count; ) {
    const start = bars.start[from] ?? 0;
    const to = firstBarFrom(bars, nextMonth(start));
    const month = new Date(start).toISOString().slice(0, 7);
    digest = sha256(`${digest}\n${month}\n${candlesHash([sliceBars(bars, from, to)])}`);
    from = to;
  }
  return digest;
};

/**
 * Adds the candles of whole months.
 *
 * @param incomplete 1 for each derived bar that lacks smaller ones.
 */
export const addCandles = (
  before: CandleFacts,
  bars: BarColumns,
  series: SeriesKind,
  incomplete: Uint8Array | undefined,
): CandleFacts => ({
  ...before,
  bars: before.bars + barCount(bars),
  digest: digestOf(before.digest, bars),
  quality: addQuality(before.quality, bars, series),
  incomplete: before.incomplete + (incomplete?.reduce((sum, flag) => sum + flag, 0) ?? 0),
});

/** Adds the smaller bars that decided about the fills of a bar. */
export const addSmaller = (before: CandleFacts, start: number, smaller: BarColumns): CandleFacts => ({
  ...before,
  smaller: sha256(`${before.smaller}\n${start} ${candlesHash([smaller])}`),
});

/** Returns the hash of the candles of all symbols, with the smaller ones that were used. */
export const hashOfCandles = (
  legs: readonly { readonly symbol: string; readonly facts: CandleFacts }[],
): string => sha256(legs.map(({ symbol, facts }) => `${symbol} ${facts.digest} ${facts.smaller}`).join('\n'));
