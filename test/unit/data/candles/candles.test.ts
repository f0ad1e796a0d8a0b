import { beforeEach, describe, expect, test } from '@jest/globals';
import type * as z from 'zod';
import { appendBar } from '../../../../shared/data/candles/append-bar.ts';
import { appendBars } from '../../../../shared/data/candles/append-bars.ts';
import {
  checkSeries,
  compareSpan,
  importBars,
  importSpan,
  removeSeries,
  SeriesConflictError,
} from '../../../../shared/data/candles/import-bars.ts';
import { findLastPrices } from '../../../../shared/data/candles/last-prices.ts';
import { markThrough } from '../../../../shared/data/candles/mark-through.ts';
import { BarsTooLargeError } from '../../../../shared/data/candles/packed-bars.ts';
import { readBars } from '../../../../shared/data/candles/read-bars.ts';
import {
  findCandleSeries,
  readCandles,
  readNewestCandles,
} from '../../../../shared/data/candles/read-candles.ts';
import { findSeries, kindOf, type Series, type SeriesFacts } from '../../../../shared/data/candles/series.ts';
import { SmallerBars } from '../../../../shared/data/candles/smaller-bars.ts';
import type { BatchMember } from '../../../../shared/data/table/batch-write.ts';
import type { ItemSchema } from '../../../../shared/data/table/parse-item.ts';
import { Store } from '../../../../shared/data/table/store.ts';
import type { Condition, Key, Update, Write } from '../../../../shared/data/table/writes.ts';
import {
  type Bar,
  type BarColumns,
  barAt,
  barCount,
  columnsOf,
  readBar,
  sliceBars,
} from '../../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../../shared/domain/candles/calendar.ts';
import { deriveBars } from '../../../../shared/domain/candles/derive.ts';
import { qualityOf } from '../../../../shared/domain/candles/quality.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';
import { openStore } from '../../../support/open-store.ts';
import { soakable } from '../../../support/soak.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const ALL = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** A store that counts its calls and fails before or after one of them. */
class CountingStore extends Store {
  writes = 0;
  reads = 0;
  failAt: { readonly write: number; readonly isDone: boolean } | undefined;

  async #write<T>(work: () => Promise<T>): Promise<T> {
    this.writes += 1;
    const fails = this.failAt?.write === this.writes ? this.failAt : undefined;
    if (fails && !fails.isDone) throw new Error('crash');
    const result = await work();
    if (fails) throw new Error('crash');
    return result;
  }
  override put(item: Readonly<Record<string, unknown>>, condition?: Condition): Promise<void> {
    return this.#write(() => super.put(item, condition));
  }
  override update<S extends ItemSchema>(key: Key, change: Update, schema: S): Promise<z.output<S>> {
    return this.#write(() => super.update(key, change, schema));
  }
  override transact(writes: readonly Write[]): Promise<void> {
    return this.#write(() => super.transact(writes));
  }
  override batchWrite(members: readonly BatchMember[]): Promise<void> {
    return this.#write(() => super.batchWrite(members));
  }
  override getMany(...args: Parameters<Store['getMany']>): ReturnType<Store['getMany']> {
    this.reads += 1;
    return super.getMany(...args);
  }
}

const { client, emptyTable } = await openStore();
let store: CountingStore;

beforeEach(async () => {
  store = new CountingStore(client, await emptyTable());
});

const facts = (timeframe: Timeframe, calendar = 'always'): SeriesFacts => ({
  symbol: 'BTCUSD',
  timeframe,
  asset_class: 'crypto',
  calendar,
  source: 'test',
  adjustment: 'none',
});

const bar = (start: number, price = 100 + ((start / MINUTE_MS) % 17)): Bar => ({
  start,
  open: price,
  high: price + 2,
  low: price - 1,
  close: price + 1,
  volume: 3,
});

const every = (from: string, step: number, count: number): Bar[] =>
  Array.from({ length: count }, (_, index) => bar(Date.parse(from) + index * step));

const head = async (kind: SeriesFacts): Promise<Series> => {
  const [series] = await findSeries(store, kind.symbol, [kind.timeframe]);
  if (!series) throw new Error('the series does not exist');
  return series;
};

const appendAll = async (kind: SeriesFacts, bars: readonly Bar[]): Promise<Series> => {
  let series: Series | undefined;
  for (const one of bars) ({ series } = await appendBar(store, kind, one, series));
  return series ?? head(kind);
};

const stored = async (kind: SeriesFacts, range = ALL): Promise<BarColumns> =>
  readBars(store, await head(kind), range);

const lastPrice = async () => (await findLastPrices(store, ['BTCUSD'], new Date('2100-01-01'))).get('BTCUSD');

/** Returns the last price that a bar gives. */
const closeOf = (one: Bar | undefined, length: number) =>
  one && { price: String(one.close), at: one.start + length };

describe('the last price of a symbol', () => {
  test('is the newest close of all series, imported or appended', async () => {
    const [day] = every('2021-03-01T00:00Z', DAY_MS, 1);
    await importBars(store, facts('1d'), columnsOf(every('2021-02-01T00:00Z', DAY_MS, 20)));
    expect(await lastPrice()).toEqual(closeOf(bar(Date.parse('2021-02-20T00:00Z')), DAY_MS));
    const minutes = every('2021-03-01T20:00Z', MINUTE_MS, 3);
    await appendAll(facts('1m'), minutes);
    expect(await lastPrice()).toEqual(closeOf(minutes[2], MINUTE_MS));
    await appendAll(facts('1d'), day ? [day] : []);
    expect(await lastPrice()).toEqual(closeOf(day, DAY_MS));
    await appendAll(facts('1m'), every('2021-03-01T20:03Z', MINUTE_MS, 2));
    expect(await lastPrice()).toEqual(closeOf(day, DAY_MS));
  });

  test('is as of now if a bar came before its end', async () => {
    await appendAll(facts('1d'), every('2021-03-01T00:00Z', DAY_MS, 1));
    const now = new Date('2021-03-01T17:00Z');
    expect((await findLastPrices(store, ['BTCUSD', 'ETHUSD'], now)).get('BTCUSD')?.at).toBe(now.getTime());
  });

  test('stays after a late bar and a repeat', async () => {
    const bars = every('2021-03-01T20:00Z', MINUTE_MS, 3);
    await appendAll(facts('1m'), bars);
    await appendAll(facts('1m'), [...bars, ...every('2021-03-01T19:00Z', MINUTE_MS, 1)]);
    expect(await lastPrice()).toEqual(closeOf(bars[2], MINUTE_MS));
  });
});

describe('imported bars', () => {
  test('are read back, whole and in ranges', async () => {
    const bars = columnsOf(every('2019-12-25T00:00Z', 37 * MINUTE_MS, 900));
    await importBars(store, facts('1m'), bars);
    expect(await stored(facts('1m'))).toEqual(bars);
    expect(qualityOf(bars, kindOf(await head(facts('1m'))))).toMatchObject({ bars: 900, gapCount: 899 });
    const [from, to] = [bars.start[100] ?? 0, bars.start[711] ?? 0];
    expect(await stored(facts('1m'), { from, to })).toEqual(sliceBars(bars, 100, 711));
    expect(barCount(await stored(facts('1m'), { from: to, to: from }))).toBe(0);
    expect(barCount(await stored(facts('1m'), { from: 0, to: 1 }))).toBe(0);
  });

  test('of ten years are one read, and of a year of minutes at most 40 items', async () => {
    const days = columnsOf(every('2011-01-01T00:00Z', DAY_MS, 3652));
    await importBars(store, facts('1d'), days);
    const series = await head(facts('1d'));
    store.reads = 0;
    expect(await readBars(store, series, ALL)).toEqual(days);
    expect(store.reads).toBe(1);
    await importBars(store, facts('1m'), columnsOf(every('2020-01-01T00:00Z', 600 * MINUTE_MS, 878)));
    const minutes = await head(facts('1m'));
    store.reads = 0;
    expect(barCount(await readBars(store, minutes, ALL))).toBe(878);
    expect(store.reads).toBe(1);
  });

  test('write nothing when they are repeated', async () => {
    const bars = columnsOf(every('2021-01-01T00:00Z', DAY_MS, 30));
    await importBars(store, facts('1d'), bars);
    store.writes = 0;
    await importBars(store, facts('1d'), bars);
    expect(store.writes).toBe(0);
  });

  test('replace stored bars and fill gaps', async () => {
    const bars = every('2021-01-01T00:00Z', DAY_MS, 30);
    const odd = bars.filter((_, index) => index % 2 === 1);
    const other = bars.map((one, index) => (index >= 28 ? { ...one, close: one.open } : one));
    await importBars(store, facts('1d'), columnsOf(odd));
    expect(await compareSpan(store, facts('1d'), columnsOf(other))).toMatchObject({ added: 15, replaced: 1 });
    expect(await stored(facts('1d'))).toEqual(columnsOf(odd));
    await importBars(store, facts('1d'), columnsOf(other));
    expect(await stored(facts('1d'))).toEqual(columnsOf(other));
    expect(await head(facts('1d'))).toMatchObject({
      count: 30,
      first: bars[0]?.start,
      last: bars[29]?.start,
    });
  });

  test.each([1, 2, 3, 4])('continue after a crash at write %d', async (write) => {
    const bars = columnsOf(every('2019-12-01T00:00Z', DAY_MS, 60));
    for (const isDone of [false, true]) {
      store.writes = 0;
      store.failAt = { write, isDone };
      await expect(importBars(store, facts('1d'), bars)).rejects.toThrow('crash');
      store.failAt = undefined;
      await importBars(store, facts('1d'), bars);
      expect(await stored(facts('1d'))).toEqual(bars);
      await removeSeries(store, facts('1d'));
    }
  });

  test('of another source are refused, until the series is removed', async () => {
    await importBars(store, facts('1d'), columnsOf(every('2021-01-01T00:00Z', DAY_MS, 3)));
    const other = { ...facts('1d'), source: 'other' };
    await expect(checkSeries(store, other)).rejects.toThrow(SeriesConflictError);
    await expect(checkSeries(store, other)).rejects.toThrow(
      'BTCUSD 1d is stored from the source test, adjustment none',
    );
    await removeSeries(store, other);
    expect(await checkSeries(store, other)).toBeUndefined();
  });
});

test('bars that do not fit an item are refused', async () => {
  const prices = every('2021-01-01T00:00Z', MINUTE_MS, 14_000).map((one, index) => {
    const price = Math.abs(Math.sin(index)) + 1;
    return {
      ...one,
      open: price,
      high: price * 1.37,
      low: price / 1.73,
      close: price * 1.11,
      volume: price / 7,
    };
  });
  await expect(importSpan(store, facts('1m'), columnsOf(prices))).rejects.toThrow(BarsTooLargeError);
});

describe('appended bars', () => {
  test('cost one write each and one of the last price, and one more for every 16 flushed', async () => {
    const bars = every('2021-03-01T00:00Z', MINUTE_MS, 50);
    await appendAll(facts('1m'), bars);
    // Each flush writes the open item of its span.
    expect(store.writes).toBe(2 * 50 + 3);
    expect(await stored(facts('1m'))).toEqual(columnsOf(bars));
    expect(await head(facts('1m'))).toMatchObject({ count: 50, rev: 50 });
  });

  test('survive a crash at any write, through flushes and ends of spans', async () => {
    // The bars end three spans of ten years.
    const bars = every('2001-03-01T00:00Z', 290 * DAY_MS, 36);
    await appendAll(facts('1d'), bars);
    const writes = store.writes;
    await removeSeries(store, facts('1d'));
    for (let write = 1; write <= writes; write += 13) {
      store.writes = 0;
      store.failAt = { write, isDone: write % 2 === 0 };
      let series: Series | undefined;
      for (const one of bars) {
        try {
          ({ series } = await appendBar(store, facts('1d'), one, series));
        } catch (error) {
          expect(error).toEqual(new Error('crash'));
          store.failAt = undefined;
          ({ series } = await appendBar(store, facts('1d'), one));
        }
      }
      expect(series).toMatchObject({ count: 36, late_bars: 0 });
      expect(await stored(facts('1d'))).toEqual(columnsOf(bars));
      expect(await lastPrice()).toEqual(closeOf(bars.at(-1), DAY_MS));
      await removeSeries(store, facts('1d'));
    }
  });

  test('by two writers are stored once', async () => {
    const bars = every('2021-03-01T00:00Z', MINUTE_MS, 40);
    await Promise.all([appendAll(facts('1m'), bars), appendAll(facts('1m'), bars)]);
    expect(await stored(facts('1m'))).toEqual(columnsOf(bars));
    expect(await head(facts('1m'))).toMatchObject({ count: 40, late_bars: 0 });
  });

  test('by twenty writers at once are all stored, although others are faster at try after try', async () => {
    const [first, ...others] = every('2021-03-09T12:00Z', MINUTE_MS, 21);
    await appendBars(store, facts('1m'), columnsOf(first ? [first] : []));
    await Promise.all(others.map((one) => appendBars(store, facts('1m'), columnsOf([one]))));
    expect(await stored(facts('1m'))).toEqual(columnsOf(first ? [first, ...others] : []));
    const { count = 0, late_bars = 0 } = (await head(facts('1m'))) ?? {};
    expect(count + late_bars).toBe(21);
  });

  test('have the newest of twenty watermarks that are set at once', async () => {
    const bars = every('2021-03-09T12:00Z', MINUTE_MS, 3);
    const { series } = await appendBars(store, facts('1m'), columnsOf(bars));
    const times = Array.from({ length: 20 }, (_, minute) => series.last + minute * MINUTE_MS);
    await Promise.all(
      times.map((at) => markThrough(store, series, ({ through = at }) => Math.max(through, at))),
    );
    expect(await head(facts('1m'))).toMatchObject({ count: 3, through: times.at(-1) });
  });

  test('of a reader that knows an older head are complete after a flush', async () => {
    const bars = every('2021-03-10T23:20Z', MINUTE_MS, 90);
    const older = await appendAll(facts('1m'), bars.slice(0, 38));
    await appendAll(facts('1m'), bars);
    const seen = await readBars(store, older, { from: 0, to: older.last + 1 });
    expect(seen).toEqual(columnsOf(bars.slice(0, 38)));
  });

  test('that repeat change nothing', async () => {
    const bars = every('2021-03-01T00:00Z', MINUTE_MS, 40);
    const series = await appendAll(facts('1m'), bars);
    for (const index of [0, 20, 39]) {
      const { outcome } = await appendBar(store, facts('1m'), bars[index] ?? bar(0), series);
      expect(outcome).toBe('repeated');
    }
    expect(await head(facts('1m'))).toEqual(series);
  });

  test('that arrive late are corrections, and are counted once', async () => {
    const bars = every('2021-03-01T00:00Z', MINUTE_MS, 40);
    const late = bars[7] ?? bar(0);
    const changed = { ...(bars[39] ?? bar(0)), close: 1, low: 1 };
    await appendAll(
      facts('1m'),
      bars.filter((one) => one !== late),
    );
    expect((await appendBar(store, facts('1m'), late)).outcome).toBe('late');
    expect((await appendBar(store, facts('1m'), late)).outcome).toBe('repeated');
    expect((await appendBar(store, facts('1m'), changed)).outcome).toBe('late');
    const series = await head(facts('1m'));
    expect(series.late_bars).toBe(2);
    expect(await readBars(store, series, ALL)).toEqual(columnsOf([...bars.slice(0, 39), changed]));
    expect(await readBars(store, series, ALL, { asAppended: true })).toEqual(
      columnsOf(bars.filter((one) => one !== late)),
    );
  });

  test('follow imported ones, and imports follow them', async () => {
    const bars = every('2021-01-01T00:00Z', DAY_MS, 90);
    await importBars(store, facts('1d'), columnsOf(bars.slice(0, 30)));
    for (const one of bars.slice(30, 60)) await appendBar(store, facts('1d'), one);
    expect(await stored(facts('1d'))).toEqual(columnsOf(bars.slice(0, 60)));
    await importBars(store, facts('1d'), columnsOf(bars.slice(50)));
    expect(await stored(facts('1d'))).toEqual(columnsOf(bars));
    for (const one of every('2021-04-01T00:00Z', DAY_MS, 20)) await appendBar(store, facts('1d'), one);
    expect(await stored(facts('1d'))).toEqual(
      columnsOf([...bars, ...every('2021-04-01T00:00Z', DAY_MS, 20)]),
    );
  });
});

describe('batches of appended bars', () => {
  test('of one day are one write, and one of the last price', async () => {
    const bars = columnsOf(every('2021-03-01T00:00Z', MINUTE_MS, 1000));
    await appendBars(store, facts('1m'), sliceBars(bars, 0, 500));
    await appendBars(store, facts('1m'), sliceBars(bars, 500, 510));
    expect(store.writes).toBe(4);
    // Ten bars leave the head before the batch.
    const result = await appendBars(store, facts('1m'), sliceBars(bars, 505));
    expect(result).toMatchObject({ appended: 490, repeated: 5, late: 0, series: { count: 1000 } });
    expect(store.writes).toBe(7);
    expect(await stored(facts('1m'))).toEqual(bars);
  });

  test('that end spans survive a crash at any write', async () => {
    // The bars end three spans of ten years, and take several items of a year.
    const bars = columnsOf(every('2001-03-01T00:00Z', 100 * DAY_MS, 110));
    const append = async (): Promise<void> => {
      await appendBars(store, facts('1d'), sliceBars(bars, 0, 5));
      await appendBars(store, facts('1d'), sliceBars(bars, 3));
    };
    await append();
    const writes = store.writes;
    await removeSeries(store, facts('1d'));
    for (let write = 1; write <= writes; write += soakable(6, 1)) {
      for (const isDone of [false, true]) {
        store.writes = 0;
        store.failAt = { write, isDone };
        await expect(append()).rejects.toThrow('crash');
        store.failAt = undefined;
        const series = await findSeries(store, 'BTCUSD', ['1d']);
        const [known] = series;
        // Readers see whole slices only.
        if (known) expect(barCount(await readBars(store, known, ALL))).toBe(known.count);
        await append();
        expect(await stored(facts('1d'))).toEqual(bars);
        expect(await head(facts('1d'))).toMatchObject({ count: 110, late_bars: 0 });
        expect(await lastPrice()).toEqual(closeOf(barAt(bars, 109), DAY_MS));
        await removeSeries(store, facts('1d'));
      }
    }
  });

  test('by two writers are stored once', async () => {
    const bars = columnsOf(every('2021-03-09T12:00Z', 11 * MINUTE_MS, 300));
    const append = () => appendBars(store, facts('1m'), bars);
    const results = await Promise.all([append(), append(), append()]);
    expect(results.map(({ appended, repeated, late }) => [appended + repeated, late])).toEqual(
      Array(3).fill([300, 0]),
    );
    expect(await stored(facts('1m'))).toEqual(bars);
    expect(await head(facts('1m'))).toMatchObject({ count: 300, late_bars: 0 });
  });

  test('with late bars of several spans are corrections', async () => {
    const bars = every('2021-03-09T12:00Z', 11 * MINUTE_MS, 300);
    const isLate = (index: number): boolean => index % 50 === 7;
    await appendBars(store, facts('1m'), columnsOf(bars.filter((_, index) => !isLate(index))));
    const { late, repeated, series } = await appendBars(store, facts('1m'), columnsOf(bars));
    expect([late, repeated, series.late_bars]).toEqual([6, 294, 6]);
    expect(await stored(facts('1m'))).toEqual(columnsOf(bars));
    expect(barCount(await readBars(store, series, ALL, { asAppended: true }))).toBe(294);
  });
});

describe('candles', () => {
  const minutes = columnsOf(every('2021-03-01T00:00Z', MINUTE_MS, 4000));

  test('are read as they are stored, or derived from the largest smaller bars', async () => {
    await importBars(store, facts('1m'), minutes);
    await importBars(store, facts('1h'), deriveBars(minutes, calendarById('always'), '1m', '1h').bars);
    const direct = await findCandleSeries(store, 'BTCUSD', '1h');
    const derived = await findCandleSeries(store, 'BTCUSD', '4h');
    const small = await findCandleSeries(store, 'BTCUSD', '15m');
    expect([direct?.timeframe, derived?.timeframe, small?.timeframe]).toEqual(['1h', '1h', '1m']);
    expect(await findCandleSeries(store, 'ETHUSD', '1d')).toBeUndefined();
    if (!small || !derived) throw new Error('a series is missing');
    const expected = deriveBars(minutes, calendarById('always'), '1m', '15m');
    const [from, to] = [expected.bars.start[5] ?? 0, expected.bars.start[17] ?? 0];
    const { bars, incomplete } = await readCandles(store, small, '15m', { from: from - 1, to });
    expect(bars).toEqual(sliceBars(expected.bars, 5, 17));
    expect(incomplete).toEqual(expected.incomplete.slice(5, 17));
  });

  test.each<[Timeframe, number, string]>([
    ['1m', 1000, 'always'],
    ['5m', 100, 'always'],
    ['1h', 30, 'always'],
    ['1h', 5000, 'always'],
    ['1d', 2, 'always'],
    ['1h', 30, 'us@09:30'],
    ['4h', 7, 'weekdays:Asia/Kolkata@09:15'],
  ])('of %s: the newest %d are those of the whole series of %s', async (timeframe, limit, calendar) => {
    await importBars(store, facts('1m', calendar), minutes);
    const series = await head(facts('1m'));
    const all = await readCandles(store, series, timeframe, ALL);
    const newest = await readNewestCandles(store, series, timeframe, ALL, limit);
    const count = barCount(all.bars);
    expect(newest.bars).toEqual(sliceBars(all.bars, Math.max(0, count - limit)));
    const to = all.bars.start[count - 1] ?? 0;
    const before = await readNewestCandles(store, series, timeframe, { from: ALL.from, to }, limit);
    expect(before.bars).toEqual(sliceBars(all.bars, Math.max(0, count - 1 - limit), count - 1));
  });

  test('of the session are made up of smaller ones of the clock', async () => {
    const start = Date.parse('2021-03-01T14:30Z');
    await importBars(store, facts('1m', 'us'), minutes);
    const { bars } = deriveBars(minutes, calendarById('us@09:30'), '1m', '1h');
    const row = new Float64Array(6);
    readBar(bars, bars.start.indexOf(start), row);
    const covered = { symbol: 'BTCUSD', timeframe: '1h', calendar: 'us@09:30' } as const;
    const found = await new SmallerBars(store, covered, ['1m']).read(row);
    expect([found?.start[0], found && barCount(found)]).toEqual([start, 60]);
  });

  test('of a series with a long gap are read in two steps', async () => {
    const old = every('2021-01-01T00:00Z', MINUTE_MS, 50);
    const recent = every('2021-03-01T00:00Z', MINUTE_MS, 2000);
    await importBars(store, facts('1m'), columnsOf([...old, ...recent]));
    const series = { ...(await head(facts('1m'))), count: 1_000_000 };
    const newest = await readNewestCandles(store, series, '1m', ALL, 2010);
    expect(newest.bars).toEqual(columnsOf([...old.slice(40), ...recent]));
  });
});
