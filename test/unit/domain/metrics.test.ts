import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { closeDays, equityNow } from '../../../shared/domain/ledger/days.ts';
import { openLedger } from '../../../shared/domain/ledger/ledger-state.ts';
import { metricsOf, metricsSchema } from '../../../shared/domain/ledger/metrics.ts';
import { totalsOf } from '../../../shared/domain/ledger/read-ledger.ts';
import { addDayRecords, openHistory } from '../../../shared/domain/metrics/equity-history.ts';
import { addDays, dayOf, startOf } from '../../../shared/domain/periods.ts';
import { soakable } from '../../support/soak.ts';
import {
  type Books,
  emptyBooks,
  type HubEvent,
  histories,
  orderEvent,
  receiveAll,
  START,
  timeAt,
  timeOf,
} from './ledger-histories.ts';

const FIRST = dayOf(START);
const CURRENCY = 'BTC';

const close = (books: Books, days: number) =>
  closeDays(books.ledger, openHistory(FIRST, '10000'), addDays(FIRST, days - 1));

/** Computes equity at the end of each day from the events until then. */
const equityByDay = (history: readonly HubEvent[], days: number): number[] =>
  Array.from({ length: days }, (_, day) => {
    const end = startOf(addDays(FIRST, day + 1));
    return Number(totalsOf(receiveAll(history.filter((event) => timeOf(event) < end)).ledger).equity);
  });

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Computes the metrics from the list of trades and the list of daily equity. */
const fromScratch = (books: Books, closed: readonly number[], at: string) => {
  const { equity: latest, unrealized_pnl } = totalsOf(books.ledger);
  const now = unrealized_pnl === null ? undefined : Number(latest);
  // The current day counts as if it ended now.
  const equity = now === undefined ? closed : [...closed, now];
  const years = (Date.parse(at) - START) / (365 * 86_400_000);
  const nets = Object.values(books.trades).map((trade) => ({ ...trade, net: Number(trade.net) }));
  const wins = nets.filter(({ net }) => net > 0).map(({ net }) => net);
  const losses = nets.filter(({ net }) => net < 0).map(({ net }) => net);
  const returns = equity.map((now, index) => now / (equity[index - 1] ?? 10_000) - 1);
  const average = mean(returns);
  const variance = returns.reduce((sum, change) => sum + (change - average) ** 2, 0) / (returns.length - 1);
  const downside = Math.sqrt(mean(returns.map((change) => Math.min(change, 0) ** 2)));
  const growth = (now ?? Number.NaN) / 10_000;
  let [top, fall] = [10_000, 0];
  for (const each of equity) {
    top = Math.max(top, each);
    fall = Math.max(fall, (top - each) / top);
  }
  const instants = [...new Set(nets.map(({ closed_at }) => closed_at))];
  let [balance, peak, drawdown, ratio] = [10_000, 10_000, 0, 0];
  for (const instant of instants) {
    for (const { net, closed_at } of nets) if (closed_at === instant) balance += net;
    peak = Math.max(peak, balance);
    drawdown = Math.max(drawdown, peak - balance);
    ratio = Math.max(ratio, (peak - balance) / peak);
  }
  let [streak, longest] = [0, 0];
  for (const { net } of nets) {
    streak = net > 0 ? streak + 1 : 0;
    longest = Math.max(longest, streak);
  }
  const total = nets.reduce((sum, { net }) => sum + net, 0);
  const some = (list: readonly unknown[], value: number): unknown =>
    list.length === 0 || !(Math.abs(value) <= Number.MAX_SAFE_INTEGER) ? null : near(value);
  const lost = -losses.reduce((sum, net) => sum + net, 0);
  const payoff = mean(wins) / -mean(losses);
  const hasBoth = wins.length > 0 && losses.length > 0;
  return {
    total_return_pct: some(returns, (growth - 1) * 100),
    cagr_pct: some(returns, (growth ** (1 / years) - 1) * 100),
    max_drawdown_equity_pct: some(returns, fall * 100),
    calmar_ratio: fall === 0 ? null : some(returns, (growth ** (1 / years) - 1) / fall),
    volatility_pct: returns.length < 2 ? null : near(Math.sqrt(variance * 365) * 100),
    sharpe_ratio:
      returns.length < 2 || variance < 1e-30 ? null : near((average / Math.sqrt(variance)) * Math.sqrt(365)),
    sortino_ratio:
      returns.length === 0 || downside === 0 ? null : near((average / downside) * Math.sqrt(365)),
    max_drawdown_abs: some(nets, drawdown),
    max_drawdown_pct: some(nets, ratio * 100),
    win_rate_pct: some(nets, (wins.length / nets.length) * 100),
    trades_count: nets.length,
    wins: wins.length,
    losses: losses.length,
    breakeven: nets.length - wins.length - losses.length,
    profit_factor: some(losses, wins.reduce((sum, net) => sum + net, 0) / lost),
    avg_win: some(wins, mean(wins)),
    avg_loss: some(losses, mean(losses)),
    payoff_ratio: hasBoth ? near(payoff) : null,
    expectancy: some(nets, total / nets.length),
    expectancy_ratio: hasBoth ? near(((1 + payoff) * wins.length) / nets.length - 1) : null,
    largest_win: some(wins, Math.max(...wins)),
    largest_loss: some(losses, Math.min(...losses)),
    max_consecutive_wins: longest,
    avg_duration_s: some(nets, mean(nets.map(({ duration_s }) => duration_s))),
    recovery_factor: drawdown === 0 ? null : near(total / drawdown),
  };
};

const near = (value: number): unknown =>
  value === 0 ? expect.closeTo(0, 6) : { asymmetricMatch: (actual: unknown) => isNear(actual, value) };

const isNear = (actual: unknown, value: number): boolean =>
  typeof actual === 'number' && Math.abs(actual - value) <= 1e-6 * Math.max(1, Math.abs(value));

/** Small prices and quantities, so that equity stays above zero and no figure is undefined. */
const modest = histories(12).filter((history) =>
  equityByDay(history, 8).every((equity, index, all) => equity > 100 && (all[index - 1] ?? equity) > 100),
);

describe('metrics', () => {
  test('equal a recomputation from all trades and days', () => {
    fc.assert(
      fc.property(modest, fc.nat(8), fc.nat(5 * 1440), (history, days, minutes) => {
        const books = receiveAll(history);
        // Must not depend on how many ended days were closed by then.
        const closed = close(books, days);
        const at = timeAt(8 * 1440 + minutes);
        const over = 8 + Math.floor(minutes / 1440);
        const metrics = metricsOf(closed.ledger, at, CURRENCY);
        expect(metricsSchema.parse(metrics)).toEqual(metrics);
        expect(metrics).toMatchObject(fromScratch(books, equityByDay(history, over), at));
      }),
      { numRuns: soakable(15, 120) },
    );
  });

  test('are null if undefined, and never infinite', () => {
    const { ledger } = emptyBooks();
    const metrics = metricsOf(ledger, timeAt(0), CURRENCY);
    const { period_start, period_end, sample_sufficient, metrics_version, ...figures } = metrics;
    expect([period_start, period_end, sample_sufficient, metrics_version]).toEqual([
      timeAt(0),
      timeAt(0),
      false,
      2,
    ]);
    expect(figures).toMatchObject({ total_return_pct: 0, cagr_pct: 0, max_drawdown_equity_pct: 0 });
    expect(Object.values(figures).filter((figure) => figure !== null)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]);
    const rich = receiveAll([
      orderEvent({ client_order_id: 'a' }),
      orderEvent({ client_order_id: 'b', side: 'sell', average_price: '1000000000' }),
    ]);
    const { cagr_pct, calmar_ratio, profit_factor } = metricsOf(
      close(rich, 1).ledger,
      timeAt(1440),
      CURRENCY,
    );
    expect([cagr_pct, calmar_ratio, profit_factor]).toEqual([null, null, null]);
  });

  test('include the share of time with an open position', () => {
    const books = receiveAll([
      orderEvent({ client_order_id: 'a', occurred_at: timeAt(0) }),
      orderEvent({ client_order_id: 'b', occurred_at: timeAt(10), side: 'sell' }),
      orderEvent({ client_order_id: 'c', occurred_at: timeAt(30) }),
      orderEvent({ client_order_id: 'd', occurred_at: timeAt(30), symbol: 'XAUUSD' }),
    ]);
    expect(metricsOf(books.ledger, timeAt(40), CURRENCY).exposure_pct).toBe(50);
  });

  test('round amounts to the minor unit of the currency', () => {
    const nets = ['100.005', '100.015', '100.02'];
    const events = nets.flatMap((price, index) => [
      orderEvent({ client_order_id: `a${index}`, occurred_at: timeAt(2 * index) }),
      orderEvent({
        client_order_id: `b${index}`,
        occurred_at: timeAt(2 * index + 1),
        side: 'sell',
        average_price: price,
      }),
    ]);
    const { ledger } = receiveAll(events);
    expect(metricsOf(ledger, timeAt(60), 'USD')).toMatchObject({ avg_win: 0.01, largest_win: 0.02 });
    expect(metricsOf(ledger, timeAt(60), 'USDT')).toMatchObject({ avg_win: 0.01333333, largest_win: 0.02 });
  });
});

describe('daily equity', () => {
  test('omits weekends of markets that close', () => {
    const started_at = '2025-11-06T12:00:00Z';
    const ledger = openLedger({ started_at, starting_capital: 10_000, calendars: ['us'], symbols: [] });
    const closed = closeDays(ledger, openHistory('2025-11-06', '10000'), '2025-11-10');
    expect(closed.ledger.head.equity.days).toBe(3);
    const { days } = equityNow(closed.ledger, startOf('2025-11-11'));
    expect(addDayRecords(closed.history, days).curve.map(([day]) => day)).toEqual([
      '2025-11-05',
      '2025-11-06',
      '2025-11-07',
      '2025-11-10',
    ]);
  });

  test('catches up with a long pause in several calls', () => {
    let { ledger, history, done } = close(emptyBooks(), 900);
    expect(done).toBe(false);
    let calls = 1;
    while (!done) {
      ({ ledger, history, done } = closeDays(ledger, history, addDays(FIRST, 899)));
      calls += 1;
    }
    expect([calls, ledger.closed_through, ledger.head.equity.days]).toEqual([3, addDays(FIRST, 899), 900]);
  });
});
