import * as z from 'zod';
import { extensionRecord, integer, requestRecord, timestamp } from '../../../shared/api/fields.ts';
import type { Backtest } from '../../../shared/data/backtests/backtests.ts';
import { accountFigures } from '../../../shared/domain/engine/account/stored-settings.ts';
import {
  type BacktestReport,
  type ReportTrade,
  reportSchema,
  tradeSchema,
} from '../../../shared/domain/engine/backtest/report.ts';
import {
  accountChoices,
  type BacktestSetup,
  candleOwnerOf,
} from '../../../shared/domain/engine/backtest/setup.ts';
import { givenRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
import { backtestIdentityFields, presentBacktestIdentity } from './backtest-item.ts';
import { presentRunState } from './run-state.ts';

const { shape } = reportSchema;

export const accountOut = extensionRecord(
  'BacktestAccountOut',
  z.object({ ...accountFigures, size_step: z.number(), ...accountChoices }),
);

const backtestFields = {
  ...backtestIdentityFields,
  rules: requestRecord('Rules'),
  params: z.record(z.string(), z.number()),
  sentence: z.string(),
  from: timestamp().nullable(),
  to: timestamp(),
  currency: z.string(),
  account: accountOut,
  ...shape,
  benchmark: shape.benchmark.nullable(),
  engine_version: shape.engine_version.nullable(),
  candles_hash: shape.candles_hash.nullable(),
  trades_count: integer(),
};

export const backtestTradeOut = extensionRecord('BacktestTrade', tradeSchema);

/** Backtest with its result. Before it is done, the result is empty. */
export const backtestOut = extensionRecord('BacktestOut', z.object(backtestFields));

/** Backtest that was just run. A preview is not stored: it has no id, and its newest trades are in the answer. */
export const backtestRunOut = extensionRecord(
  'BacktestRun',
  z.object({
    ...backtestFields,
    backtest_id: integer().nullable(),
    trades: z.array(backtestTradeOut).optional(),
  }),
);
const isoOrNull = (at: number | undefined): string | null =>
  at === undefined ? null : new Date(at).toISOString();

const NO_REPORT = {
  first_bar: null,
  last_bar: null,
  first_evaluated_bar: null,
  bars: 0,
  statistics: null,
  equity: [],
  benchmark: null,
  monthly_returns: [],
  drawdowns: [],
  open_trades: [],
  engine_version: null,
  candles_hash: null,
};

/** Presents the terms of a backtest: rules, range and account. */
export const presentTerms = ({ rules, sentence, from, legs, currency, account }: BacktestSetup) => ({
  rules: givenRules({ rules }),
  sentence,
  from: isoOrNull(from),
  to: new Date(Math.max(...legs.map(({ to }) => to))).toISOString(),
  currency,
  account: { ...account, size_step: legs[0]?.size_step ?? 1 },
});

/** Presents a backtest to its owner. */
export const presentBacktest = (
  backtest: Backtest,
  setup: BacktestSetup,
  report: BacktestReport | undefined,
): z.output<typeof backtestOut> => ({
  ...presentBacktestIdentity(backtest),
  ...presentTerms(setup),
  params: setup.params,
  ...(report ?? NO_REPORT),
  warnings: [...backtest.notices, ...(report?.warnings ?? [])],
  trades_count: backtest.trades,
});

/** The most trades of a preview. */
const MAX_PREVIEW_TRADES = 1000;

/** Presents a backtest that is not stored, with its newest trades. */
export const presentPreview = (
  { strategy_id, rules_hash, at }: Pick<Backtest, 'strategy_id' | 'rules_hash'> & { readonly at: string },
  setup: BacktestSetup,
  { report, trades }: { readonly report: BacktestReport; readonly trades: readonly ReportTrade[] },
): z.output<typeof backtestRunOut> => ({
  ...presentRunState({
    strategy_id,
    rules_hash,
    status: 'done',
    progress: 1,
    symbols: setup.legs.map(({ symbol }) => symbol),
    timeframe: setup.timeframe,
    candles: candleOwnerOf(setup),
  }),
  backtest_id: null,
  backtest_name: null,
  created_at: at,
  finished_at: at,
  ...presentTerms(setup),
  params: setup.params,
  ...report,
  trades_count: trades.length,
  trades: trades.slice(-MAX_PREVIEW_TRADES),
});
