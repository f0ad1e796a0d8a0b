import { decimal, toMoney, toText } from '../money.ts';
import type { TradeStats } from './trade-stats.ts';

/** Trades from which figures are meaningful. */
export const SUFFICIENT_TRADES = 30;
const PERCENT = 100;

/** Returns null for a number that the table cannot store, for example the yearly growth of 10 % a day. */
export const bounded = (value: number): number | null =>
  Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : null;

/** Converts a fraction to percent. */
export const percent = (fraction: number | null): number | null =>
  fraction === null ? null : bounded(fraction * PERCENT);

/** Divides; null if a side is null, the divisor is zero, or the result too large. */
export const ratio = (left: number | string | null, right: number | string | null): number | null =>
  left === null || right === null || Number(right) === 0 ? null : bounded(Number(left) / Number(right));

/** Returns the mean of an amount at the scale of stored amounts; null without values. */
const mean = (amount: string, count: number): string | null =>
  count === 0 ? null : toText(decimal(amount).div(count));

/** Computes the figures of closed trades. Amounts are rounded to the currency's minor unit. */
export const tradeFigures = (stats: TradeStats, currency: string) => {
  const { count, wins, losses, won, lost } = stats;
  const net = toText(decimal(won).plus(lost));
  const averageWin = mean(won, wins);
  const averageLoss = mean(lost, losses);
  const payoff = ratio(averageWin, averageLoss === null ? null : toText(decimal(averageLoss).neg()));
  const winRate = ratio(wins, count);
  return {
    win_rate_pct: percent(winRate),
    trades_count: count,
    wins,
    losses,
    breakeven: count - wins - losses,
    profit_factor: ratio(won, toText(decimal(lost).neg())),
    avg_win: toMoney(averageWin, currency),
    avg_loss: toMoney(averageLoss, currency),
    payoff_ratio: payoff,
    expectancy: toMoney(mean(net, count), currency),
    expectancy_ratio: payoff === null || winRate === null ? null : (1 + payoff) * winRate - 1,
    largest_win: toMoney(stats.largest_win, currency),
    largest_loss: toMoney(stats.largest_loss, currency),
    max_consecutive_wins: stats.longest_win_streak,
    max_consecutive_losses: stats.longest_loss_streak,
    avg_duration_s: count === 0 ? null : stats.duration_ms / count / 1000,
    recovery_factor: ratio(net, stats.drawdown),
    sample_sufficient: count >= SUFFICIENT_TRADES,
  };
};
