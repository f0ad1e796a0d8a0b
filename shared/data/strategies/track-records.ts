import * as z from 'zod';
import { openEnum } from '../../domain/open-enum.ts';
import { TIMEFRAMES } from '../../domain/strategies/strategies.ts';
import { isSufficient, recordFiguresSchema, shownFigures } from '../../domain/track-records/figures.ts';
import { RECORD_TERMS } from '../../domain/track-records/terms.ts';
import type { Item } from '../table/attributes.ts';
import { parseItem } from '../table/parse-item.ts';
import type { StrategyPerformance } from './strategies.ts';

/** `waiting` for reference candles, `computing` its backtest, `running`, `stale` without bars, `ended`. */
export const RECORD_STATES = ['waiting', 'computing', 'running', 'stale', 'ended'] as const;

/** Causes for which a record has no figures, or is not ranked. */
export type RecordReason =
  | 'no_reference_candles'
  | 'currencies_differ'
  | 'order_size'
  | 'candles_removed'
  | 'too_large';

const formerSchema = z.object({
  engine_version: z.int(),
  figures: recordFiguresSchema,
  record_hash: z.string(),
  as_of: z.string(),
});

const recordSchema = z.object({
  record_id: z.number(),
  /** Public key of the author, whose list the record is in. */
  author: z.string(),
  user_id: z.string(),
  strategy_id: z.number(),
  /** Number among the records of the strategy. */
  version: z.int(),
  identity: z.string(),
  /** As published. */
  strategy_name: z.string(),
  symbols: z.array(z.string()),
  timeframe: z.enum(TIMEFRAMES),
  shares: z.array(z.number()),
  rules_hash: z.string(),
  /** True if the rules were open when the record ended: they stay so. */
  was_open: z.boolean().optional(),
  /** Secret text that hides closed rules. */
  salt: z.string(),
  /** Moment of the publication. */
  started_at: z.string(),
  ended_at: z.string().optional(),
  /** Set while the strategy is not public. */
  hidden_at: z.string().optional(),
  /** State of the work on it: `done` once it has ended and all its bars are taken. */
  status: z.enum(['queued', 'running', 'done']),
  state: openEnum(RECORD_STATES, 'stale'),
  /** Reason why there are no figures. */
  reason: z.string().optional(),
  /** Reason why the record is not ranked. */
  unranked: z.string().optional(),
  attempts: z.number().optional(),
  /** Number among all records that the author ever began; absent before the first work. */
  number: z.int().optional(),
  /** Number of records that the author had begun when this one last advanced. */
  author_records: z.int().optional(),
  /** Set once the setup is stored, which never changes. */
  engine_version: z.int().optional(),
  /** Sources of the candles by symbol. */
  sources: z.array(z.string()).optional(),
  /** Splits of the series of each symbol that its setup knows: later ones are days of the chain. */
  splits: z.array(z.int()).optional(),
  /** Median traded value of a bar by symbol; null if it is not known. */
  medians: z.array(z.number().nullable()).optional(),
  /** Last trading day that is done, in days since the epoch; absent before the first. */
  day: z.int().optional(),
  /** First day of the chain. */
  first_day: z.int().optional(),
  /** Hash of the newest day; of the inputs before the first. */
  record_hash: z.string().optional(),
  /** Digest of the bars that warmed up, by symbol. */
  warm_up: z.array(z.string()).optional(),
  figures: recordFiguresSchema.optional(),
  returns_pct: z.array(z.number()).optional(),
  as_of: z.string().optional(),
  /** Trades that are stored, the start that stored them, and parts of the saved state. */
  trades: z.int(),
  start: z.int(),
  state_parts: z.int(),
  /** The backtest of before. */
  backtest_id: z.number().optional(),
  backtest: z
    .object({
      status: openEnum(['computing', 'done', 'failed'], 'failed'),
      figures: recordFiguresSchema.nullable(),
    })
    .optional(),
  /** Figures by former versions of the engine, newest first. */
  former: z.array(formerSchema).optional(),
});

/** Head of a track record. */
export type TrackRecord = z.output<typeof recordSchema>;

/** Parses an item as a track record; undefined for none. */
export const asRecord = (item: Item | undefined): TrackRecord | undefined =>
  item && parseItem(recordSchema, item);

/** Returns the moment up to which a record has figures, in milliseconds; undefined without any. */
const recordEnd = ({ as_of }: Pick<TrackRecord, 'as_of'>): number | undefined =>
  as_of === undefined ? undefined : Date.parse(as_of);

/** Returns whether a record is long enough for annual figures and rankings. */
export const isLongEnough = (record: Pick<TrackRecord, 'started_at' | 'as_of'>): boolean => {
  const until = recordEnd(record);
  return until !== undefined && isSufficient(Date.parse(record.started_at), until);
};

/** Returns the performance that cards show of a record. */
export const performanceOf = (record: TrackRecord): StrategyPerformance => {
  const isEnough = isLongEnough(record);
  const figures = record.figures && shownFigures(record.figures, isEnough);
  return {
    total_return_pct: figures?.total_return_pct ?? null,
    cagr_pct: figures?.cagr_pct ?? null,
    max_drawdown_pct: figures?.max_drawdown_pct ?? null,
    sharpe_ratio: figures?.sharpe_ratio ?? null,
    win_rate_pct: figures?.win_rate_pct ?? null,
    trades_count: figures?.trades_count ?? 0,
    mode: null,
    as_of: record.as_of ?? null,
    period_start: record.started_at,
    ...(record.returns_pct && { returns_pct: record.returns_pct }),
    source: 'record',
    since: record.started_at,
    version: record.version,
    terms: RECORD_TERMS,
    sample_sufficient: isEnough,
    volatility_pct: figures?.volatility_pct ?? null,
    status: record.state,
    ...(record.author_records !== undefined && { author_records: record.author_records }),
    ...(record.unranked && { unranked: record.unranked }),
    backtest: record.backtest ?? { status: 'computing', figures: null },
  };
};
