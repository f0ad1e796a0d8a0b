import * as z from 'zod';
import { integer, timeOfRequest } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { cutPage, type PageChoice, pageOf, pageQuery, toPage } from '../../shared/api/pages.ts';
import { findTradeRange, type StoredTrade } from '../../shared/data/books/orders.ts';
import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { normaliseSymbol } from '../../shared/domain/instruments/instruments.ts';
import { decimal } from '../../shared/domain/money.ts';
import { readOwnTrading } from '../deployments/common/own-trading.ts';
import { deploymentTrade, presentTrade } from './records/trade.ts';

/** Most trades that filters and sorting by result cover: those of one Query. */
const MAX_SEARCHED = 1000;

const SORTS = ['newest', 'oldest', 'best', 'worst'] as const;

interface TradeFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly symbol?: string | undefined;
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

const matching = ({ from, to, symbol, side }: TradeFilter): ((trade: StoredTrade) => boolean) => {
  // An invalid symbol matches nothing.
  const wanted = symbol === undefined ? undefined : (normaliseSymbol(symbol) ?? '');
  const first = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const end = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  return (trade) => {
    const closed = Date.parse(trade.closed_at);
    return (
      closed >= first &&
      closed < end &&
      (wanted === undefined || trade.symbol === wanted) &&
      (side === undefined || trade.side === side)
    );
  };
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
    'closing. from, to, symbol and side choose trades, best and worst sort by net_pnl: these cover the newest ' +
    `${MAX_SEARCHED.toLocaleString('en')} trades, and total counts those chosen.`,
  caller: 'user',
  extension: true,
  input: {
    query: z.object({
      user_id: z.string(),
      deployment_id: integer(),
      from: timeOfRequest().optional(),
      to: timeOfRequest().optional(),
      symbol: z.string().optional(),
      side: z.enum(['long', 'short']).optional(),
      sort: z.enum(SORTS).default('newest'),
      ...pageQuery,
    }),
  },
  output: pageOf('DeploymentTrade', deploymentTrade),
  errors: ['deployment_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, deployment_id: id, sort, page, size, ...filter } }, call) => {
    const deployment = await readOwnTrading(call, userId, id);
    const { count } = unpackLedger(deployment.ledger).head.trades;
    const choice = { page, size };
    const isWhole = Object.values(filter).every((value) => value === undefined);
    if (isWhole && (sort === 'newest' || sort === 'oldest')) {
      const trades = await findTradeRange(call.store, id, numbersOf(count, choice, sort));
      return toPage(sorted(trades, sort).map(presentTrade), count, choice);
    }
    const searched = { first: Math.max(1, count - MAX_SEARCHED + 1), last: count };
    const found = (await findTradeRange(call.store, id, searched)).filter(matching(filter));
    const { items, ...rest } = cutPage(sorted(found, sort), choice);
    return { ...rest, items: items.map(presentTrade) };
  },
});
