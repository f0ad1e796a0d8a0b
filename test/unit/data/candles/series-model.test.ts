import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { appendBar } from '../../../../shared/data/candles/append-bar.ts';
import { appendBars } from '../../../../shared/data/candles/append-bars.ts';
import { importBars } from '../../../../shared/data/candles/import-bars.ts';
import { readBars } from '../../../../shared/data/candles/read-bars.ts';
import { findSeries, type Series } from '../../../../shared/data/candles/series.ts';
import { type Bar, columnsOf } from '../../../../shared/domain/candles/bars.ts';
import { DAILY } from '../../../support/candles.ts';
import { openStore } from '../../../support/open-store.ts';
import { soakable } from '../../../support/soak.ts';

const DAY_MS = 86_400_000;
/** Days between two places of a series: spans of ten years have some 24 places. */
const STEP_MS = 150 * DAY_MS;
const PLACES = 80;

const { store } = await openStore();

const barAtPlace = (place: number, price: number): Bar => ({
  start: Date.UTC(1995, 0) + place * STEP_MS,
  open: price,
  high: price + 2,
  low: price - 1,
  close: price + 1,
  volume: place,
});

/**
 * The bars of a series as its rules say: corrections win over appended bars, and these over imported ones. Imports
 * of the range of appended bars are corrections.
 */
class Model {
  readonly #imported = new Map<number, Bar>();
  readonly #appended = new Map<number, Bar>();
  readonly #corrections = new Map<number, Bar>();
  #last = Number.NEGATIVE_INFINITY;

  import(bars: readonly Bar[]): void {
    const [seen, last, from] = [this.#seen(), this.#last, Math.min(...this.#appended.keys())];
    for (const bar of bars) {
      const isAppended = bar.start >= from && bar.start <= last;
      const isSame = JSON.stringify(seen.get(bar.start)) === JSON.stringify(bar);
      if (!isAppended && !this.#corrections.has(bar.start)) this.#imported.set(bar.start, bar);
      else if (!isSame) this.#corrections.set(bar.start, bar);
      this.#last = Math.max(this.#last, bar.start);
    }
  }
  append(bar: Bar): void {
    if (bar.start > this.#last) {
      this.#appended.set(bar.start, bar);
      this.#last = bar.start;
    } else if (JSON.stringify(this.#seen().get(bar.start)) !== JSON.stringify(bar)) {
      this.#corrections.set(bar.start, bar);
    }
  }
  #seen(): Map<number, Bar> {
    return new Map([...this.#imported, ...this.#appended, ...this.#corrections]);
  }
  bars(): Bar[] {
    return [...this.#seen().values()].toSorted((a, b) => a.start - b.start);
  }
  asAppended(): Bar[] {
    const bars = new Map([...this.#imported, ...this.#appended]);
    return [...bars.values()].toSorted((a, b) => a.start - b.start);
  }
  late(): number {
    return this.#corrections.size;
  }
}

const place = fc.integer({ min: 0, max: PLACES - 1 });
const price = fc.integer({ min: 10, max: 12 });
const step = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      from: place,
      count: fc.integer({ min: 1, max: 30 }),
      price,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      count: fc.integer({ min: 1, max: 20 }),
      price,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      count: fc.integer({ min: 1, max: 60 }),
      overlap: fc.integer({ min: 0, max: 6 }),
      price,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('late' as const), place, price }) },
);

let series = 0;

test('a series equals its model after any imports, appends, repeats and late bars', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      const facts = { ...DAILY, symbol: `S${++series}`, calendar: 'always' };
      const model = new Model();
      let next = 0;
      let known: Series | undefined;
      const append = async (bar: Bar): Promise<void> => {
        model.append(bar);
        // Every other append begins with a stale head.
        known = (await appendBar(store, facts, bar, bar.volume % 2 === 0 ? known : undefined)).series;
      };
      for (const one of steps) {
        if (one.kind === 'import') {
          const bars = Array.from({ length: one.count }, (_, index) =>
            barAtPlace(one.from + index, one.price),
          );
          model.import(bars);
          await importBars(store, facts, columnsOf(bars));
          next = Math.max(next, one.from + one.count);
        } else if (one.kind === 'append') {
          for (let index = 0; index < one.count; index++) await append(barAtPlace(next++, one.price));
        } else if (one.kind === 'batch') {
          const from = Math.max(0, next - one.overlap);
          const bars = Array.from({ length: one.count }, (_, index) => barAtPlace(from + index, one.price));
          for (const bar of bars) model.append(bar);
          known = (await appendBars(store, facts, columnsOf(bars), known)).series;
          next = Math.max(next, from + one.count);
        } else await append(barAtPlace(one.place, one.price));
      }
      const [head] = await findSeries(store, facts.symbol, ['1d']);
      if (!head) throw new Error('the series does not exist');
      const range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
      expect(await readBars(store, head, range)).toEqual(columnsOf(model.bars()));
      expect(await readBars(store, head, range, { asAppended: true })).toEqual(columnsOf(model.asAppended()));
      expect(head.late_bars).toBeGreaterThanOrEqual(model.late());
    }),
    {
      numRuns: soakable(3, 60),
      examples: [
        // Imports a bar of a decade between the last flushed bar and the first appended one.
        [
          [
            { kind: 'import', from: 0, count: 1, price: 10 },
            { kind: 'late', place: 14, price: 10 },
            { kind: 'import', from: 2, count: 12, price: 10 },
          ],
        ],
        // Brings a bar again after an import has corrected it, with the head from before the import.
        [
          [
            { kind: 'append', count: 1, price: 10 },
            { kind: 'import', from: 0, count: 1, price: 11 },
            { kind: 'late', place: 0, price: 10 },
          ],
        ],
      ],
    },
  );
});
