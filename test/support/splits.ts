import { takeEngineEvent } from '../../functions/engine/take-event.ts';
import { appendBars } from '../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../shared/data/candles/import-bars.ts';
import { findSeries, type Series, type SeriesFacts } from '../../shared/data/candles/series.ts';
import { type BarColumns, barAt, sliceBars } from '../../shared/domain/candles/bars.ts';
import { type Ratio, ratioText } from '../../shared/domain/splits/ratio.ts';
import { splitBars, undone } from '../../shared/domain/splits/split-bars.ts';
import type { TestHub } from './hub.ts';
import { BITCOIN, type Fill } from './hub-deployments.ts';
import { type Worker, worker } from './hub-engine.ts';

const isoOf = (at: number): string => new Date(at).toISOString();

/** A series of a feed whose symbol is split, with its bars in the newest units. */
export class SplitMarket {
  readonly #hub: TestHub;
  readonly facts: SeriesFacts;
  readonly bars: BarColumns;
  readonly ratio: Ratio;
  /** Index of the next bar. */
  next = 0;
  /** Start of the first bar in new units. */
  at: number | undefined;

  constructor(hub: TestHub, bars: BarColumns, ratio: Ratio, facts: SeriesFacts = BITCOIN) {
    this.#hub = hub;
    this.bars = bars;
    this.ratio = ratio;
    this.facts = facts;
  }

  /** Replaces the stored bars by the first ones, in old units. */
  async begin(count: number): Promise<void> {
    await removeSeries(this.#hub.runtime.store, this.facts);
    await appendBars(this.#hub.runtime.store, this.facts, this.#inUnits(0, count));
    this.next = count;
  }

  #inUnits(from: number, to: number): BarColumns {
    const bars = sliceBars(this.bars, from, to);
    return splitBars(bars, undone([{ ...this.ratio, at: this.at ?? Number.POSITIVE_INFINITY }]));
  }

  /** Returns the event of the next bar. */
  event() {
    const { symbol, timeframe, source } = this.facts;
    const bar = barAt(this.#inUnits(this.next, this.next + 1), 0);
    if (!bar) throw new Error('there is no further bar');
    return {
      'detail-type': 'Bar Closed',
      source,
      time: isoOf(this.#hub.runtime.clock().getTime() - 10_000),
      detail: { version: 1, symbol, timeframe, ...bar, start: isoOf(bar.start) },
    };
  }

  /** Lets workers take the next bar, all at the same time, and goes on to the one after it. */
  async feed(workers: readonly Worker[]): Promise<void> {
    const event = this.event();
    await Promise.all(workers.map(({ engine }) => takeEngineEvent(engine, event)));
    this.next += 1;
  }

  async head(): Promise<Series> {
    const [series] = await findSeries(this.#hub.runtime.store, this.facts.symbol, [this.facts.timeframe]);
    if (!series) throw new Error('no series');
    return series;
  }

  /** Declares the split at the next bar. */
  async declare(): Promise<void> {
    this.at = this.bars.start[this.next] ?? 0;
    const { symbol, timeframe, source } = this.facts;
    await takeEngineEvent(worker(this.#hub).engine, {
      'detail-type': 'Split Declared',
      source,
      time: isoOf(this.#hub.runtime.clock().getTime() - 10_000),
      detail: { version: 1, symbol, timeframe, ratio: ratioText(this.ratio), at: isoOf(this.at) },
    });
  }

  /** Returns fills with all prices in new units, without quantities. */
  shown(fills: readonly Fill[]): unknown[] {
    const { units, of } = this.ratio;
    return fills.map(({ at, side, price }) => {
      const shown = this.at !== undefined && at < this.at ? (price * of) / units : price;
      return [at, side, Number(shown.toFixed(8))];
    });
  }
}
