import * as z from 'zod';
import { extensionRecord, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { readRunning } from '../../shared/callers/read-user.ts';
import { markSummaries } from '../../shared/data/books/marked-summaries.ts';
import { MAX_LISTED } from '../../shared/data/books/running-deployments.ts';
import type { TradingSummary } from '../../shared/data/books/summary.ts';
import { TRADE_MODES } from '../../shared/data/deployments/trading-record.ts';
import { deploymentCountsOut, presentDeploymentCounts } from '../../shared/records/figures.ts';
import { countAll, oldest, sumByCurrency, wholeParts } from '../../shared/records/trading-sums.ts';
import {
  overviewAccount,
  overviewExposure,
  overviewRisk,
  type Part,
  presentAccount,
  presentExposure,
  presentRisk,
} from './records/overview.ts';

/** Splits deployments by mode and currency, real money first. */
const partsOf = (summaries: readonly TradingSummary[]): Part[] =>
  TRADE_MODES.flatMap((mode) => {
    const ofMode = summaries.filter((summary) => summary.mode === mode);
    return [...sumByCurrency(wholeParts(ofMode))].map(([currency, sum]) => ({
      mode,
      currency,
      summaries: ofMode.filter((summary) => summary.currency === currency),
      sum,
    }));
  });

const countsOf = (summaries: readonly TradingSummary[], mode: TradingSummary['mode']) =>
  presentDeploymentCounts(
    countAll(wholeParts(summaries.filter((summary) => summary.mode === mode))).deployments,
  );

export const getAccountOverview = defineOperation({
  method: 'GET',
  path: '/get_account_overview',
  name: 'get_account_overview',
  summary: 'Get the equity and exposure of a user',
  description:
    'Covers the running live and paper deployments, and ended ones with open positions or orders; at most ' +
    `${MAX_LISTED}. Real money (live) and paper (virtual) are kept apart, and so are currencies. ` +
    'An open position counts at the newest of candle, quote and fill; if one has no price yet, equity, return_pct, ' +
    'unrealized_pnl, today_pnl and total_pnl are null, and its value is its cost. ' +
    'risk has each deployment with risk limits, and the limit of which the largest part is used.',
  caller: 'user',
  scope: 'read',
  extension: true,
  assistant: {
    description: 'Reads totals over all deployments of the user: results, positions, by currency.',
  },
  input: { query: z.object({ user_id: z.string() }) },
  output: extensionRecord(
    'AccountOverview',
    z.object({
      accounts: z.array(overviewAccount),
      exposure: z.array(overviewExposure),
      deployments: z.object({ live: deploymentCountsOut, virtual: deploymentCountsOut }),
      risk: z.array(overviewRisk),
      as_of: timestamp().nullable(),
    }),
  ),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId } }, call) => {
    const summaries = await markSummaries(call, await readRunning(call, userId));
    const parts = partsOf(summaries);
    return {
      accounts: parts.map(presentAccount),
      exposure: parts.flatMap(presentExposure),
      deployments: { live: countsOf(summaries, 'live'), virtual: countsOf(summaries, 'virtual') },
      risk: presentRisk(summaries, call.now),
      as_of: oldest(parts.map(({ sum }) => sum.as_of)),
    };
  },
});
