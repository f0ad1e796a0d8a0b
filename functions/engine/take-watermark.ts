import { setTimeout as sleep } from 'node:timers/promises';
import { markThrough } from '../../shared/data/candles/mark-through.ts';
import { findReadableSeries, type Series } from '../../shared/data/candles/series.ts';
import { listWaiting } from '../../shared/data/candles/waiting-bars.ts';
import { listSeriesInUse } from '../../shared/data/engine/series-in-use.ts';
import type { OnDamaged } from '../../shared/data/table/damaged-items.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { closedThrough } from '../../shared/domain/candles/closed.ts';
import { lastClosedSlot } from '../../shared/domain/candles/slots.ts';
import { MalformedEventError } from '../../shared/domain/malformed-event.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { reportDamaged } from '../../shared/lifecycle/report-damaged.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { EarlyBarError, LAST_ATTEMPT_MS } from './await-previous.ts';
import type { GivenWatermark, WatermarkEvent } from './bar-events.ts';
import { ENGINE } from './report-bars.ts';
import type { Advance } from './take-bars.ts';

/** Tolerance for a feed's clock that is ahead. A watermark of the far future would make all bars late. */
const MAX_AHEAD_MS = 5 * 60_000;
/** Time for bars that were sent before the watermark and that the bus delivers after it. */
const GRACE_MS = 5_000;
/** The most such times in one attempt, as long as bars arrive. */
const MAX_GRACES = 3;
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
  // Bars before those that wait are on the way.
  if ((await listWaiting(store, known)).length > 0) throw new EarlyBarError();
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

/** Series that a watermark concerns, by whether more of their bars are on the way. */
interface Concerned {
  readonly settled: readonly Series[];
  readonly moving: readonly Series[];
}

/**
 * Returns the series that a watermark concerns, after a time for bars that it has overtaken: a longer one while bars
 * arrive.
 *
 * @param read reads the series that the watermark concerns, by default all.
 */
const awaitBars = async (
  read: (symbols?: readonly string[]) => Promise<readonly Series[]>,
  graceMs: number,
  age: number,
): Promise<Concerned> => {
  let settled = await read();
  let moving: readonly Series[] = [];
  for (let looks = 0; settled.length > 0 && looks < MAX_GRACES; looks++) {
    // A sender may give an event a time of the future.
    await sleep(looks === 0 ? Math.min(graceMs, graceMs - age) : graceMs);
    const newest = new Map(settled.map(({ symbol, last }) => [symbol, last]));
    const found = await read([...newest.keys()]);
    ({ settled = [], moving = [] } = Object.groupBy(found, ({ symbol, last }) =>
      newest.get(symbol) === last ? 'settled' : 'moving',
    ));
    if (moving.length === 0) break;
    if (looks < MAX_GRACES - 1) settled = found;
  }
  return { settled, moving };
};

/**
 * Takes a feed's watermark: closes derived bars that lack their last smaller bar, and advances their programs. Applies
 * to the series of the feed: those named, else those that programs need. One that cannot be read is logged and passed by:
 * once it is mended, the next watermark closes its bars, too. One whose bars are still on the way is passed by at the last
 * attempt: its next bar or watermark closes its bars.
 *
 * @throws MalformedEventError for a watermark of the future.
 * @throws EarlyBarError if bars of a series are on the way, after all others were closed.
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
  const read = async (symbols: readonly string[] = [...new Set(wanted)]): Promise<readonly Series[]> =>
    (await findOwn(store, given, symbols, onDamaged)).filter((series) => concerns(series, through));
  const age = clock().getTime() - at;
  const { settled, moving } =
    age < graceMs ? await awaitBars(read, graceMs, age) : { settled: await read(), moving: [] };
  const early = moving.length > 0 ? [new EarlyBarError()] : [];
  const failures: unknown[] = [];
  const work = settled.values();
  const run = async (): Promise<void> => {
    for (const series of work) {
      try {
        await mark(store, series, through, advance);
      } catch (error) {
        // The others go on; the bus delivers the event again.
        if (error instanceof EarlyBarError) early.push(error);
        else failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, run));
  if (failures.length > 0) throw failures[0];
  if (early[0] && age < LAST_ATTEMPT_MS) throw early[0];
};
