import {
  chunkOf,
  EMPTY_HEAD,
  headAfterRemoval,
  storedHead,
} from '../../shared/data/numbered-list/list-head.ts';
import { markRemoved, NONE_REMOVED, type Removed } from '../../shared/data/numbered-list/list-removals.ts';
import {
  chunkKey,
  entryKey,
  headKey,
  type NumberedList,
  spanOf,
} from '../../shared/data/numbered-list/numbered-list.ts';
import type { StrategyCard } from '../../shared/data/strategies/strategies.ts';

/** One of this many consecutive sequence numbers is removed. */
const RUN = 101;
const REMOVED_AT = 50;

/** Returns a published strategy in its stored form. */
export const cardAt = (id: number): StrategyCard => ({
  strategy_id: 1_000_000_000 + id,
  strategy_key: `strategy-key-${id}`,
  strategy_name: `Opening range breakout ${id}`,
  description: 'Buys the break of the first half hour and leaves at the close.',
  symbols: ['EURUSD', 'GBPUSD'],
  timeframe: '15m',
  direction: 'both',
  asset_class: 'forex',
  user_key: `author-${id % 5000}`,
  author_name: `Author ${id % 5000}`,
  like_count: id % 97,
  copy_count: id % 13,
  deployment_count: id % 7,
  performance: {
    total_return_pct: 12.34,
    cagr_pct: 10.01,
    max_drawdown_pct: 4.56,
    sharpe_ratio: 1.23,
    win_rate_pct: 54.3,
    trades_count: 123,
    mode: 'virtual',
    as_of: '2026-03-02T10:00:00.000Z',
  },
  published_at: '2026-03-02T10:00:00.000Z',
});

/** Returns the sequence number of the entry with a given number of older ones. */
export const seqAt = (older: number): number => {
  const live = RUN - 1;
  const within = older % live;
  return Math.floor(older / live) * RUN + within + (within >= REMOVED_AT ? 1 : 0);
};

/** Returns the items of a list with this many entries, after additions and scattered removals. */
export function* itemsOf(list: NumberedList, entries: number): Generator<Record<string, unknown>> {
  const span = spanOf(list);
  const bitmaps = new Map<number, Removed>();
  let head = { ...EMPTY_HEAD, next: seqAt(entries - 1) + 1 };
  for (let seq = 0; seq < head.next; seq++) {
    if (seq % RUN !== REMOVED_AT) {
      yield { ...cardAt(seq), entity: 'strategy_card', ...entryKey(list, seq) };
      continue;
    }
    const chunk = chunkOf(seq, span);
    bitmaps.set(chunk, markRemoved(bitmaps.get(chunk) ?? NONE_REMOVED, seq % span));
    head = headAfterRemoval(head, chunk, span);
  }
  for (const [chunk, removed] of bitmaps) {
    yield { ...chunkKey(list, chunk), entity: 'list_removals', removed };
  }
  yield { ...headKey(list), entity: 'list', head: storedHead(head) };
}
