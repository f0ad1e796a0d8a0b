import { appendBars } from '../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../shared/data/candles/import-bars.ts';
import { findSeries, type Series, type SeriesFacts } from '../../shared/data/candles/series.ts';
import { type BarColumns, barAt, sliceBars } from '../../shared/domain/candles/bars.ts';
import { type Ratio, ratioText, splitPrice } from '../../shared/domain/splits/ratio.ts';
import { type SeriesSplit, splitBars, undone } from '../../shared/domain/splits/split-bars.ts';
import { takeEngineEvent } from './functions/engine.ts';
import type { TestHub } from './hub.ts';
import { BITCOIN, type Fill } from './hub-deployments.ts';
import { type Worker, worker } from './hub-engine.ts';

const isoOf = (at: number): string => new Date(at).toISOString();

/** A series of a feed whose symbol is split, with its bars in the newest units. */
export class SplitMarket {
  readonly #hub: TestHub;
  readonly facts: SeriesFacts;
  readonly bars: BarColumns;
  readonly ratios: readonly Ratio[];
  /** Index of the next bar. */
  next = 0;
  /** Starts of the first bars in new units, of the splits that are declared. */
  readonly #declared: number[] = [];

  constructor(
    hub: TestHub,
    bars: BarColumns,
    ratio: Ratio,
    facts: SeriesFacts = BITCOIN,
    later: readonly Ratio[] = [],
  ) {
    this.#hub = hub;
    this.bars = bars;
    this.ratios = [ratio, ...later];
    this.facts = facts;
  }

  /** Start of the first bar after the newest split. */
  get at(): number | undefined {
    return this.#declared.at(-1);
  }

  /** Returns all splits. Those to come are at the end of time. */
  #splits(): SeriesSplit[] {
    return this.ratios.map((ratio, index) => ({
      ...ratio,
      at: this.#declared[index] ?? Number.POSITIVE_INFINITY,
    }));
  }

  /** Replaces the stored bars by the first ones, in old units. */
  async begin(count: number): Promise<void> {
    await removeSeries(this.#hub.runtime.store, this.facts);
    await appendBars(this.#hub.runtime.store, this.facts, this.#inUnits(0, count));
    this.next = count;
  }

  #inUnits(from: number, to: number): BarColumns {
    const bars = sliceBars(this.bars, from, to);
    return splitBars(bars, undone(this.#splits()));
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

  /** Declares the next split, at the next bar. */
  async declare(): Promise<void> {
    const at = this.bars.start[this.next] ?? 0;
    const ratio = this.ratios[this.#declared.length];
    if (!ratio) throw new Error('there is no further split');
    this.#declared.push(at);
    const { symbol, timeframe, source } = this.facts;
    await takeEngineEvent(worker(this.#hub).engine, {
      'detail-type': 'Split Declared',
      source,
      time: isoOf(this.#hub.runtime.clock().getTime() - 10_000),
      detail: { version: 1, symbol, timeframe, ratio: ratioText(ratio), at: isoOf(at) },
    });
  }

  /** Returns fills with all prices in new units, without quantities. */
  shown(fills: readonly Fill[]): unknown[] {
    const splits = this.#splits().filter((split) => Number.isFinite(split.at));
    return fills.map(({ at, side, price }) => {
      const shown = splits
        .filter((split) => at < split.at)
        .reduce((restated, ratio) => splitPrice(restated, ratio), price);
      return [at, side, Number(shown.toFixed(8))];
    });
  }
}
