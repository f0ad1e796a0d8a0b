import type { Bar, BarColumns } from '../../domain/candles/bars.ts';
import { barAt, barCount } from '../../domain/candles/bars.ts';
import { type SeriesSplit, splitBars } from '../../domain/splits/split-bars.ts';
import type { Series } from './series.ts';

/** Returns all splits of a series, oldest first: those that are done, and the declared one. */
export const splitsOf = ({ splits = [], split }: Series): readonly SeriesSplit[] =>
  split ? [...splits, split] : splits;

/** Returns bars of a series in its newest units. Stored bars have the units of their time. */
export const inNewestUnits = ({ splits = [] }: Series, bars: BarColumns): BarColumns =>
  splits.length === 0 ? bars : splitBars(bars, splits);

/** Returns the newest bar of a series, in its newest units; undefined if the head holds none. */
export const newestBar = (series: Series): Bar | undefined =>
  barAt(inNewestUnits(series, series.bars), barCount(series.bars) - 1);

/** Returns a series that is read in the units of the time of each bar. */
export const inUnitsOfTime = ({ splits: _, ...series }: Series): Series => series;

/**
 * Returns the splits that a source applies itself to the bars before them, at a moment: none if it adjusts nothing.
 * Before a split, it cannot have applied it.
 */
export const splitsBySource = (series: Series, at: number): readonly SeriesSplit[] =>
  series.adjustment === 'none' ? [] : splitsOf(series).filter((split) => split.at <= at);
