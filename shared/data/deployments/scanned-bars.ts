import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Write } from '../table/writes.ts';

/** Seconds for which a repeated match is recognized. */
const KEEP_S = 30 * 86_400;

const scannedBarSchema = z.object({ symbols: packed(z.array(z.string())), expires_at_s: z.number() });

const seconds = (now: Date): number => Math.floor(now.getTime() / 1000);

/** Returns the symbols that a scanner has reported for a bar. Expired items linger and do not count. */
export const reportedSymbols = (item: Item | undefined, now: Date): readonly string[] => {
  if (!item) return [];
  const { symbols, expires_at_s: expiry } = parseItem(scannedBarSchema, item);
  return expiry > seconds(now) ? symbols : [];
};

/** Returns the write of all symbols that a scanner has reported for a bar. The deployment's version guards it. */
export const scannedBarWrite = (
  deploymentId: number,
  start: number,
  symbols: readonly string[],
  now: Date,
): Write => ({
  put: {
    ...keys.scannedBar(deploymentId, start),
    entity: 'scanned_bar',
    symbols: pack(symbols),
    expires_at_s: seconds(now) + KEEP_S,
  },
});
