import { markThrough } from '../../shared/data/candles/mark-through.ts';
import { asSeries, type Series } from '../../shared/data/candles/series.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { closedThrough } from '../../shared/domain/candles/closed.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { MalformedEventError } from '../execution-events/events.ts';
import type { GivenWatermark } from './bar-events.ts';
import type { Advance } from './take-bars.ts';

/** Lists the series that programs need. */
export type FindSeriesInUse = (
  store: Store,
) => Promise<readonly { readonly symbol: string; readonly timeframe: Timeframe }[]>;

/** Tolerance for a feed's clock that is ahead. A watermark of the far future would make all bars late. */
const MAX_AHEAD_MS = 5 * 60_000;
/** Series that are marked at the same time. */
const PARALLEL = 16;

/** Returns the watermark that a series can take: a held bar is not complete before it is confirmed. */
const watermarkOf = ({ held }: Series, through: number): number =>
  Math.min(through, held?.start[0] ?? Number.POSITIVE_INFINITY);

/** Returns the timeframes that a watermark closes and that neither bars nor an earlier watermark have closed. */
const closedIn = (series: Series, through: number): Timeframe[] => {
  const { calendar, timeframe, last, through: before = Number.NEGATIVE_INFINITY } = series;
  // A repeat continues after a crash.
  const after = before === through ? Number.NEGATIVE_INFINITY : before;
  return closedThrough(calendarById(calendar), timeframe, last, { after, through });
};

const mark = async (runtime: Runtime, known: Series, through: number, advance: Advance): Promise<void> => {
  let timeframes: Timeframe[] = [];
  const series = await markThrough(runtime.store, known, (stored) => {
    const limit = watermarkOf(stored, through);
    timeframes = closedIn(stored, limit);
    // A watermark that closes nothing costs no write.
    return timeframes.length > 0 ? limit : undefined;
  });
  if (timeframes.length > 0) await advance(runtime, series, timeframes);
};

/**
 * Takes a feed's watermark: closes derived bars that lack their last smaller bar, and advances their programs. Applies
 * to the series of the feed: those named, else those that programs need.
 *
 * @throws MalformedEventError for a watermark of the future.
 */
export const takeWatermark = async (
  runtime: Runtime,
  { source, timeframe, through, symbols }: GivenWatermark,
  { advance, findSeriesInUse }: { readonly advance: Advance; readonly findSeriesInUse: FindSeriesInUse },
): Promise<void> => {
  const { store, clock } = runtime;
  if (through > clock().getTime() + MAX_AHEAD_MS) {
    throw new MalformedEventError('detail.through: lies in the future');
  }
  const used = symbols ? [] : await findSeriesInUse(store);
  const wanted = symbols ?? used.filter((one) => one.timeframe === timeframe).map(({ symbol }) => symbol);
  const items = await store.getMany(
    [...new Set(wanted)].map((symbol) => keys.series(symbol, timeframe)),
    { consistent: true },
  );
  const own = items.flatMap((item) => {
    const series = asSeries(item);
    return series?.source === source ? [series] : [];
  });
  const failures: unknown[] = [];
  const work = own.values();
  const run = async (): Promise<void> => {
    for (const series of work) {
      try {
        await mark(runtime, series, through, advance);
      } catch (error) {
        // The others go on; the bus delivers the event again.
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, run));
  if (failures.length > 0) throw failures[0];
};
