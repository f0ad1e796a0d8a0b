import { type BarColumns, barCount, columnsOf, firstBarFrom, sliceBars } from '../../domain/candles/bars.ts';
import { changedBars, mergeBars } from '../../domain/candles/merge.ts';
import { ratioText } from '../../domain/splits/ratio.ts';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store, TransactionRefusedError } from '../table/store.ts';
import type { Key } from '../table/writes.ts';
import { correctBars, correctionsKey } from './corrections.ts';
import { flushSeries } from './flush.ts';
import { keepLastPrice } from './keep-last-price.ts';
import { addBars, type Merged, readBarsItems } from './packed-bars.ts';
import { readBars } from './read-bars.ts';
import { factsText, findSeries, headItem, type Series, type SeriesFacts, splitsOf } from './series.ts';
import { sealedSpan } from './spans.ts';

const MAX_ATTEMPTS = 5;

/** A stored series has another source, adjustment or anchor than the bars to import. */
export class SeriesConflictError extends Error {
  readonly stored: Series;
  constructor(stored: Series) {
    super(`${stored.symbol} ${stored.timeframe} is stored from the ${factsText(stored)}`);
    this.name = 'SeriesConflictError';
    this.stored = stored;
  }
}

/** Bars may not be imported, because of a split of their series. */
export class SplitConflictError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'SplitConflictError';
  }
}

/** Returns why a bar may not be imported into a series with splits; undefined if it may be. */
export const splitConflictOf = (series: Series, start: number): string | undefined => {
  const { adjustment, split } = series;
  if (split && start >= split.at) {
    return `a split of ${ratioText(split)} is declared, and a feed sends the bars from it on`;
  }
  // A file of adjusted bars has them in new units, and the series keeps those before a split in old ones.
  if (adjustment !== 'none' && splitsOf(series).some(({ at }) => at > start)) {
    return 'the bar is before a split of the series, which keeps it unadjusted';
  }
  return undefined;
};

/** @throws SplitConflictError */
const requireUnits = (head: Series | undefined, bars: BarColumns): void => {
  if (!head || splitsOf(head).length === 0) return;
  for (const start of bars.start) {
    const reason = splitConflictOf(head, start);
    if (reason !== undefined) throw new SplitConflictError(reason);
  }
};

const FACTS = ['source', 'adjustment', 'asset_class', 'calendar'] as const;

/** Returns whether a stored series has other facts than the bars to import. */
export const hasOtherFacts = (stored: Series, facts: SeriesFacts): boolean =>
  FACTS.some((name) => stored[name] !== facts[name]);

/**
 * Checks that bars may be added to the stored series.
 *
 * @throws SeriesConflictError
 */
export const checkSeries = async (store: Store, facts: SeriesFacts): Promise<Series | undefined> => {
  const [stored] = await findSeries(store, facts.symbol, [facts.timeframe]);
  if (stored && hasOtherFacts(stored, facts)) throw new SeriesConflictError(stored);
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
  const isNewer = last > stored.last || (last === stored.last && stored.appended_from === undefined);
  return {
    ...stored,
    rev: stored.rev + 1,
    first: Math.min(stored.first, first),
    count: stored.count + added,
    // Lets readers look for the bars. Appended bars may still be in the head alone, so the value stays before them.
    flushed: Math.max(stored.flushed, Math.min(last, (stored.appended_from ?? last + 1) - 1)),
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
    const settled = overtakes ? await flushSeries(store, stored, { isSpanOver: true }) : stored;
    const next = changed(settled, facts, bars, added);
    try {
      await store.put(
        headItem(next),
        stored
          ? { condition: 'rev = :rev', values: { ':rev': stored.rev } }
          : { condition: 'attribute_not_exists(pk)' },
      );
      if (next.last === bars.start.at(-1)) await keepLastPrice(store, next);
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

const rangeOf = (bars: BarColumns) => ({ from: bars.start[0] ?? 0, to: (bars.start.at(-1) ?? 0) + 1 });

/**
 * Adds bars to a series with appended bars or corrections. Appended bars stay as programs saw them, so bars of their
 * range become corrections.
 */
const importOver = async (store: Store, head: Series, bars: BarColumns): Promise<Merged> => {
  const [seen, [corrections]] = await Promise.all([
    readBars(store, head, rangeOf(bars)),
    readBarsItems(store, [correctionsKey(head, bars.start[0] ?? 0)]),
  ]);
  const { added, replaced } = mergeBars(seen, bars, 'replace');
  const { appended_from: appendedFrom = Number.POSITIVE_INFINITY, last } = head;
  const corrected = new Set(corrections?.start);
  const { later = [], own = [] } = Object.groupBy(changedBars(seen, bars), ({ start }) =>
    (start >= appendedFrom && start <= last) || corrected.has(start) ? 'later' : 'own',
  );
  if (later.length > 0) await correctBars(store, head, columnsOf(later));
  if (own.length > 0) {
    const imported = columnsOf(own);
    const merged = await addBars(store, keyOf(head, imported), imported, 'replace');
    await updateHead(store, head, imported, merged.added);
  }
  return { added, replaced };
};

const importInto = async (store: Store, facts: SeriesFacts, bars: BarColumns): Promise<Merged> => {
  const [head] = await findSeries(store, facts.symbol, [facts.timeframe]);
  requireUnits(head, bars);
  if (head && (head.appended_from !== undefined || head.late_bars > 0)) return importOver(store, head, bars);
  const merged = await addBars(store, keyOf(facts, bars), bars, 'replace');
  const { from, to } = rangeOf(bars);
  const isKnown = head && head.first <= from && head.last >= to - 1;
  if (merged.added + merged.replaced > 0 || !isKnown) await updateHead(store, facts, bars, merged.added);
  return merged;
};

/**
 * Adds valid bars of one sealed span to a series, oldest first; replaces imported bars with the same start, and
 * corrects appended ones. Makes them visible at once. Repeating it writes nothing.
 *
 * @throws SplitConflictError
 */
export const importSpan = async (store: Store, facts: SeriesFacts, bars: BarColumns): Promise<Merged> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await importInto(store, facts, bars);
    } catch (error) {
      if (!(error instanceof TransactionRefusedError) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
};

/** Adds valid bars to a series, oldest first, as {@link importSpan} does. */
export const importBars = async (store: Store, facts: SeriesFacts, bars: BarColumns): Promise<Merged> => {
  const total = { added: 0, replaced: 0 };
  for (let from = 0; from < barCount(bars); ) {
    const to = firstBarFrom(bars, endOfSpan(facts, bars.start[from] ?? 0));
    const { added, replaced } = await importSpan(store, facts, sliceBars(bars, from, to));
    total.added += added;
    total.replaced += replaced;
    from = to;
  }
  return total;
};

/** Counts the changes that {@link importSpan} would make, and writes nothing. */
export const compareSpan = async (store: Store, facts: SeriesFacts, bars: BarColumns): Promise<Merged> => {
  const [head] = await findSeries(store, facts.symbol, [facts.timeframe]);
  return head
    ? mergeBars(await readBars(store, head, rangeOf(bars)), bars, 'replace')
    : { added: barCount(bars), replaced: 0 };
};

const BATCH = 100;

/** Removes a series with all its bars, and the last price; its head first, so that no reader sees a part of it. */
export const removeSeries = async (
  store: Store,
  { symbol, timeframe }: Pick<SeriesFacts, 'symbol' | 'timeframe'>,
): Promise<void> => {
  const head = keys.series(symbol, timeframe);
  await store.delete(head);
  await store.delete(keys.lastPrice(symbol));
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
