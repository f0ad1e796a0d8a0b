import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { integer, record, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { cutPage, type PageChoice, pageFields, pageQueryOf, toPage } from '../../shared/api/pages.ts';
import { readWithUser } from '../../shared/callers/read-user.ts';
import { endedList } from '../../shared/data/books/ended-entries.ts';
import { asEndedTotals, marketTotalsKey } from '../../shared/data/books/ended-totals.ts';
import { summaryOn } from '../../shared/data/books/marked-summaries.ts';
import { findExposed } from '../../shared/data/books/running-deployments.ts';
import { summaryItemSchema } from '../../shared/data/books/summary.ts';
import type { Head } from '../../shared/data/numbered-list/list-head.ts';
import {
  headIn,
  headKey,
  type NumberedList,
  readPage,
} from '../../shared/data/numbered-list/numbered-list.ts';
import type { OnDamaged } from '../../shared/data/table/damaged-items.ts';
import { presentPnlSum } from '../../shared/records/figures.ts';
import { expiredDeploymentOut, presentExpired } from '../../shared/records/trading.ts';
import {
  allEndedParts,
  countAll,
  countOf,
  endedParts,
  mainCurrency,
  sumByCurrency,
  type TradingSum,
} from '../../shared/records/trading-sums.ts';
import { matching } from './forms/trading-filter.ts';

/** Ended deployments that a search reads: about 1.5 MB, two calls. */
const MAX_SEARCHED = 1000;

const results = { wins: integer(), losses: integer(), total_pnl: z.number().nullable() } as const;

const liveExpiredOut = record(
  'LiveExpiredOut',
  z.object({
    ...pageFields(expiredDeploymentOut),
    summary: z.object({ ...results, currency: z.string().nullable(), as_of: timestamp().nullable() }),
    by_currency: z.array(z.object({ currency: z.string(), deployments_count: integer(), ...results })),
  }),
);

const read = async (
  { store, onDamaged }: Pick<Call, 'store' | 'onDamaged'>,
  list: NumberedList,
  head: Head,
  choice: PageChoice,
) => {
  const { entries, total } = await readPage(store, list, { ...choice, head }, summaryItemSchema, onDamaged);
  return { summaries: entries.map(({ summary }) => summary), total };
};

const wonAndLost = (sum: TradingSum, currency: string | null) => ({
  wins: sum.won,
  losses: sum.lost,
  total_pnl: presentPnlSum(sum, currency).total_pnl,
});

const sumsOf = (parts: ReturnType<typeof endedParts>, as_of: string | null) => {
  const { won: wins, lost: losses } = countAll(parts);
  const sums = sumByCurrency(parts);
  const [currency, main] = mainCurrency(sums);
  return {
    summary: { ...wonAndLost(main, currency), wins, losses, currency, as_of },
    by_currency: [...sums].map(([each, sum]) => ({
      currency: each,
      deployments_count: countOf(sum.deployments),
      ...wonAndLost(sum, each),
    })),
  };
};

/** Reads a page of all ended deployments of a market, with the maintained sums. */
const all = async (call: Call, userId: string, prediction_market: boolean, choice: PageChoice) => {
  const list = endedList(userId, { prediction_market });
  const [[head, totals], exposed] = await Promise.all([
    readWithUser(call, userId, [headKey(list), marketTotalsKey(userId, { prediction_market })]),
    findExposed(call.store, userId),
  ]);
  const { summaries, total } = await read(call, list, headIn(list, head), choice);
  const ended = asEndedTotals(totals);
  const open = exposed.filter((summary) => summary.prediction_market === prediction_market);
  return {
    ...toPage(
      summaries.map((summary) => presentExpired(summaryOn(summary, call.now))),
      total,
      choice,
    ),
    ...sumsOf(allEndedParts(ended, open), ended.to ?? null),
  };
};

/** Refuses to go on without a damaged deployment, which the sums would lack. */
const refuse: OnDamaged = (error) => {
  throw error;
};

/** Searches the ended deployments of a market: reads a page of the matches, with sums over all matches. */
const searched = async (
  call: Call,
  userId: string,
  prediction_market: boolean,
  choice: PageChoice,
  search_key: string,
) => {
  const list = endedList(userId, { prediction_market });
  const [head] = await readWithUser(call, userId, [headKey(list)]);
  const whole = { page: 1, size: MAX_SEARCHED };
  const { summaries } = await read({ store: call.store, onDamaged: refuse }, list, headIn(list, head), whole);
  const found = summaries.filter(matching({ search_key }));
  const { items, total } = cutPage(found, choice);
  const times = found.map(({ updated_at }) => updated_at).sort();
  return {
    ...toPage(
      items.map((summary) => presentExpired(summaryOn(summary, call.now))),
      total,
      choice,
    ),
    ...sumsOf(endedParts(found), times.at(-1) ?? null),
  };
};

export const getLiveExpiredStrategies = defineOperation({
  method: 'GET',
  path: '/get_live_expired_strategies_v2',
  name: 'get_live_expired_strategies_v2',
  summary: 'List the ended live and paper deployments of a user',
  description:
    'Stopped and expired deployments, the latest end first: those on prediction markets, or the others. ' +
    `search_key finds parts of names and symbols among the newest ${MAX_SEARCHED}. ` +
    'summary and by_currency cover all matches, not only this page: total_pnl is the sum of final_pnl, wins and ' +
    'losses count deployments whose final_pnl is a profit or a loss. final_pnl counts what is still open at the ' +
    'price of its last event or closed day; if an open position has none, it is null, and so is each sum with it. ' +
    'Amounts of different currencies do not add up: total_pnl of the summary is in the currency of most deployments. ' +
    'Trades after the end are in the sums within seconds.',
  caller: 'user',
  scope: 'read',
  assistant: {
    title: 'List ended trading deployments',
    description: 'Lists ended deployments that traded, by page, with results.',
  },
  input: {
    query: z.object({
      user_id: z.string(),
      search_key: z.string().optional(),
      prediction_market: z.boolean().default(false),
      ...pageQueryOf(10),
    }),
  },
  output: liveExpiredOut,
  errors: ['user_unknown'],
  table: 'read',
  handler: ({ query }, call) => {
    const { user_id: userId, search_key = '', prediction_market, ...choice } = query;
    return search_key.trim() === ''
      ? all(call, userId, prediction_market, choice)
      : searched(call, userId, prediction_market, choice, search_key);
  },
});
