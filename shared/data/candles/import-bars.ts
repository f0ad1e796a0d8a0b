import { type BarColumns, barCount, firstBarFrom, sliceBars } from '../../domain/candles/bars.ts';
import { mergeBars } from '../../domain/candles/merge.ts';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { Key } from '../table/writes.ts';
import { flushSeries } from './flush.ts';
import { addBars, type Merged, readBarsItems } from './packed-bars.ts';
import { findSeries, headItem, type Series, type SeriesFacts } from './series.ts';
import { sealedSpan } from './spans.ts';

const MAX_ATTEMPTS = 5;

/** A stored series has another source or adjustment than the bars to import. */
export class SeriesConflictError extends Error {
  readonly stored: Series;
  constructor(stored: Series) {
    super(
      `${stored.symbol} ${stored.timeframe} is stored from the source ${stored.source}, adjustment ${stored.adjustment}`,
    );
    this.name = 'SeriesConflictError';
    this.stored = stored;
  }
}

const FACTS = ['source', 'adjustment', 'asset_class', 'calendar'] as const;

/**
 * Checks that bars may be added to the stored series.
 *
 * @throws SeriesConflictError
 */
export const checkSeries = async (store: Store, facts: SeriesFacts): Promise<Series | undefined> => {
  const [stored] = await findSeries(store, facts.symbol, [facts.timeframe]);
  if (stored && FACTS.some((name) => stored[name] !== facts[name])) throw new SeriesConflictError(stored);
  return stored;
};

const changed = (stored: Series | undefined, facts: SeriesFacts, bars: BarColumns, added: number): Series => {
  const first = bars.start[0] ?? 0;
  const last = bars.start.at(-1) ?? 0;
  const newest = sliceBars(bars, barCount(bars) - 1);
  if (!stored) {
    return {
      ...facts,
      rev: 1,
      first,
      last,
      count: barCount(bars),
      bars: newest,
      flushed: last,
      late_bars: 0,
    };
  }
  const isOnlyImported = stored.flushed === stored.last && stored.open_from === undefined;
  // An appended bar stays if the import has another one of the same start.
  const isNewer = last > stored.last || (last === stored.last && isOnlyImported);
  return {
    ...stored,
    rev: stored.rev + 1,
    first: Math.min(stored.first, first),
    count: stored.count + added,
    ...(isNewer && { last, bars: newest, flushed: last }),
  };
};

/** Updates the head of a series after its bars were written; flushes appended bars that the import overtakes. */
const updateHead = async (
  store: Store,
  facts: SeriesFacts,
  bars: BarColumns,
  added: number,
): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    const [stored] = await findSeries(store, facts.symbol, [facts.timeframe]);
    const overtakes = stored !== undefined && (bars.start.at(-1) ?? 0) > stored.last;
    const settled = overtakes ? await flushSeries(store, stored, true) : stored;
    const next = changed(settled, facts, bars, added);
    try {
      await store.put(
        headItem(next),
        stored
          ? { condition: 'rev = :rev', values: { ':rev': stored.rev } }
          : { condition: 'attribute_not_exists(pk)' },
      );
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailedError) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
};

/** Returns the end of the span of bars that {@link importSpan} takes together. */
export const endOfSpan = (facts: SeriesFacts, start: number): number =>
  sealedSpan(facts.timeframe, start).end;

const keyOf = ({ symbol, timeframe }: SeriesFacts, bars: BarColumns): Key =>
  keys.sealedCandles(symbol, timeframe, sealedSpan(timeframe, bars.start[0] ?? 0).name);

/**
 * Adds valid bars of one sealed span to a series, oldest first; replaces stored bars with the same start. Makes them
 * visible at once. Repeating it writes nothing.
 */
export const importSpan = async (store: Store, facts: SeriesFacts, bars: BarColumns): Promise<Merged> => {
  const merged = await addBars(store, keyOf(facts, bars), bars, false);
  const [stored] = await findSeries(store, facts.symbol, [facts.timeframe]);
  const isKnown = stored && stored.first <= (bars.start[0] ?? 0) && stored.last >= (bars.start.at(-1) ?? 0);
  if (merged.added + merged.replaced > 0 || !isKnown) await updateHead(store, facts, bars, merged.added);
  return merged;
};

/** Adds valid bars to a series, oldest first, as {@link importSpan} does. */
export const importBars = async (store: Store, facts: SeriesFacts, bars: BarColumns): Promise<void> => {
  for (let from = 0; from < barCount(bars); ) {
    const to = firstBarFrom(bars, endOfSpan(facts, bars.start[from] ?? 0));
    await importSpan(store, facts, sliceBars(bars, from, to));
    from = to;
  }
};

/** Counts the changes that {@link importSpan} would make, and writes nothing. */
export const compareSpan = async (store: Store, facts: SeriesFacts, bars: BarColumns): Promise<Merged> => {
  const [stored] = await readBarsItems(store, [keyOf(facts, bars)]);
  return stored ? mergeBars(stored, bars, false) : { added: barCount(bars), replaced: 0 };
};

const BATCH = 100;

/** Removes a series with all its bars; its head first, so that no reader sees a part of it. */
export const removeSeries = async (store: Store, { symbol, timeframe }: SeriesFacts): Promise<void> => {
  const head = keys.series(symbol, timeframe);
  await store.delete(head);
  for (;;) {
    const items = await store.queryItems({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': head.pk },
      ProjectionExpression: 'pk, sk',
      Limit: BATCH,
      ConsistentRead: true,
    });
    if (items.length === 0) return;
    await store.batchWrite(items.map(({ sk }) => ({ delete: { pk: head.pk, sk: String(sk) } })));
  }
};
