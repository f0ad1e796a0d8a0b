import type { BarColumns } from '../../shared/domain/candles/bars.ts';
import type { BacktestResult } from '../../shared/domain/engine/backtest/result.ts';
import type { RandomBacktest } from './random-backtests.ts';

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const ZONES: Readonly<Record<string, string>> = {
  us: 'America/New_York',
  'weekdays:Europe/London': 'Europe/London',
  'weekdays:Asia/Kolkata': 'Asia/Kolkata',
};
/** Weekdays without a session, for bars up to the end of 2022. */
const HOLIDAYS: Readonly<Record<string, string>> = {
  us: '2020-01-01 2020-01-20 2020-02-17 2020-04-10 2020-05-25 2020-07-03 2020-09-07 2020-11-26 2020-12-25 2021-01-01 2021-01-18 2021-02-15 2021-04-02 2021-05-31 2021-07-05 2021-09-06 2021-11-25 2021-12-24 2022-01-17 2022-02-21 2022-04-15 2022-05-30 2022-06-20 2022-07-04 2022-09-05 2022-11-24 2022-12-26',
  forex: '2020-01-01 2020-12-25 2021-01-01 2022-12-26',
};

const dateIn = (zone: string, at: number): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at);
const hourIn = (zone: string, at: number): number =>
  Number(new Intl.DateTimeFormat('en', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(at));
const later = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
const weekday = (day: string): number => new Date(day).getUTCDay();
const orMonday = (day: string): string => later(day, { 6: 2, 0: 1 }[weekday(day)] ?? 0);

/** Returns the trading day of a moment, for an account over calendars. */
export const plainDay = (calendars: readonly string[], at: number): string => {
  const [only = 'always', ...others] = new Set(calendars);
  if (calendars.includes('always')) return dateIn('UTC', at);
  if (others.length > 0) return orMonday(dateIn('UTC', at));
  if (only !== 'forex') return dateIn(ZONES[only] ?? 'UTC', at);
  const date = dateIn('America/New_York', at);
  return orMonday(hourIn('America/New_York', at) >= 17 ? later(date, 1) : date);
};

const yearDays = (calendars: readonly string[]): number => {
  const different = new Set(calendars);
  if (different.has('always')) return 365;
  return different.has('forex') || different.size > 1 ? 260 : 252;
};

const isOpen = (calendars: readonly string[], day: string): boolean =>
  calendars.includes('always') ||
  (weekday(day) % 6 !== 0 &&
    calendars.some((id) => HOLIDAYS[id] !== undefined && !HOLIDAYS[id]?.split(' ').includes(day)));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
const most = (values: readonly number[]): number => values.reduce((left, right) => Math.max(left, right));
/** Sample deviation; zero for values that differ by rounding only. */
const deviation = (values: readonly number[]): number => {
  const average = mean(values);
  const spread = Math.sqrt(sum(values.map((value) => (value - average) ** 2)) / (values.length - 1));
  return spread <= 1e-12 * most(values.map(Math.abs)) ? 0 : spread;
};
/** Numbers beyond the exact integers are left out. */
const shown = (value: number): number | null => (Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : null);
const over = (left: number, right: number): number | null => (right === 0 ? null : shown(left / right));
const orNull = (isDefined: boolean, value: () => number | null): number | null =>
  isDefined ? value() : null;

type Points = BacktestResult['equity'];

const dailyReturns = (points: Points, capital: number, calendars: readonly string[], isDaily: boolean) => {
  const days = new Map<string, number>();
  const months = new Map<string, number>();
  let last: string | undefined;
  for (const { at, equity } of points) {
    const day = plainDay(calendars, isDaily ? at + DAY_MS / 2 : at);
    for (
      let missing = last && later(last, 1);
      last && missing && missing < day;
      missing = later(missing, 1)
    ) {
      if (isOpen(calendars, missing)) days.set(missing, days.get(last) ?? 0);
    }
    days.set(day, equity);
    months.set(day.slice(0, 7), equity);
    last = day;
  }
  const equities = [capital, ...days.values()];
  const returns = equities.flatMap((equity, index) => {
    const before = equities[index - 1];
    if (before === undefined || before <= 0) return [];
    const change = Math.max(-1, equity / before - 1);
    // The shares of several symbols add up to the capital but for rounding.
    return [Math.abs(change) < 1e-12 ? 0 : change];
  });
  return { returns, months };
};

/** Falls of equity below its highest value before. */
const plainDrawdowns = (points: Points, capital: number) => {
  const falls: { depth: number; seconds: number }[] = [];
  let peak = capital;
  let [at, last] = [points[0]?.at ?? 0, points[0]?.at ?? 0];
  let depth = 0;
  const end = (to: number) => {
    if (depth > 0) falls.push({ depth, seconds: (to - at) / 1000 });
    depth = 0;
  };
  for (const point of points) {
    if (point.equity >= peak * (1 - 1e-12)) {
      end(point.at);
      peak = Math.max(peak, point.equity);
      at = point.at;
    } else depth = Math.max(depth, Math.min(1, (peak - point.equity) / peak));
    last = point.at;
  }
  end(last);
  return { falls, peak };
};

const longestRun = (wins: readonly boolean[]): number =>
  most([
    0,
    ...wins
      .map((_, index) => wins.slice(index).findIndex((won) => !won))
      .map((run, index) => (run < 0 ? wins.length - index : run)),
  ]);

const tradeFigures = (trades: BacktestResult['trades'], capital: number) => {
  const results = trades.map(({ pnl }) => pnl);
  const won = results.filter((pnl) => pnl > 0);
  const lost = results.filter((pnl) => pnl < 0);
  const returns = trades.map(({ return_pct }) => return_pct);
  // Trades that close together are one step. The end of data closes those of a shorter series after all others.
  const steps: { at: number; pnl: number }[] = [];
  for (const { exit_at: at, pnl } of trades) {
    const last = steps.at(-1);
    if (last?.at === at) last.pnl += pnl;
    else steps.push({ at, pnl });
  }
  let [balance, peak, fall, part] = [capital, capital, 0, 0];
  for (const { pnl } of steps) {
    balance += pnl;
    peak = Math.max(peak, balance);
    fall = Math.max(fall, peak - balance);
    // A loss in a gap can be more than all, but a fall is at most all.
    part = Math.max(part, Math.min(1, (peak - balance) / peak));
  }
  const has = trades.length > 0;
  const rate = won.length / trades.length;
  const payoff = won.length > 0 && lost.length > 0 ? mean(won) / -mean(lost) : null;
  return {
    trades_count: trades.length,
    wins: won.length,
    losses: lost.length,
    breakeven: trades.length - won.length - lost.length,
    win_rate_pct: orNull(has, () => rate * 100),
    profit_factor: over(sum(won), -sum(lost)),
    avg_win: orNull(won.length > 0, () => mean(won)),
    avg_loss: orNull(lost.length > 0, () => mean(lost)),
    payoff_ratio: payoff,
    expectancy: orNull(has, () => mean(results)),
    expectancy_ratio: payoff === null ? null : (1 + payoff) * rate - 1,
    largest_win: orNull(won.length > 0, () => most(won)),
    largest_loss: orNull(lost.length > 0, () => -most(lost.map((pnl) => -pnl))),
    max_consecutive_wins: longestRun(results.map((pnl) => pnl > 0)),
    max_consecutive_losses: longestRun(results.map((pnl) => pnl < 0)),
    avg_duration_s: orNull(has, () => mean(trades.map(({ entry_at, exit_at }) => exit_at - entry_at)) / 1000),
    recovery_factor: over(sum(results), fall),
    max_drawdown_abs: orNull(has, () => fall),
    max_drawdown_pct: orNull(has, () => part * 100),
    best_trade_pct: orNull(has, () => most(returns)),
    worst_trade_pct: orNull(has, () => -most(returns.map((value) => -value))),
    avg_trade_pct: orNull(has && returns.every((value) => value > -100), () => {
      const growth = returns.reduce((total, value) => total * (1 + value / 100), 1);
      return (growth ** (1 / returns.length) - 1) * 100;
    }),
    expectancy_pct: orNull(has, () => mean(returns)),
    sqn: orNull(trades.length > 1, () => over(Math.sqrt(trades.length) * mean(results), deviation(results))),
    kelly: payoff === null ? null : rate - (1 - rate) / payoff,
    fees: sum(trades.map(({ fees }) => fees)),
  };
};

const exposedBars = ({ trades, open_trades: open }: BacktestResult, symbol: string, bars: number): number => {
  const exposed = new Set<number>();
  const add = (from: number, to: number) => {
    for (let bar = from; bar <= Math.max(from, to); bar += 1) exposed.add(bar);
  };
  for (const trade of trades) if (trade.symbol === symbol) add(trade.entry_bar, trade.exit_bar);
  for (const trade of open) if (trade.symbol === symbol) add(trade.entry_bar, bars - 1);
  return exposed.size;
};

/** Bars from the first one of the result on. */
const barsFrom = ({ start }: BarColumns, from: number): number => start.filter((at) => at >= from).length;

/** Computes the statistics of a backtest from its trades and the equity of every bar. */
export const plainStatistics = ({ input, bars }: RandomBacktest, result: BacktestResult) => {
  const { equity: points, trades } = result;
  const capital = input.account.starting_capital;
  const final = points.at(-1)?.equity ?? capital;
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const { calendars } = input.days;
  const { returns, months } = dailyReturns(points, capital, calendars, input.timeframe === '1d');
  const year = Math.sqrt(yearDays(calendars));
  const risk = returns.length > 1 ? deviation(returns) : null;
  const downside = Math.sqrt(sum(returns.map((value) => Math.min(value, 0) ** 2)) / returns.length);
  const { falls, peak } = plainDrawdowns(points, capital);
  const depth = most([0, ...falls.map((fall) => fall.depth)]);
  // Nobody loses more than all, although equity can fall below zero in a gap.
  const growth = Math.max(0, final / capital);
  const cagr = growth ** (1 / Math.max(1 / 365, (last - first) / YEAR_MS)) - 1;
  const counts = bars.map((leg) => barsFrom(leg, input.from ?? Number.NEGATIVE_INFINITY));
  const exposed = input.legs.map(({ symbol }, index) => exposedBars(result, symbol, counts[index] ?? 0));
  let before = capital;
  const monthly_returns = [...months].map(([month, equity]) => {
    const return_pct = before > 0 ? Math.max(-1, equity / before - 1) * 100 : 0;
    before = equity;
    return { month, return_pct };
  });
  return {
    monthly_returns,
    statistics: {
      total_return_pct: (growth - 1) * 100,
      cagr_pct: shown(cagr * 100),
      volatility_pct: risk === null ? null : risk * year * 100,
      sharpe_ratio: risk === null || risk < 1e-12 ? null : (mean(returns) / risk) * year,
      sortino_ratio: returns.length === 0 ? null : over(mean(returns) * year, downside),
      calmar_ratio: over(cagr, depth),
      max_drawdown_equity_pct: depth * 100,
      avg_drawdown_pct: orNull(falls.length > 0, () => mean(falls.map((fall) => fall.depth)) * 100),
      max_drawdown_s: orNull(falls.length > 0, () => most(falls.map((fall) => fall.seconds))),
      final_equity: final,
      equity_peak: peak,
      exposure_pct: (sum(exposed) / sum(counts)) * 100,
      ...tradeFigures(trades, capital),
      sample_sufficient: trades.length >= 30,
      period_start: new Date(first).toISOString(),
      period_end: new Date(last).toISOString(),
    },
  };
};
