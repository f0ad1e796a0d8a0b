import * as z from 'zod';
import { anchorText } from '../../domain/candles/anchor.ts';
import { type Bar, type BarColumns, barAt, barCount } from '../../domain/candles/bars.ts';
import { calendarById, calendarIdOf, findCalendar } from '../../domain/candles/calendar.ts';
import type { SeriesKind } from '../../domain/candles/checks.ts';
import { packBars } from '../../domain/candles/packing.ts';
import { INTRADAY_MS } from '../../domain/candles/timeframes.ts';
import { ASSET_CLASSES, type AssetClass } from '../../domain/instruments/instruments.ts';
import { splitSchema } from '../../domain/splits/ratio.ts';
import { type SeriesSplit, splitBars } from '../../domain/splits/split-bars.ts';
import { TIMEFRAMES, type Timeframe } from '../../domain/strategies/strategies.ts';
import type { Item } from '../table/attributes.ts';
import { type OnDamaged, parseReadable, placeByKey } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import { packedBars } from './packed-bars.ts';

/** Adjustments of prices for splits and dividends. */
export const ADJUSTMENTS = ['none', 'splits', 'splits_dividends'] as const;

/** The head of a series: its facts and newest bars. Times are starts of bars in milliseconds. */
const seriesSchema = z.object({
  symbol: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  asset_class: z.enum(ASSET_CLASSES),
  calendar: z.string().refine((id) => findCalendar(id) !== undefined, { error: 'there is no such calendar' }),
  source: z.string(),
  adjustment: z.enum(ADJUSTMENTS),
  /** Incremented by every write. */
  rev: z.int(),
  /** Start of the oldest bar. */
  first: z.number(),
  /** Start of the newest bar. */
  last: z.number(),
  /** Number of bars, without corrections. */
  count: z.int(),
  /** The newest bars, at least one; bars up to `flushed` are in other items, too. */
  bars: packedBars.refine((bars) => barCount(bars) > 0, { error: 'there is no bar' }),
  flushed: z.number(),
  /** Start of the first appended bar: from here on, imports only correct. Absent if all bars were imported. */
  appended_from: z.number().optional(),
  /** Start of the span whose bars are in open items; absent if there are none. */
  open_from: z.number().optional(),
  /** Start of a sealed span whose open items still exist, for readers that began before. */
  stale_from: z.number().optional(),
  /** Bars that arrived or were imported after a later one was appended, stored as corrections. */
  late_bars: z.int(),
  /** Watermark: all bars that start before it have arrived. A bar before it is a correction. */
  through: z.number().optional(),
  /** A bar that opened beyond the jump limit and waits for confirmation; after `last`. */
  held: packedBars.optional(),
  /** Time at which the last bar of a feed arrived in its turn, in epoch milliseconds. */
  moved_at: z.number().optional(),
  /** Start of the newest bar that was refused when it arrived: bars after it do not wait for it. */
  refused: z.number().optional(),
  /**
   * A declared split: no bar from `at` on is taken before all accounts and programs are restated. `started` once they
   * have done all bars in old units: from then on nothing else changes them.
   */
  split: splitSchema.extend({ started: z.literal(true).optional() }).optional(),
  /** Splits that are done, oldest first. Stored bars keep the units of their time. */
  splits: z.array(splitSchema).optional(),
});

export type Series = z.output<typeof seriesSchema>;

/** Facts of a series that do not change. */
export type SeriesFacts = Pick<
  Series,
  'symbol' | 'timeframe' | 'asset_class' | 'calendar' | 'source' | 'adjustment'
>;

/** Facts of a series that may not exist yet, and the splits that it begins with. */
export type NewSeries = SeriesFacts & Partial<Pick<Series, 'split' | 'splits'>>;

/** Returns the facts of an instrument's series. */
export const factsOf = (
  instrument: { readonly exchange: string; readonly asset_class: AssetClass },
  own: Pick<SeriesFacts, 'symbol' | 'timeframe' | 'source' | 'adjustment'>,
): SeriesFacts => ({
  ...own,
  asset_class: instrument.asset_class,
  calendar: calendarIdOf(instrument),
});

/** Describes the facts of a series that bars of a file or a feed may contradict. */
export const factsText = ({
  timeframe,
  calendar,
  source,
  adjustment,
}: Pick<SeriesFacts, 'timeframe' | 'calendar' | 'source' | 'adjustment'>): string =>
  [
    `source ${source}`,
    `adjustment ${adjustment}`,
    ...(INTRADAY_MS[timeframe] === undefined ? [] : [`anchor ${anchorText(calendar)}`]),
  ].join(', ');

/** Returns the item of a series' head. */
export const headItem = (series: Series): Item => ({
  ...series,
  ...keys.series(series.symbol, series.timeframe),
  entity: 'series',
  bars: packBars(series.bars),
  ...(series.held && { held: packBars(series.held) }),
});

/** Returns the kind of a series, for checks. */
export const kindOf = ({ calendar, timeframe, asset_class }: SeriesFacts): SeriesKind => ({
  calendar: calendarById(calendar),
  timeframe,
  assetClass: asset_class,
});

/** Parses the head of a series; undefined if there is none. */
export const asSeries = (item: Item | undefined): Series | undefined => item && parseItem(seriesSchema, item);

/** Reads heads of series of a symbol, in one call; undefined for each that does not exist. */
export const findSeries = async (
  store: Store,
  symbol: string,
  timeframes: readonly Timeframe[],
): Promise<(Series | undefined)[]> => {
  const items = await store.getMany(
    timeframes.map((timeframe) => keys.series(symbol, timeframe)),
    { consistent: true },
  );
  return items.map(asSeries);
};

/**
 * Reads heads of many series, 100 per call. Omits those that do not exist, and those that cannot be read, which it
 * reports.
 */
export const findReadableSeries = async (
  store: Store,
  wanted: readonly Pick<SeriesFacts, 'symbol' | 'timeframe'>[],
  onDamaged: OnDamaged,
  options: { readonly consistent?: boolean } = {},
): Promise<Series[]> => {
  const items = await store.getMany(
    wanted.map(({ symbol, timeframe }) => keys.series(symbol, timeframe)),
    options,
  );
  const stored = items.filter((item) => item !== undefined);
  return parseReadable(seriesSchema, stored, placeByKey, onDamaged);
};

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
