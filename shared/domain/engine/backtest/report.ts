import * as z from 'zod';
import type { BacktestResult } from './result.ts';
import type { BacktestTrade } from './run.ts';
import type { BacktestStatistics } from './statistics.ts';

const timestamp = z.iso.datetime();
const figure = z.number().nullable();
const count = () => z.number().meta({ type: 'integer' });

const named = <S extends z.ZodType>(id: string, schema: S): S => schema.meta({ id, 'x-extension': true });

const statisticsSchema = named(
  'BacktestStatistics',
  z.object({
    total_return_pct: figure,
    cagr_pct: figure,
    volatility_pct: figure,
    sharpe_ratio: figure,
    sortino_ratio: figure,
    calmar_ratio: figure,
    max_drawdown_pct: figure,
    max_drawdown_abs: figure,
    max_drawdown_equity_pct: figure,
    avg_drawdown_pct: figure,
    max_drawdown_s: figure,
    final_equity: z.number(),
    equity_peak: z.number(),
    buy_and_hold_pct: figure,
    exposure_pct: figure,
    win_rate_pct: figure,
    trades_count: count(),
    wins: count(),
    losses: count(),
    breakeven: count(),
    profit_factor: figure,
    avg_win: figure,
    avg_loss: figure,
    payoff_ratio: figure,
    expectancy: figure,
    expectancy_ratio: figure,
    largest_win: figure,
    largest_loss: figure,
    max_consecutive_wins: count(),
    max_consecutive_losses: count(),
    avg_duration_s: figure,
    recovery_factor: figure,
    sample_sufficient: z.boolean(),
    best_trade_pct: figure,
    worst_trade_pct: figure,
    avg_trade_pct: figure,
    expectancy_pct: figure,
    sqn: figure,
    kelly: figure,
    fees: z.number(),
    ambiguous_bars: count(),
    resolved_bars: count(),
    period_start: timestamp,
    period_end: timestamp,
  }) satisfies z.ZodType<BacktestStatistics>,
);

export const warningSchema = named(
  'BacktestWarning',
  z.object({
    code: z.string(),
    message: z.string(),
    symbols: z.array(z.string()).optional(),
    count: count().optional(),
  }),
);

export type ReportWarning = z.output<typeof warningSchema>;

/** Result of a backtest as stored and answered, without its trades. */
export const reportSchema = z.object({
  first_bar: timestamp.nullable(),
  last_bar: timestamp.nullable(),
  first_evaluated_bar: timestamp.nullable(),
  bars: count(),
  statistics: statisticsSchema.nullable(),
  equity: z.array(
    named('BacktestEquity', z.object({ at: timestamp, equity: z.number(), drawdown_pct: z.number() })),
  ),
  benchmark: named(
    'BacktestBenchmark',
    z.object({
      return_pct: figure,
      max_drawdown_pct: z.number(),
      equity: z.array(named('BenchmarkEquity', z.object({ at: timestamp, equity: z.number() }))),
    }),
  ),
  monthly_returns: z.array(named('MonthlyReturn', z.object({ month: z.string(), return_pct: z.number() }))),
  drawdowns: z.array(
    named(
      'BacktestDrawdown',
      z.object({ from: timestamp, trough: timestamp, to: timestamp.nullable(), depth_pct: z.number() }),
    ),
  ),
  open_trades: z.array(
    named(
      'BacktestOpenTrade',
      z.object({
        symbol: z.string(),
        side: z.enum(['long', 'short']),
        quantity: z.number(),
        entry_at: timestamp,
        entry_price: z.number(),
        stop_loss: figure.optional(),
        take_profit: figure.optional(),
        mark: z.number(),
        pnl: z.number(),
      }),
    ),
  ),
  warnings: z.array(warningSchema),
  engine_version: count(),
  candles_hash: z.string(),
});

export type BacktestReport = z.output<typeof reportSchema>;

const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

const levelOf = (price: number): number | null => (Number.isNaN(price) ? null : price);

/**
 * Returns the report of a result.
 *
 * @param notes remarks on the candles and on the storing.
 */
export const reportOf = (
  result: BacktestResult,
  candles: { readonly hash: string; readonly notes: readonly ReportWarning[] },
): BacktestReport => ({
  first_bar: isoOrNull(result.first_bar),
  last_bar: isoOrNull(result.last_bar),
  first_evaluated_bar: isoOrNull(result.first_evaluated_bar),
  bars: result.bars,
  statistics: result.statistics,
  equity: result.equity.map((point) => ({ ...point, at: iso(point.at) })),
  benchmark: {
    ...result.benchmark,
    equity: result.benchmark.equity.map((point) => ({ ...point, at: iso(point.at) })),
  },
  monthly_returns: [...result.monthly_returns],
  drawdowns: result.drawdowns.map(({ from, trough, to, depth_pct }) => ({
    from: iso(from),
    trough: iso(trough),
    to: isoOrNull(to),
    depth_pct,
  })),
  open_trades: result.open_trades.map(({ entry_at, entry_bar: _, stop, target, ...trade }) => ({
    ...trade,
    entry_at: iso(entry_at),
    stop_loss: levelOf(stop),
    take_profit: levelOf(target),
  })),
  warnings: [
    ...result.warnings.map(({ symbols, ...warning }) => ({
      ...warning,
      ...(symbols && { symbols: [...symbols] }),
    })),
    ...candles.notes,
  ],
  engine_version: result.engine_version,
  candles_hash: candles.hash,
});

/** A closed trade as stored and answered. */
export const tradeSchema = z.object({
  number: count(),
  symbol: z.string(),
  side: z.enum(['long', 'short']),
  quantity: z.number(),
  entry_at: timestamp,
  entry_price: z.number(),
  exit_at: timestamp,
  exit_price: z.number(),
  exit_reason: z.string(),
  stop_loss: figure.optional(),
  take_profit: figure.optional(),
  pnl: z.number(),
  fees: z.number(),
  return_pct: z.number(),
  bars: count(),
  mae_pct: z.number().optional(),
  mfe_pct: z.number().optional(),
});

export type ReportTrade = z.output<typeof tradeSchema>;

/** Returns the record of a trade. */
export const tradeOf = (trade: BacktestTrade): ReportTrade => ({
  number: trade.number,
  symbol: trade.symbol,
  side: trade.side,
  quantity: trade.quantity,
  entry_at: iso(trade.entry_at),
  entry_price: trade.entry_price,
  exit_at: iso(trade.exit_at),
  exit_price: trade.exit_price,
  exit_reason: trade.exit_reason,
  stop_loss: levelOf(trade.stop),
  take_profit: levelOf(trade.target),
  pnl: trade.pnl,
  fees: trade.fees,
  return_pct: trade.return_pct,
  bars: trade.exit_bar - trade.entry_bar,
  mae_pct: trade.mae_pct,
  mfe_pct: trade.mfe_pct,
});
