import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import {
  chosenBy,
  type EntryFilter,
  entryFilters,
  isUnfiltered,
  listChoice,
} from '../../shared/api/filters.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import {
  filteredPageOf,
  type PageChoice,
  pageQuery,
  toFilteredPage,
  toPage,
} from '../../shared/api/pages.ts';
import { readOwnTrading } from '../../shared/callers/own-trading.ts';
import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { findTradeRange, type StoredTrade } from '../../shared/data/books/trades.ts';
import { decimal } from '../../shared/domain/money.ts';
import { deploymentTrade, presentTrade } from '../../shared/records/trade.ts';

/** Most trades that filters and sorting by result cover: those of one Query. */
const MAX_SEARCHED = 1000;

const SORTS = ['newest', 'oldest', 'best', 'worst'] as const;

interface TradeFilter extends EntryFilter {
  readonly side?: 'long' | 'short' | undefined;
}

/** Returns the numbers of the trades of a page, if all trades are listed in the order of closing. */
const numbersOf = (
  count: number,
  { page, size }: PageChoice,
  sort: 'newest' | 'oldest',
): { first: number; last: number } => {
  const skip = (page - 1) * size;
  return sort === 'newest'
    ? { first: Math.max(1, count - skip - size + 1), last: count - skip }
    : { first: skip + 1, last: Math.min(count, skip + size) };
};

/** Returns the numbers of the trades that a filtered answer covers, and the beginning of the next part. */
const coveredFrom = (
  count: number,
  cursor: number | undefined,
  { isOldest }: { readonly isOldest: boolean },
): { first: number; last: number; next: number | undefined } => {
  if (isOldest) {
    const first = Math.max(1, cursor ?? 1);
    const last = Math.min(count, first + MAX_SEARCHED - 1);
    return { first, last, next: last < count ? last + 1 : undefined };
  }
  const last = Math.min(count, cursor ?? count);
  const first = Math.max(1, last - MAX_SEARCHED + 1);
  return { first, last, next: first > 1 ? first - 1 : undefined };
};

const matching = ({ side, ...filter }: TradeFilter): ((trade: StoredTrade) => boolean) => {
  const isChosen = chosenBy(filter);
  return (trade) =>
    isChosen({ at: Date.parse(trade.closed_at), symbol: trade.symbol }) &&
    (side === undefined || trade.side === side);
};

/** Sorts trades that are the newest first. Equal results stay in that order. */
const sorted = (trades: readonly StoredTrade[], sort: (typeof SORTS)[number]): StoredTrade[] => {
  if (sort === 'newest') return [...trades];
  if (sort === 'oldest') return [...trades].reverse();
  const sign = sort === 'best' ? -1 : 1;
  return [...trades].sort((left, right) => sign * decimal(left.net).cmp(right.net));
};

export const getDeploymentTrades = defineOperation({
  method: 'GET',
  path: '/get_deployment_trades',
  name: 'get_deployment_trades',
  summary: 'List the closed trades of a deployment',
  description:
    'Trades of a live or paper deployment, from the entry until the position was flat or flipped, in the order of ' +
    'closing. `from`, `to`, `symbol` and `side` choose trades; `best` and `worst` sort by `net_pnl`. Such an answer covers ' +
    `the next ${MAX_SEARCHED} trades: \`total\` counts those chosen, and \`next_cursor\` leads to the others.`,
  caller: 'user',
  scope: 'read',
  extension: true,
  assistant: { description: 'Lists the trades of a deployment by page.' },
  input: {
    query: z.object({
      user_id: z.string(),
      deployment_id: integer(),
      ...entryFilters,
      side: z.enum(['long', 'short']).optional(),
      sort: z.enum(SORTS).default('newest'),
      cursor: listChoice.cursor,
      ...pageQuery,
    }),
  },
  output: filteredPageOf('DeploymentTrade', deploymentTrade),
  errors: ['deployment_unknown'],
  table: 'read',
  handler: async (
    { query: { user_id: userId, deployment_id: id, sort, page, size, cursor, ...filter } },
    call,
  ) => {
    const deployment = await readOwnTrading(call, userId, id);
    const { count } = unpackLedger(deployment.ledger).head.trades;
    const choice = { page, size };
    if (isUnfiltered({ ...filter, cursor }) && (sort === 'newest' || sort === 'oldest')) {
      const trades = await findTradeRange(call.store, id, numbersOf(count, choice, sort), call.onDamaged);
      return toPage(sorted(trades, sort).map(presentTrade), count, choice);
    }
    const { next, ...covered } = coveredFrom(count, cursor, { isOldest: sort === 'oldest' });
    const found = await findTradeRange(call.store, id, covered, call.onDamaged);
    const part = { next, isWhole: found.length > covered.last - covered.first };
    const { items, ...rest } = toFilteredPage(sorted(found.filter(matching(filter)), sort), choice, part);
    return { ...rest, items: items.map(presentTrade) };
  },
});
