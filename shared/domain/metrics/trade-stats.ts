import * as z from 'zod';
import { add, type Decimal, decimal, decimalText, toText } from '../money.ts';

/** Running sums over closed trades, sufficient for all their statistics; constant in size. */
export const tradeStatsSchema = z.object({
  count: z.int(),
  wins: z.int(),
  losses: z.int(),
  won: decimalText,
  /** Negative. */
  lost: decimalText,
  largest_win: decimalText.nullable(),
  largest_loss: decimalText.nullable(),
  win_streak: z.int(),
  loss_streak: z.int(),
  longest_win_streak: z.int(),
  longest_loss_streak: z.int(),
  duration_ms: z.number(),
  /** Starting capital plus the net result of all trades before `instant`; `peak`: its highest value. */
  balance: decimalText,
  peak: decimalText,
  drawdown: decimalText,
  /** Deepest fall below a peak, as a fraction of that peak. */
  drawdown_ratio: decimalText,
  /** Latest closing time. Trades that close at the same time count as one step of the balance. */
  instant: z.number().nullable(),
  instant_net: decimalText,
});

export type TradeStats = z.output<typeof tradeStatsSchema>;

/** Returns the sums before the first trade. */
export const noTrades = (startingCapital: string): TradeStats => ({
  count: 0,
  wins: 0,
  losses: 0,
  won: '0',
  lost: '0',
  largest_win: null,
  largest_loss: null,
  win_streak: 0,
  loss_streak: 0,
  longest_win_streak: 0,
  longest_loss_streak: 0,
  duration_ms: 0,
  balance: startingCapital,
  peak: startingCapital,
  drawdown: '0',
  drawdown_ratio: '0',
  instant: null,
  instant_net: '0',
});

const greatest = (left: Decimal, right: string): string => toText(left.gt(right) ? left : decimal(right));

/** Returns the statistics including the trades of the latest closing time. */
export const settledTrades = (stats: TradeStats): TradeStats => {
  if (stats.instant === null) return stats;
  const settled = {
    ...stats,
    instant: null,
    instant_net: '0',
    balance: add(stats.balance, stats.instant_net),
  };
  const peak = decimal(stats.peak);
  const fall = peak.minus(settled.balance);
  if (fall.lte(0)) return { ...settled, peak: settled.balance };
  settled.drawdown = greatest(fall, stats.drawdown);
  if (peak.gt(0)) settled.drawdown_ratio = greatest(fall.div(peak), stats.drawdown_ratio);
  return settled;
};

const addWin = (stats: TradeStats, net: Decimal): TradeStats => {
  const streak = stats.win_streak + 1;
  return {
    ...stats,
    wins: stats.wins + 1,
    won: add(stats.won, net),
    largest_win: greatest(net, stats.largest_win ?? '0'),
    win_streak: streak,
    loss_streak: 0,
    longest_win_streak: Math.max(streak, stats.longest_win_streak),
  };
};

const addLoss = (stats: TradeStats, net: Decimal): TradeStats => {
  const streak = stats.loss_streak + 1;
  return {
    ...stats,
    losses: stats.losses + 1,
    lost: add(stats.lost, net),
    largest_loss: net.lt(stats.largest_loss ?? '0') ? toText(net) : stats.largest_loss,
    loss_streak: streak,
    win_streak: 0,
    longest_loss_streak: Math.max(streak, stats.longest_loss_streak),
  };
};

/** Adds a closed trade. Trades must come in the order of closing. A break-even trade ends a streak. */
export const addTrade = (
  stats: TradeStats,
  trade: { readonly net: Decimal; readonly opened_at: number; readonly closed_at: number },
): TradeStats => {
  const before = stats.instant === trade.closed_at ? stats : settledTrades(stats);
  const added: TradeStats = {
    ...before,
    count: before.count + 1,
    duration_ms: before.duration_ms + trade.closed_at - trade.opened_at,
    instant: trade.closed_at,
    instant_net: add(before.instant_net, trade.net),
  };
  if (trade.net.gt(0)) return addWin(added, trade.net);
  if (trade.net.lt(0)) return addLoss(added, trade.net);
  return { ...added, win_streak: 0, loss_streak: 0 };
};
