import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { integer, record, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { cutPage, type PageChoice, pageFields, pageQueryOf, toPage } from '../../shared/api/pages.ts';
import { endedList } from '../../shared/data/live-change.ts';
import { type LiveSummary, packedSummarySchema } from '../../shared/data/live-summary.ts';
import { asEndedTotals, type EndedTotals, marketTotalsKey } from '../../shared/data/live-totals.ts';
import { headIn, headKey, type NumberedList, readPage } from '../../shared/data/numbered-list.ts';
import type { Head } from '../../shared/data/numbered-list-head.ts';
import { toMoney } from '../../shared/domain/money.ts';
import { matching } from './live-filter.ts';
import { expiredDeploymentOut } from './live-records.ts';
import { allParts, countAll, countOf, mainCurrency, sumByCurrency } from './live-sums.ts';
import { presentExpired } from './present-live.ts';
import { readWithUser } from './read-user.ts';

/** Ended deployments that a search looks at: some 1.5 MB, which two calls read. */
const MAX_SEARCHED = 1000;

const results = { wins: integer(), losses: integer(), total_pnl: z.number() } as const;

const liveExpiredOut = record(
  'LiveExpiredOut',
  z.object({
    ...pageFields(expiredDeploymentOut),
    summary: z.object({ ...results, currency: z.string().nullable(), as_of: timestamp().nullable() }),
    by_currency: z.array(z.object({ currency: z.string(), deployments_count: integer(), ...results })),
  }),
);

const read = async (call: Call, list: NumberedList, head: Head, choice: PageChoice) => {
  const { entries, total } = await readPage(call.store, list, { ...choice, head }, packedSummarySchema);
  return { summaries: entries.map(({ summary }) => summary), total };
};

const pageOfEnded = async (
  call: Call,
  list: NumberedList,
  head: Head,
  choice: PageChoice,
  search_key: string,
): Promise<{ summaries: LiveSummary[]; total: number }> => {
  if (search_key.trim() === '') return read(call, list, head, choice);
  const { summaries } = await read(call, list, head, { page: 1, size: MAX_SEARCHED });
  const { items, total } = cutPage(summaries.filter(matching({ search_key })), choice);
  return { summaries: items, total };
};

const summaryOfEnded = (ended: EndedTotals) => {
  const parts = allParts([], [ended]);
  const { won: wins, lost: losses } = countAll(parts);
  const sums = sumByCurrency(parts);
  const [currency, main] = mainCurrency(sums);
  return {
    summary: {
      wins,
      losses,
      total_pnl: toMoney(main.realized_pnl, currency ?? ''),
      currency,
      as_of: ended.to ?? null,
    },
    by_currency: [...sums].map(([each, sum]) => ({
      currency: each,
      deployments_count: countOf(sum.deployments),
      wins: sum.won,
      losses: sum.lost,
      total_pnl: toMoney(sum.realized_pnl, each),
    })),
  };
};

export const getLiveExpiredStrategies = defineOperation({
  method: 'GET',
  path: '/get_live_expired_strategies_v2',
  name: 'get_live_expired_strategies_v2',
  summary: 'The live and paper deployments of a user that have ended',
  description:
    'Stopped and expired ones, those that ended last first: those of prediction markets, or the others. ' +
    `search_key looks for a part of the name or a symbol among the newest ${MAX_SEARCHED}. ` +
    'summary and by_currency are over all of them, whatever is searched: wins and losses count deployments that ended ' +
    'with a profit or a loss, total_pnl is what they have realised. ' +
    'Amounts of different currencies do not add up: total_pnl of the summary is in the currency that most of them have ' +
    '(null without any). final_pnl counts at the last quote what is still open; the sums count it once it is closed.',
  caller: 'user',
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
  handler: async ({ query }, call) => {
    const { user_id: userId, search_key = '', prediction_market, ...choice } = query;
    const list = endedList(userId, prediction_market);
    const [head, totals] = await readWithUser(call, userId, [
      headKey(list),
      marketTotalsKey(userId, prediction_market),
    ]);
    const { summaries, total } = await pageOfEnded(call, list, headIn(list, head), choice, search_key);
    return {
      ...toPage(summaries.map(presentExpired), total, choice),
      ...summaryOfEnded(asEndedTotals(totals)),
    };
  },
});
