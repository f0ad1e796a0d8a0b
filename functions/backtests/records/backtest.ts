import * as z from 'zod';
import { extensionRecord, integer, requestRecord, timestamp } from '../../../shared/api/fields.ts';
import type { Backtest } from '../../../shared/data/backtests/backtests.ts';
import { accountFigures } from '../../../shared/domain/engine/account/stored-settings.ts';
import {
  type BacktestReport,
  reportSchema,
  tradeSchema,
} from '../../../shared/domain/engine/backtest/report.ts';
import { accountChoices, type BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import { givenRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
import { backtestIdentityFields, presentBacktestIdentity } from './backtest-item.ts';

const { shape } = reportSchema;

export const accountOut = extensionRecord(
  'BacktestAccountOut',
  z.object({ ...accountFigures, size_step: z.number(), ...accountChoices }),
);

/** Backtest with its result. Before it is done, the result is empty. */
export const backtestOut = extensionRecord(
  'BacktestOut',
  z.object({
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
  }),
);

export const backtestTradeOut = extensionRecord('BacktestTrade', tradeSchema);

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
