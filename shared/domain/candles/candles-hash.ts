import { createHash } from 'node:crypto';
import { type BarColumns, barCount } from './bars.ts';

const FIELDS = ['start', 'open', 'high', 'low', 'close', 'volume'] as const;
const CHUNK = 4096;
const BYTES = Float64Array.BYTES_PER_ELEMENT;

/** Hashes bars, oldest first. The same bars have the same hash, however they are split into parts. */
export const candlesHash = (parts: Iterable<BarColumns>): string => {
  const hash = createHash('sha256');
  for (const bars of parts) {
    const count = barCount(bars);
    const buffer = new DataView(new ArrayBuffer(Math.min(CHUNK, count) * FIELDS.length * BYTES));
    for (let from = 0; from < count; from += CHUNK) {
      const to = Math.min(count, from + CHUNK);
      let at = 0;
      for (let index = from; index < to; index++) {
        for (const field of FIELDS) {
          buffer.setFloat64(at, bars[field][index] ?? Number.NaN, true);
          at += BYTES;
        }
      }
      hash.update(new Uint8Array(buffer.buffer, 0, at));
    }
  }
  return hash.digest('hex');
};
