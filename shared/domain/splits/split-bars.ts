import { type Bar, type BarColumns, barAt, columnsOf, firstBarFrom } from '../candles/bars.ts';
import { type Ratio, splitPrice } from './ratio.ts';

/** A split of a series: bars that start before `at` have prices in old units. */
export interface SeriesSplit extends Ratio {
  readonly at: number;
}

/** Returns bars in the newest units: the prices before a split divided, the volumes multiplied. */
export const splitBars = (bars: BarColumns, splits: readonly SeriesSplit[]): BarColumns =>
  splits.reduce((columns, split) => {
    const old = firstBarFrom(columns, split.at);
    if (old === 0) return columns;
    const back = { units: split.of, of: split.units };
    const restated = (ratio: Ratio) => (value: number, index: number) =>
      index < old ? splitPrice(value, ratio) : value;
    return {
      start: columns.start,
      open: columns.open.map(restated(split)),
      high: columns.high.map(restated(split)),
      low: columns.low.map(restated(split)),
      close: columns.close.map(restated(split)),
      volume: columns.volume.map(restated(back)),
    };
  }, bars);

/** Returns the splits that undo others: bars in the newest units get those of their time. */
export const undone = (splits: readonly SeriesSplit[]): SeriesSplit[] =>
  splits.map(({ at, units, of }) => ({ at, units: of, of: units }));

/** Returns a bar in the newest units. */
export const splitBar = (bar: Bar, splits: readonly SeriesSplit[]): Bar =>
  barAt(splitBars(columnsOf([bar]), splits), 0) ?? bar;
