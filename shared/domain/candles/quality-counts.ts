import * as z from 'zod';
import { type BarColumns, barAt, barCount } from './bars.ts';
import { type SeriesKind, suspicionOf } from './checks.ts';
import { missingBetween } from './quality.ts';

const barSchema = z.object({
  start: z.number(),
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number(),
});

/** Counts of gaps and suspicious bars, which can be continued with the next bars. */
export const qualityCountsSchema = z.object({
  missing: z.int(),
  gaps: z.int(),
  suspicious: z.int(),
  last: barSchema.optional(),
});

export type QualityCounts = z.output<typeof qualityCountsSchema>;

export const NO_QUALITY: QualityCounts = { missing: 0, gaps: 0, suspicious: 0 };

/** Adds bars to counts. Any division of the bars gives the same counts. */
export const addQuality = (before: QualityCounts, bars: BarColumns, series: SeriesKind): QualityCounts => {
  const { calendar, timeframe, assetClass } = series;
  let { missing, gaps, suspicious, last } = before;
  for (let index = 0; index < barCount(bars); index++) {
    const bar = barAt(bars, index);
    if (!bar) break;
    if (suspicionOf(bar, last, assetClass)) suspicious += 1;
    const lacking = last ? missingBetween(calendar, timeframe, last.start, bar.start) : 0;
    missing += lacking;
    if (lacking > 0) gaps += 1;
    last = bar;
  }
  return { missing, gaps, suspicious, ...(last && { last }) };
};
