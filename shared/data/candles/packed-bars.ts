import * as z from 'zod';
import { type BarColumns, barCount, columnsOf } from '../../domain/candles/bars.ts';
import { type Collision, mergeBars } from '../../domain/candles/merge.ts';
import { packBars, unpackBars } from '../../domain/candles/packing.ts';
import type { Item } from '../table/attributes.ts';
import { unpackedBy } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { Condition, Key } from '../table/writes.ts';

/** Schema of an attribute that holds packed bars. */
export const packedBars = unpackedBy(unpackBars);

/** An item that holds bars. */
export const barsItemSchema = z.object({
  bars: packedBars,
  version: z.int(),
});

/** Bytes of bars that an item can hold; DynamoDB takes 400 KB. */
const MAX_BYTES = 390_000;
const MAX_ATTEMPTS = 5;

/** The bars of a span do not fit one item. */
export class BarsTooLargeError extends Error {
  constructor(bars: number, bytes: number) {
    super(
      `${bars} bars take ${bytes} bytes packed, and an item holds ${MAX_BYTES}; round the prices to the tick`,
    );
    this.name = 'BarsTooLargeError';
  }
}

/** Number of bars that a merge added and replaced. */
export interface Merged {
  readonly added: number;
  readonly replaced: number;
}

/**
 * Builds an item of bars, and the condition that nobody changed it since it was read.
 *
 * @param stored the item that was read; undefined if there was none.
 * @throws BarsTooLargeError
 */
export const toBarsItem = (
  key: Key,
  bars: BarColumns,
  stored: z.output<typeof barsItemSchema> | undefined,
): { readonly item: Item; readonly condition: Condition } => {
  const packed = packBars(bars);
  if (packed.length > MAX_BYTES) throw new BarsTooLargeError(barCount(bars), packed.length);
  return {
    item: { ...stored, ...key, entity: 'candles', version: (stored?.version ?? 0) + 1, bars: packed },
    condition:
      stored === undefined
        ? { condition: 'attribute_not_exists(pk)' }
        : { condition: 'version = :version', values: { ':version': stored.version } },
  };
};

/** Items per call: the largest stay below the 16 MB of one answer. */
const ITEMS_PER_CALL = 40;

/** Reads the bars of items, in the order of the keys and 40 items a call; no bars for an item that does not exist. */
export const readBarsItems = async (store: Store, itemKeys: readonly Key[]): Promise<BarColumns[]> => {
  const parts: BarColumns[] = [];
  for (let at = 0; at < itemKeys.length; at += ITEMS_PER_CALL) {
    const items = await store.getMany(itemKeys.slice(at, at + ITEMS_PER_CALL), { consistent: true });
    for (const item of items) parts.push(item ? parseItem(barsItemSchema, item).bars : columnsOf([]));
  }
  return parts;
};

/**
 * Adds bars to the item of a key. Repeating it changes nothing.
 *
 * @param collision decides whether a stored bar is kept or replaced when a new one has the same start.
 * @throws BarsTooLargeError
 */
export const addBars = async (
  store: Store,
  key: Key,
  bars: BarColumns,
  collision: Collision,
): Promise<Merged> => {
  for (let attempt = 1; ; attempt++) {
    const stored = await store.get(key, barsItemSchema, { consistent: true });
    const { bars: merged, ...changes } = mergeBars(stored?.bars ?? columnsOf([]), bars, collision);
    if (changes.added === 0 && changes.replaced === 0) return changes;
    const { item, condition } = toBarsItem(key, merged, stored);
    try {
      await store.put(item, condition);
      return changes;
    } catch (error) {
      if (!(error instanceof ConditionFailedError) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
};
