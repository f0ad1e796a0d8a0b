/** Bars in columns, oldest first. `start` is in milliseconds since the epoch, UTC. Treat the columns as immutable. */
export interface BarColumns {
  readonly start: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
}

export interface Bar {
  readonly start: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Names of the columns. */
export const BAR_FIELDS = [
  'start',
  'open',
  'high',
  'low',
  'close',
  'volume',
] as const satisfies readonly (keyof Bar)[];

const mapColumns = (map: (field: keyof Bar) => Float64Array): BarColumns => ({
  start: map('start'),
  open: map('open'),
  high: map('high'),
  low: map('low'),
  close: map('close'),
  volume: map('volume'),
});

/** Returns the number of bars. */
export const barCount = (bars: BarColumns): number => bars.start.length;

/** Puts bars into columns. */
export const columnsOf = (bars: readonly Bar[]): BarColumns =>
  mapColumns((field) => Float64Array.from(bars, (bar) => bar[field]));

/** Returns the bars with indices `from` to `to`, without `to`. The columns are views, not copies. */
export const sliceBars = (bars: BarColumns, from: number, to: number = barCount(bars)): BarColumns =>
  mapColumns((field) => bars[field].subarray(from, to));

/** Copies the bar at an index: start, open, high, low, close, volume. */
export const readBar = (bars: BarColumns, index: number, bar: Float64Array): void => {
  bar[0] = bars.start[index] ?? Number.NaN;
  bar[1] = bars.open[index] ?? Number.NaN;
  bar[2] = bars.high[index] ?? Number.NaN;
  bar[3] = bars.low[index] ?? Number.NaN;
  bar[4] = bars.close[index] ?? Number.NaN;
  bar[5] = bars.volume[index] ?? Number.NaN;
};

/** Returns the bar at an index; undefined if there is none. */
export const barAt = (bars: BarColumns, index: number): Bar | undefined => {
  const { start, open, high, low, close, volume } = bars;
  const at = start[index];
  if (at === undefined) return undefined;
  return {
    start: at,
    open: open[index] ?? Number.NaN,
    high: high[index] ?? Number.NaN,
    low: low[index] ?? Number.NaN,
    close: close[index] ?? Number.NaN,
    volume: volume[index] ?? Number.NaN,
  };
};

/** Lists the bars of columns. */
export const listBars = (bars: BarColumns): Bar[] =>
  Array.from(bars.start, (_, index) => barAt(bars, index)).filter((bar) => bar !== undefined);

/** Appends bars to others. */
export const concatBars = (parts: readonly BarColumns[]): BarColumns => {
  const length = parts.reduce((sum, part) => sum + barCount(part), 0);
  return mapColumns((field) => {
    const column = new Float64Array(length);
    let at = 0;
    for (const part of parts) {
      column.set(part[field], at);
      at += barCount(part);
    }
    return column;
  });
};

/** Returns the index of the first bar that starts at `start` or later; the number of bars if none does. */
export const firstBarFrom = (bars: BarColumns, start: number): number => {
  let low = 0;
  let high = barCount(bars);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((bars.start[middle] ?? Number.POSITIVE_INFINITY) < start) low = middle + 1;
    else high = middle;
  }
  return low;
};
