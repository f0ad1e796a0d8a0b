import { type BarColumns, barCount } from '../../domain/candles/bars.ts';
import { type Calendar, calendarById } from '../../domain/candles/calendar.ts';
import { coveringBars, endOfCovered } from '../../domain/candles/covering.ts';
import type { Timeframe } from '../../domain/strategies/strategies.ts';
import type { Store } from '../table/store.ts';
import { readBars } from './read-bars.ts';
import { findSeries, inNewestUnits, type Series } from './series.ts';
import { sealedSpan } from './spans.ts';

/** Reads that several symbols may still make together. */
export interface ReadBudget {
  left: number;
}

/** More reads of smaller bars were needed than allowed. */
export class TooManyReadsError extends Error {
  constructor() {
    super('there are too many smaller bars to read');
    this.name = 'TooManyReadsError';
  }
}

/** Counts the smaller bars that were read. */
export interface ReadTally {
  bars: number;
}

interface Options {
  readonly budget?: ReadBudget;
  readonly tally?: ReadTally;
  /** Leaves corrections out, as programs do, and reads no more than asked for. */
  readonly asAppended?: boolean;
  /** Leaves series of other sources out. */
  readonly source?: string | undefined;
}

/** Bars of a series between two times. */
interface Known {
  readonly from: number;
  readonly to: number;
  readonly bars: Promise<BarColumns>;
}

/** Reads the smaller stored bars of a symbol that decide about fills within its bars. */
export class SmallerBars {
  readonly #store: Store;
  readonly #symbol: string;
  readonly #timeframe: Timeframe;
  readonly #calendar: Calendar;
  readonly #smaller: readonly Timeframe[];
  readonly #options: Options;
  readonly #known = new Map<Timeframe, Known>();
  #heads: Promise<Series[]> | undefined;

  /**
   * @param covered bars that smaller ones make up, with the id of their calendar.
   * @param smaller timeframes to look at, smallest first.
   */
  constructor(
    store: Store,
    covered: { readonly symbol: string; readonly timeframe: Timeframe; readonly calendar: string },
    smaller: readonly Timeframe[],
    options: Options = {},
  ) {
    this.#store = store;
    this.#symbol = covered.symbol;
    this.#timeframe = covered.timeframe;
    this.#calendar = calendarById(covered.calendar);
    this.#smaller = smaller;
    this.#options = options;
  }

  #series(): Promise<Series[]> {
    this.#heads ??= findSeries(this.#store, this.#symbol, this.#smaller).then((found) =>
      found
        .filter((series) => series !== undefined)
        .filter(({ source }) => source === (this.#options.source ?? source)),
    );
    return this.#heads;
  }

  /** Returns bars of a series from a time on, at least up to another one. A read takes whole items for the next bars. */
  #barsOf(series: Series, start: number, end: number): Promise<BarColumns> {
    const known = this.#known.get(series.timeframe);
    if (known && known.from <= start && end <= known.to) return known.bars;
    const { budget, tally, asAppended = false } = this.#options;
    if (budget) {
      if (budget.left === 0) throw new TooManyReadsError();
      budget.left -= 1;
    }
    const from = asAppended ? start : sealedSpan(series.timeframe, start).start;
    const to = asAppended ? end : sealedSpan(series.timeframe, end - 1).end;
    const bars = readBars(this.#store, series, { from, to }, { asAppended }).then((stored) => {
      if (tally) tally.bars += barCount(stored);
      return inNewestUnits(series, stored);
    });
    this.#known.set(series.timeframe, { from, to, bars });
    return bars;
  }

  /**
   * Returns the bars of the smallest timeframe that make up a bar; undefined if no stored ones do.
   *
   * @param bar start, open, high, low, close and volume.
   * @throws TooManyReadsError
   */
  async read(bar: Float64Array): Promise<BarColumns | undefined> {
    if (this.#smaller.length === 0) return undefined;
    const covered = { calendar: this.#calendar, timeframe: this.#timeframe, bar };
    const start = bar[0] ?? Number.NaN;
    const end = endOfCovered(covered);
    for (const series of await this.#series()) {
      const { timeframe } = series;
      if (timeframe === '1w' || series.first >= end || series.last < start) continue;
      const bars = await this.#barsOf(series, start, end);
      const found = coveringBars(covered, { calendar: calendarById(series.calendar), timeframe, bars });
      if (found) return found;
    }
    return undefined;
  }
}
