import { type Lists, trueRanges } from './indicator-references.ts';

/** Returns true ranges; that of the first bar is its high minus its low. */
export const rangesOf = (bars: Lists): number[] =>
  trueRanges(bars).map((range, bar) => (bar === 0 ? (bars.high[0] ?? 0) - (bars.low[0] ?? 0) : range));

/** Returns the volume of each bar times the place of its close in its range, from -1 to 1. */
export const flowsOf = ({ high, low, close, volume }: Lists): number[] =>
  close.map((price, bar) => {
    const [top = 0, bottom = 0, traded = 0] = [high[bar], low[bar], volume[bar]];
    return top === bottom ? 0 : ((price - bottom - (top - price)) / (top - bottom)) * traded;
  });
