import { setTimeout as sleep } from 'node:timers/promises';
import { markThrough } from '../../shared/data/candles/mark-through.ts';
import { findReadableSeries, type Series } from '../../shared/data/candles/series.ts';
import { listSeriesInUse } from '../../shared/data/engine/series-in-use.ts';
import type { OnDamaged } from '../../shared/data/table/damaged-items.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { closedThrough } from '../../shared/domain/candles/closed.ts';
import { lastClosedSlot } from '../../shared/domain/candles/slots.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { reportDamaged } from '../../shared/lifecycle/report-damaged.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { MalformedEventError } from '../execution-events/events.ts';
import type { GivenWatermark, WatermarkEvent } from './bar-events.ts';
import { ENGINE } from './report-bars.ts';
import type { Advance } from './take-bars.ts';

/** Tolerance for a feed's clock that is ahead. A watermark of the far future would make all bars late. */
const MAX_AHEAD_MS = 5 * 60_000;
/** Time for bars that were sent before the watermark and that the bus delivers after it. */
const GRACE_MS = 5_000;
/** Series that are marked at the same time. */
const PARALLEL = 16;

/**
 * Returns the watermark that a series can take: a held bar is not complete before it is confirmed, and no bar from a
 * declared split on is taken before the first of them.
 */
const watermarkOf = ({ held, split }: Series, through: number): number =>
  Math.min(through, held?.start[0] ?? Number.POSITIVE_INFINITY, split?.at ?? Number.POSITIVE_INFINITY);

interface Closing {
  /** Timeframes that the watermark closes and that neither bars nor an earlier watermark have closed. */
  readonly timeframes: readonly Timeframe[];
  /** false if the watermark says nothing that the bars do not say: then it costs no write. */
  readonly isNews: boolean;
}

const closingOf = (series: Series, through: number): Closing => {
  const { timeframe, last, through: before = Number.NEGATIVE_INFINITY } = series;
  const calendar = calendarById(series.calendar);
  const isRepeated = before >= through;
  // A repeat advances what a crash left.
  const after = isRepeated ? Number.NEGATIVE_INFINITY : before;
  const timeframes = closedThrough(calendar, timeframe, last, { after, through });
  const isMissing = (lastClosedSlot(calendar, timeframe, through) ?? last) > last;
  return { timeframes, isNews: !isRepeated && (timeframes.length > 0 || isMissing) };
};

const mark = async (store: Store, known: Series, through: number, advance: Advance): Promise<void> => {
  let closing: Closing = { timeframes: [], isNews: false };
  const series = await markThrough(store, known, (stored) => {
    const limit = watermarkOf(stored, through);
    closing = closingOf(stored, limit);
    return closing.isNews ? limit : undefined;
  });
  if (closing.timeframes.length > 0) await advance(series, closing.timeframes);
};

const findOwn = async (
  store: Store,
  { source, timeframe }: GivenWatermark,
  symbols: readonly string[],
  onDamaged: OnDamaged,
): Promise<Series[]> => {
  const wanted = symbols.map((symbol) => ({ symbol, timeframe }));
  const found = await findReadableSeries(store, wanted, onDamaged, { consistent: true });
  return found.filter((series) => series.source === source);
};

/** Returns whether a watermark closes bars of a series, or rules out missing ones. */
const concerns = (series: Series, through: number): boolean => {
  const { timeframes, isNews } = closingOf(series, watermarkOf(series, through));
  return isNews || timeframes.length > 0;
};

/**
 * Takes a feed's watermark: closes derived bars that lack their last smaller bar, and advances their programs. Applies
 * to the series of the feed: those named, else those that programs need. One that cannot be read is logged and passed by:
 * once it is mended, the next watermark closes its bars, too.
 *
 * @throws MalformedEventError for a watermark of the future.
 */
export const takeWatermark = async (
  runtime: Runtime,
  given: WatermarkEvent,
  { advance, graceMs = GRACE_MS }: { readonly advance: Advance; readonly graceMs?: number },
): Promise<void> => {
  const { store, clock } = runtime;
  const { timeframe, through, at } = given;
  if (through > clock().getTime() + MAX_AHEAD_MS) {
    throw new MalformedEventError('detail.through: lies in the future');
  }
  const onDamaged: OnDamaged = (error) => reportDamaged(runtime, error, ENGINE);
  const used = given.symbols ? [] : await listSeriesInUse(store, onDamaged);
  const wanted =
    given.symbols ?? used.filter((one) => one.timeframe === timeframe).map(({ symbol }) => symbol);
  const symbols = [...new Set(wanted)];
  let own = (await findOwn(store, given, symbols, onDamaged)).filter((series) => concerns(series, through));
  const left = at + graceMs - clock().getTime();
  if (own.length > 0 && left > 0) {
    await sleep(Math.min(left, graceMs));
    own = await findOwn(
      store,
      given,
      own.map(({ symbol }) => symbol),
      onDamaged,
    );
  }
  const failures: unknown[] = [];
  const work = own.values();
  const run = async (): Promise<void> => {
    for (const series of work) {
      try {
        await mark(store, series, through, advance);
      } catch (error) {
        // The others go on; the bus delivers the event again.
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, run));
  if (failures.length > 0) throw failures[0];
};
