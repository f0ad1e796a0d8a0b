import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type BarColumns, barCount } from './bars.ts';
import { ByteReader, ByteWriter } from './varints.ts';

const VERSION = 1;
/** Scale of columns that are stored as doubles. */
const RAW = 255;
const MAX_SCALE = 12;
/** Limit of scaled values, so that their differences are exact doubles. */
const MAX_SCALED = 2 ** 50;
/** Limit of the unpacked form, against damaged items. */
const MAX_BYTES = 64 * 2 ** 20;
/** Columns hold at most 8 bytes a value. */
const BYTES_PER_BAR = 6 * 8;
const HEADER_BYTES = 64;

const PRICES = ['open', 'high', 'low', 'close'] as const;

/** Returns whether a value is an integer of that scale. Integers have no negative zero. */
const isExact = (value: number, scale: number): boolean => {
  const factor = 10 ** scale;
  const scaled = Math.round(value * factor);
  return Math.abs(scaled) <= MAX_SCALED && scaled / factor === value && !Object.is(value, -0);
};

/** Returns the least number of decimals that holds all values of columns exactly; RAW if there is none. */
const scaleOf = (columns: readonly Float64Array[]): number => {
  let scale = 0;
  for (const column of columns) {
    for (const value of column) {
      while (!isExact(value, scale)) {
        scale += 1;
        if (scale > MAX_SCALE) return RAW;
      }
    }
  }
  // A finer scale can push an earlier value over the limit.
  return columns.every((column) => column.every((value) => isExact(value, scale))) ? scale : RAW;
};

const gcd = (left: number, right: number): number => {
  let [a, b] = [Math.abs(left), Math.abs(right)];
  while (b > 0) [a, b] = [b, a % b];
  return a;
};

const scaledOf = (column: Float64Array, scale: number): Float64Array =>
  column.map((value) => Math.round(value * 10 ** scale));

/** Returns scaled values as the doubles they were made of. */
const unscale = (column: Float64Array, scale: number): Float64Array => {
  const factor = 10 ** scale;
  return column.map((value) => value / factor);
};

const value = (column: Float64Array, index: number): number => column[index] ?? 0;

const writeStarts = (out: ByteWriter, starts: Float64Array): void => {
  const unit = starts.reduce(gcd, 0) || 1;
  out.varint(unit);
  let last = 0;
  let step = 0;
  for (const start of starts) {
    const at = start / unit;
    out.signed(at - last - step);
    step = at - last;
    last = at;
  }
};

const readStarts = (input: ByteReader, count: number): Float64Array => {
  const unit = input.varint();
  const starts = new Float64Array(count);
  let last = 0;
  let step = 0;
  for (let index = 0; index < count; index++) {
    step += input.signed();
    last += step;
    starts[index] = last * unit;
  }
  return starts;
};

/** Writes opens as distances from the close before, closes from the open, and wicks from the body. */
const writePrices = (out: ByteWriter, bars: BarColumns, scale: number): void => {
  const [open, high, low, close] = PRICES.map((name) => scaledOf(bars[name], scale));
  if (!open || !high || !low || !close) return;
  const count = barCount(bars);
  for (let i = 0; i < count; i++) out.signed(value(open, i) - (i === 0 ? 0 : value(close, i - 1)));
  for (let i = 0; i < count; i++) out.signed(value(close, i) - value(open, i));
  for (let i = 0; i < count; i++) out.signed(value(high, i) - Math.max(value(open, i), value(close, i)));
  for (let i = 0; i < count; i++) out.signed(Math.min(value(open, i), value(close, i)) - value(low, i));
};

const readPrices = (
  input: ByteReader,
  count: number,
  scale: number,
): Omit<BarColumns, 'start' | 'volume'> => {
  const [open, close, high, low] = [
    input.signeds(count),
    input.signeds(count),
    input.signeds(count),
    input.signeds(count),
  ];
  for (let i = 0; i < count; i++) {
    open[i] = value(open, i) + (i === 0 ? 0 : value(close, i - 1));
    close[i] = value(close, i) + value(open, i);
    high[i] = value(high, i) + Math.max(value(open, i), value(close, i));
    low[i] = Math.min(value(open, i), value(close, i)) - value(low, i);
  }
  return {
    open: unscale(open, scale),
    high: unscale(high, scale),
    low: unscale(low, scale),
    close: unscale(close, scale),
  };
};

/**
 * Packs bars without loss: differences of scaled decimals as variable-length integers, deflated; 5 to 14 bytes a bar.
 * Prices or volumes that are no decimals of up to 12 places are stored as doubles. Starts are whole milliseconds.
 */
export const packBars = (bars: BarColumns): Uint8Array<ArrayBuffer> => {
  const count = barCount(bars);
  const out = new ByteWriter(HEADER_BYTES + count * BYTES_PER_BAR);
  out.byte(VERSION);
  out.varint(count);
  writeStarts(out, bars.start);
  const priceScale = scaleOf(PRICES.map((name) => bars[name]));
  out.byte(priceScale);
  if (priceScale === RAW) for (const name of PRICES) out.doubles(bars[name]);
  else writePrices(out, bars, priceScale);
  const volumeScale = scaleOf([bars.volume]);
  out.byte(volumeScale);
  if (volumeScale === RAW) out.doubles(bars.volume);
  else for (const volume of scaledOf(bars.volume, volumeScale)) out.signed(volume);
  return deflateRawSync(out.written());
};

/** Unpacks bars. @throws RangeError if they are damaged or a newer version packed them. */
export const unpackBars = (bytes: Uint8Array): BarColumns => {
  const input = new ByteReader(inflateRawSync(bytes, { maxOutputLength: MAX_BYTES }));
  if (input.byte() !== VERSION) throw new RangeError('the bars were packed by a newer version');
  const count = input.varint();
  const start = readStarts(input, count);
  const priceScale = input.byte();
  const prices =
    priceScale === RAW
      ? {
          open: input.doubles(count),
          high: input.doubles(count),
          low: input.doubles(count),
          close: input.doubles(count),
        }
      : readPrices(input, count, priceScale);
  const volumeScale = input.byte();
  const volume = volumeScale === RAW ? input.doubles(count) : unscale(input.signeds(count), volumeScale);
  return { start, ...prices, volume };
};
