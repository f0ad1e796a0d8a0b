import * as z from 'zod';
import { extensionRecord, integer, requestRecord, timestamp } from '../../../shared/api/fields.ts';
import { pageFields } from '../../../shared/api/pages.ts';
import {
  performanceOf,
  RECORD_STATES,
  type TrackRecord,
} from '../../../shared/data/strategies/track-records.ts';
import type { BacktestReport } from '../../../shared/domain/engine/backtest/report.ts';
import { reportSchema } from '../../../shared/domain/engine/backtest/report.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import { TIMEFRAMES } from '../../../shared/domain/strategies/strategies.ts';
import { sealedRules } from '../../../shared/domain/track-records/chain.ts';
import {
  figuresIn,
  type RecordFigures,
  recordFiguresSchema,
  shownFigures,
} from '../../../shared/domain/track-records/figures.ts';
import { RECORD_TERMS } from '../../../shared/domain/track-records/terms.ts';
import { recordFigures } from '../../../shared/records/record-figures.ts';
import { accountOut, backtestTradeOut } from './backtest.ts';

const { equity, monthly_returns, open_trades } = reportSchema.shape;

const symbolOut = extensionRecord(
  'RecordSymbol',
  z.object({
    symbol: z.string(),
    share: z.number(),
    source: z.string(),
    calendar: z.string(),
    size_step: z.number(),
    contract_size: z.number(),
    commission_rate: z.number(),
    slippage_rate: z.number(),
    limit_through: z.number(),
  }),
);

/** A track record among those of an author or a strategy. */
export const recordItemOut = extensionRecord(
  'TrackRecordItem',
  z.object({
    record_id: integer(),
    strategy_id: integer(),
    strategy_name: z.string(),
    version: integer(),
    symbols: z.array(z.string()),
    timeframe: z.enum(TIMEFRAMES),
    status: z.enum(RECORD_STATES),
    started_at: timestamp(),
    ended_at: timestamp().nullable(),
    hidden_at: timestamp().nullable(),
    as_of: timestamp().nullable(),
    sample_sufficient: z.boolean(),
    unranked: z.string().nullable(),
    figures: recordFigures,
    record_hash: z.string().nullable(),
  }),
);

const curveOut = {
  equity,
  monthly_returns,
  worst_month: extensionRecord(
    'RecordMonth',
    z.object({ month: z.string(), return_pct: z.number() }),
  ).nullable(),
  fees: z.number().nullable(),
};

const beforeOut = extensionRecord(
  'RecordBefore',
  z.object({
    status: z.enum(['computing', 'done', 'failed']),
    figures: recordFigures.nullable(),
    period_start: timestamp().nullable(),
    ...curveOut,
  }),
);

const formerOut = extensionRecord(
  'FormerRecord',
  z.object({
    engine_version: integer(),
    figures: recordFigures,
    record_hash: z.string(),
    as_of: timestamp(),
  }),
);

/** A track record with its curve and a page of its trades. */
export const trackRecordOut = extensionRecord(
  'TrackRecordOut',
  z.object({
    ...recordItemOut.shape,
    reason: z.string().nullable(),
    author_key: z.string(),
    number: integer().nullable(),
    author_records: integer(),
    rules: requestRecord('Rules').nullable(),
    rules_seal: z.string().nullable(),
    terms: z.string(),
    account: accountOut.omit({ size_step: true }).nullable(),
    currency: z.string().nullable(),
    legs: z.array(symbolOut),
    engine_version: integer().nullable(),
    is_newest: z.boolean(),
    last_bar: timestamp().nullable(),
    ...curveOut,
    open_trades,
    trades: extensionRecord('RecordTrades', z.object(pageFields(backtestTradeOut))),
    backtest: beforeOut,
    former: z.array(formerOut),
    versions: z.array(recordItemOut),
  }),
);

/** Presents a track record in a list. */
export const presentRecordItem = (record: TrackRecord): z.output<typeof recordItemOut> => {
  const { sample_sufficient = false, ...shown } = performanceOf(record);
  return {
    record_id: record.record_id,
    strategy_id: record.strategy_id,
    strategy_name: record.strategy_name,
    version: record.version,
    symbols: record.symbols,
    timeframe: record.timeframe,
    status: record.state,
    started_at: record.started_at,
    ended_at: record.ended_at ?? null,
    hidden_at: record.hidden_at ?? null,
    as_of: record.as_of ?? null,
    sample_sufficient,
    unranked: record.unranked ?? null,
    figures: recordFiguresSchema.parse(shown),
    record_hash: record.record_hash ?? null,
  };
};

/** Presents the curve of a report; empty without one. */
const presentCurve = (report: BacktestReport | undefined) => {
  const months = report?.monthly_returns ?? [];
  return {
    equity: report?.equity ?? [],
    monthly_returns: months,
    worst_month:
      months.length === 0
        ? null
        : months.reduce((worst, month) => (month.return_pct < worst.return_pct ? month : worst)),
    fees: report?.statistics?.fees ?? null,
  };
};

/** Presents the figures of a report, without the annual ones of a short record. */
export const presentFigures = (report: BacktestReport, isEnough: boolean): RecordFigures =>
  shownFigures(figuresIn(report), isEnough);

/** Presents the backtest over the bars before a record. */
export const presentBefore = (
  { backtest }: Pick<TrackRecord, 'backtest'>,
  report: BacktestReport | undefined,
): z.output<typeof beforeOut> => ({
  status: backtest?.status ?? 'computing',
  figures: report ? figuresIn(report) : (backtest?.figures ?? null),
  period_start: report?.first_bar ?? null,
  ...presentCurve(report),
});

/** Presents what decides a record; empty before its first work. */
export const presentInputs = (
  record: TrackRecord,
  setup: BacktestSetup | undefined,
  isDisclosed: boolean,
) => ({
  rules: setup && isDisclosed ? z.record(z.string(), z.unknown()).parse(JSON.parse(setup.rules)) : null,
  rules_seal: setup ? sealedRules({ rules: setup.rules, params: setup.params, salt: record.salt }) : null,
  terms: RECORD_TERMS,
  account: setup?.account ?? null,
  currency: setup?.currency ?? null,
  legs: (setup?.legs ?? []).map(({ symbol, share, calendar, size_step, contract_size, costs }, index) => ({
    symbol,
    share,
    source: record.sources?.[index] ?? '',
    calendar,
    size_step,
    contract_size,
    commission_rate: costs?.commission_rate ?? 0,
    slippage_rate: costs?.slippage_rate ?? 0,
    limit_through: costs?.limit_through ?? 0,
  })),
});

/** Presents the curve of a record, and its open trades if they are not withheld. */
export const presentRun = (report: BacktestReport | undefined, isDisclosed: boolean) => ({
  last_bar: report?.last_bar ?? null,
  ...presentCurve(report),
  open_trades: isDisclosed ? (report?.open_trades ?? []) : [],
});
