import { readBars } from '../../../shared/data/candles/read-bars.ts';
import { findSeries, type Series } from '../../../shared/data/candles/series.ts';
import { inNewestUnits } from '../../../shared/data/candles/series-units.ts';
import { sealedSpan } from '../../../shared/data/candles/spans.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { BarColumns } from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { coveringBars, endOfCovered } from '../../../shared/domain/candles/covering.ts';
import type { AskedBar } from '../../../shared/domain/engine/backtest/advance.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';

/** A backtest needs more reads of smaller bars than it may make. */
export class TooManyReadsError extends Error {
  constructor() {
    super('a backtest needs many smaller bars');
    this.name = 'TooManyReadsError';
  }
}

/** Bars of a series between two times. */
interface Known {
  readonly from: number;
  readonly to: number;
  readonly bars: BarColumns;
}

/** Reads the smaller bars that decide about fills within a bar. A read takes whole items, which the next bars may need. */
export class SmallerReader {
  readonly #store: Store;
  readonly #setup: BacktestSetup;
  readonly #most: number;
  /** Bars that were read last, by leg and timeframe. */
  readonly #known = new Map<string, Known>();
  #series: Promise<(Series | undefined)[][]> | undefined;
  #reads = 0;

  /** @param most reads that it may make. */
  constructor(store: Store, setup: BacktestSetup, most = Number.POSITIVE_INFINITY) {
    this.#store = store;
    this.#setup = setup;
    this.#most = most;
  }

  /** Reads the heads of the series of each leg, once. */
  #heads(): Promise<(Series | undefined)[][]> {
    this.#series ??= Promise.all(
      this.#setup.legs.map(({ symbol, smaller }) => findSeries(this.#store, symbol, smaller ?? [])),
    );
    return this.#series;
  }

  async #barsOf(series: Series, start: number, end: number): Promise<BarColumns> {
    const key = `${series.symbol} ${series.timeframe}`;
    const known = this.#known.get(key);
    if (known && known.from <= start && end <= known.to) return known.bars;
    if (this.#reads >= this.#most) throw new TooManyReadsError();
    this.#reads += 1;
    const from = sealedSpan(series.timeframe, start).start;
    const to = sealedSpan(series.timeframe, end - 1).end;
    const bars = inNewestUnits(series, await readBars(this.#store, series, { from, to }));
    this.#known.set(key, { from, to, bars });
    return bars;
  }

  /**
   * Returns the bars of the smallest timeframe that make up a bar; undefined if no stored ones do.
   *
   * @throws TooManyReadsError
   */
  async read({ leg, bar }: AskedBar): Promise<BarColumns | undefined> {
    const { calendar, smaller = [] } = this.#setup.legs[leg] ?? { calendar: '' };
    const covered = { calendar: calendarById(calendar), timeframe: this.#setup.timeframe, bar };
    const start = bar[0] ?? Number.NaN;
    const end = endOfCovered(covered);
    const heads = (await this.#heads())[leg] ?? [];
    for (const [index, timeframe] of smaller.entries()) {
      const series = heads[index];
      if (!series || timeframe === '1w' || series.first >= end || series.last < start) continue;
      const found = coveringBars(covered, timeframe, await this.#barsOf(series, start, end));
      if (found) return found;
    }
    return undefined;
  }
}
