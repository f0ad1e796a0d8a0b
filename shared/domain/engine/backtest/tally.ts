import * as z from 'zod';
import type { TradeStats } from '../../metrics/trade-stats.ts';
import type { ClosedTrade } from '../account/account.ts';
import { stored } from '../stored.ts';

/** Sums over closed trades in doubles; constant in size. Changed in place. */
export const tallySchema = z.object({
  count: z.int(),
  wins: z.int(),
  losses: z.int(),
  won: stored,
  lost: stored,
  largestWin: stored,
  largestLoss: stored,
  winStreak: z.int(),
  lossStreak: z.int(),
  longestWinStreak: z.int(),
  longestLossStreak: z.int(),
  durationMs: stored,
  balance: stored,
  peak: stored,
  drawdown: stored,
  drawdownRatio: stored,
  instant: stored,
  instantNet: stored,
  fees: stored,
  /** Mean result and sum of squared distances from it. */
  mean: stored,
  squares: stored,
  /** Returns as fractions: sum, sum of logarithms of growth, best, worst. */
  returns: stored,
  growth: stored,
  best: stored,
  worst: stored,
});

export type Tally = z.output<typeof tallySchema>;

/** Returns the sums before the first trade. */
export const newTally = (startingCapital: number): Tally => ({
  count: 0,
  wins: 0,
  losses: 0,
  won: 0,
  lost: 0,
  largestWin: 0,
  largestLoss: 0,
  winStreak: 0,
  lossStreak: 0,
  longestWinStreak: 0,
  longestLossStreak: 0,
  durationMs: 0,
  balance: startingCapital,
  peak: startingCapital,
  drawdown: 0,
  drawdownRatio: 0,
  instant: Number.NaN,
  instantNet: 0,
  fees: 0,
  mean: 0,
  squares: 0,
  returns: 0,
  growth: 0,
  best: Number.NEGATIVE_INFINITY,
  worst: Number.POSITIVE_INFINITY,
});

/** Adds the results of the latest closing time to the balance. */
const settle = (tally: Tally): void => {
  if (Number.isNaN(tally.instant)) return;
  tally.balance += tally.instantNet;
  tally.instant = Number.NaN;
  tally.instantNet = 0;
  const fall = tally.peak - tally.balance;
  if (fall <= 0) {
    tally.peak = tally.balance;
    return;
  }
  tally.drawdown = Math.max(tally.drawdown, fall);
  if (tally.peak > 0) tally.drawdownRatio = Math.max(tally.drawdownRatio, Math.min(1, fall / tally.peak));
};

const addResult = (tally: Tally, pnl: number): void => {
  if (pnl > 0) {
    tally.wins += 1;
    tally.won += pnl;
    tally.largestWin = Math.max(tally.largestWin, pnl);
    tally.winStreak += 1;
    tally.longestWinStreak = Math.max(tally.longestWinStreak, tally.winStreak);
  } else tally.winStreak = 0;
  if (pnl < 0) {
    tally.losses += 1;
    tally.lost += pnl;
    tally.largestLoss = Math.min(tally.largestLoss, pnl);
    tally.lossStreak += 1;
    tally.longestLossStreak = Math.max(tally.longestLossStreak, tally.lossStreak);
  } else tally.lossStreak = 0;
};

const PERCENT = 100;

/** Adds a closed trade. Trades come in the order of closing. */
export const tallyTrade = (tally: Tally, trade: ClosedTrade): void => {
  const { pnl, exit_at: closedAt } = trade;
  if (tally.instant !== closedAt) settle(tally);
  tally.instant = closedAt;
  tally.instantNet += pnl;
  tally.count += 1;
  tally.durationMs += closedAt - trade.entry_at;
  tally.fees += trade.fees;
  addResult(tally, pnl);
  const distance = pnl - tally.mean;
  tally.mean += distance / tally.count;
  tally.squares += distance * (pnl - tally.mean);
  const change = trade.return_pct / PERCENT;
  tally.returns += change;
  tally.growth += Math.log1p(change);
  tally.best = Math.max(tally.best, change);
  tally.worst = Math.min(tally.worst, change);
};

/** Returns the sums as statistics of trades, for the figures that deployments show as well. */
export const tradeStatsOf = (tally: Tally): TradeStats => {
  const settled = { ...tally };
  settle(settled);
  return {
    count: settled.count,
    wins: settled.wins,
    losses: settled.losses,
    won: String(settled.won),
    lost: String(settled.lost),
    largest_win: settled.wins > 0 ? String(settled.largestWin) : null,
    largest_loss: settled.losses > 0 ? String(settled.largestLoss) : null,
    win_streak: settled.winStreak,
    loss_streak: settled.lossStreak,
    longest_win_streak: settled.longestWinStreak,
    longest_loss_streak: settled.longestLossStreak,
    duration_ms: settled.durationMs,
    balance: String(settled.balance),
    peak: String(settled.peak),
    drawdown: String(settled.drawdown),
    drawdown_ratio: String(settled.drawdownRatio),
    instant: null,
    instant_net: '0',
  };
};
