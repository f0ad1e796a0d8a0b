import * as z from 'zod';
import { type ReportTrade, tradeSchema } from '../../domain/engine/backtest/report.ts';
import type { Item } from '../table/attributes.ts';
import { type OnDamaged, placeByKey, readable } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Key } from '../table/writes.ts';

/** Trades of a chunk. A page of 100 lies in at most two. */
export const TRADES_PER_CHUNK = 250;

const chunkSchema = z.object({ trades: packed(z.object({ trades: z.array(tradeSchema) })) });

/** Returns the chunks of trades. The first is chunk number `first`; the last may be short. */
export const tradeChunks = (
  backtestId: number,
  start: number,
  trades: readonly ReportTrade[],
  first = 0,
): Item[] =>
  Array.from({ length: Math.ceil(trades.length / TRADES_PER_CHUNK) }, (_, index) => ({
    ...keys.backtestTrades(backtestId, start, first + index),
    entity: 'backtest_trades',
    trades: pack({ trades: trades.slice(index * TRADES_PER_CHUNK, (index + 1) * TRADES_PER_CHUNK) }),
  }));

/** Returns the keys of the chunks with trades from `skip` on. */
export const chunkKeys = (backtestId: number, start: number, skip: number, count: number): Key[] => {
  const first = Math.floor(skip / TRADES_PER_CHUNK);
  const last = Math.floor((skip + count - 1) / TRADES_PER_CHUNK);
  return Array.from({ length: last - first + 1 }, (_, index) =>
    keys.backtestTrades(backtestId, start, first + index),
  );
};

/**
 * Returns the trades of the chunks at {@link chunkKeys}, at most `count` from `skip` on. Damaged chunks are omitted, and the
 * trades of the others keep their places.
 */
export const tradesIn = (
  chunks: readonly (Item | undefined)[],
  skip: number,
  count: number,
  onDamaged: OnDamaged,
): ReportTrade[] => {
  const first = Math.floor(skip / TRADES_PER_CHUNK);
  return chunks.flatMap((item, index) => {
    const read = (one: Item | undefined) => one && parseItem(chunkSchema, one).trades.trades;
    const trades = readable(read, item, placeByKey, onDamaged) ?? [];
    const from = skip - (first + index) * TRADES_PER_CHUNK;
    return trades.slice(Math.max(0, from), Math.max(0, from + count));
  });
};
