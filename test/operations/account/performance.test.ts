import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runJob } from '../../support/jobs.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, login, register } from '../../support/people.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployedTrader, report, reportOrder, undeployTrading } from '../../support/trading.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CAPITAL = 10_000;

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(1000));

type Query = Readonly<Record<string, string>>;

const get = async (operation: string, query: Query) => {
  hub.takeCalls();
  const answer = await hub.call(`GET /${operation}`, { query });
  return { ...answer, calls: hub.takeCalls() };
};

interface Holding {
  quantity: number;
  cost: number;
}

interface Cycle {
  readonly side: string;
  readonly opened: number;
  entered: number;
  entryValue: number;
  exitValue: number;
  fees: number;
}

interface PlainTrade extends Cycle {
  readonly symbol: string;
  readonly closed: number;
  readonly quantity: number;
  readonly gross: number;
}

/** Books of a deployment in plain floating-point numbers, from its fills. */
class Plain {
  readonly held = new Map<string, Holding>();
  readonly cycles = new Map<string, Cycle>();
  readonly prices = new Map<string, number>();
  readonly trades: PlainTrade[] = [];
  realized = 0;

  fill(at: number, symbol: string, quantity: number, price: number, fee: number): void {
    const { quantity: open } = this.held.get(symbol) ?? { quantity: 0 };
    const closing =
      open * quantity < 0 ? Math.sign(quantity) * Math.min(Math.abs(quantity), Math.abs(open)) : 0;
    const parts = [closing, quantity - closing].filter((part) => part !== 0);
    for (const part of parts) this.part(at, symbol, part, price, (fee * part) / quantity);
    this.prices.set(symbol, price);
  }

  private part(at: number, symbol: string, quantity: number, price: number, fee: number): void {
    const holding = this.held.get(symbol) ?? { quantity: 0, cost: 0 };
    const cycle = this.cycles.get(symbol) ?? {
      side: quantity > 0 ? 'long' : 'short',
      opened: at,
      entered: 0,
      entryValue: 0,
      exitValue: 0,
      fees: 0,
    };
    this.realized -= fee;
    cycle.fees += fee;
    if (holding.quantity * quantity < 0) {
      const cost = (holding.cost * -quantity) / holding.quantity;
      this.realized += -quantity * price - cost;
      holding.cost -= cost;
      cycle.exitValue += -quantity * price;
    } else {
      holding.cost += quantity * price;
      cycle.entered += quantity;
      cycle.entryValue += quantity * price;
    }
    holding.quantity += quantity;
    this.held.set(symbol, holding);
    this.cycles.set(symbol, cycle);
    if (holding.quantity !== 0) return;
    this.trades.push({
      ...cycle,
      symbol,
      closed: at,
      quantity: Math.abs(cycle.entered),
      gross: cycle.exitValue - cycle.entryValue,
    });
    this.held.delete(symbol);
    this.cycles.delete(symbol);
  }

  get equity(): number {
    let equity = CAPITAL + this.realized;
    for (const [symbol, { quantity, cost }] of this.held) {
      equity += quantity * (this.prices.get(symbol) ?? Number.NaN) - cost;
    }
    return equity;
  }
}

/** Returns deterministic numbers below a limit. */
const randomOf = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
/** Returns the Monday of a day's week. */
const mondayOf = (day: string): string => {
  const at = Date.parse(day);
  return dayOf(at - ((new Date(at).getUTCDay() + 6) % 7) * DAY);
};
/** Half a cent rounds to either side. */
const near = (value: number) => expect.closeTo(value, 1.99);

interface Played {
  readonly user_id: string;
  readonly id: number;
  readonly plain: Plain;
  /** Equity at the end of each trading day; the last day is open. */
  readonly equity: [day: string, equity: number][];
  /** Realised result and closed trades by day. */
  readonly booked: [day: string, pnl: number, trades: number][];
}

/** Trades for some weeks, with quotes and closing days. */
const play = async (days: number): Promise<Played> => {
  const next = randomOf(7);
  const plain = new Plain();
  const { user_id, id } = await deployedTrader(hub);
  const equity: Played['equity'] = [];
  const booked: Played['booked'] = [];
  let order = 0;
  for (let day = 0; day < days; day++) {
    const [realized, trades] = [plain.realized, plain.trades.length];
    const now = () => hub.runtime.clock().getTime();
    const today = dayOf(now());
    // The exchange is closed on Good Friday.
    const isClosed = [0, 6].includes(new Date(now()).getUTCDay()) || today === '2026-04-03';
    for (let fill = 0; fill < (isClosed ? 0 : 2); fill++) {
      hub.advance(HOUR);
      const symbol = ['AAPL', 'MSFT'][next(2)] ?? '';
      const held = plain.held.get(symbol)?.quantity ?? 0;
      // Two of three fills reduce, close or flip an open position.
      const side = held !== 0 && next(3) > 0 ? -Math.sign(held) : [1, -1][next(2)];
      const quantity = (next(3) + 1) * (side ?? 1);
      const price = 90 + next(20);
      const fee = next(4) / 4;
      await reportOrder(hub, id, {
        client_order_id: `order-${String(++order).padStart(4, '0')}`,
        symbol,
        side: quantity > 0 ? 'buy' : 'sell',
        quantity: String(Math.abs(quantity)),
        average_price: String(price),
        fees: String(fee),
      });
      plain.fill(now(), symbol, quantity, price, fee);
    }
    hub.advance(HOUR);
    for (const symbol of isClosed ? [] : ['AAPL', 'MSFT']) {
      const price = 90 + next(20);
      await report(hub, 'Quote Marked', id, { symbol, price });
      plain.prices.set(symbol, price);
    }
    if (!isClosed) equity.push([today, plain.equity]);
    booked.push([today, plain.realized - realized, plain.trades.length - trades]);
    if (day === days - 1) break;
    // At noon in UTC it is the same day in New York.
    hub.advance(DAY - (now() % DAY) + 12 * HOUR);
    if (day % 5 === 0) await runJob(hub.runtime, { job: 'close-equity-days' });
  }
  return { user_id, id, plain, equity, booked };
};

/** Sums results by a period; omits periods without any. */
const sumsBy = (booked: Played['booked'], periodOf: (day: string) => string) => {
  const sums = new Map<string, { pnl: number; trades: number }>();
  for (const [day, pnl, trades] of booked) {
    const sum = sums.get(periodOf(day)) ?? { pnl: 0, trades: 0 };
    sums.set(periodOf(day), { pnl: sum.pnl + pnl, trades: sum.trades + trades });
  }
  return [...sums]
    .filter(([, { pnl, trades }]) => Math.abs(pnl) > 1e-9 || trades > 0)
    .map(([period, { pnl, trades }]) => ({ period, pnl: near(pnl), trades }));
};

describe('a deployment that traded for weeks', () => {
  let played: Played;
  let query: Query;
  beforeAll(async () => {
    played = await play(40);
    query = { user_id: played.user_id, deployment_id: String(played.id) };
  });

  test('has the equity, drawdown and results of a plain recomputation from its fills', async () => {
    const { status, body, calls } = await get('get_deployment_performance', query);
    expect([status, calls]).toEqual([200, ['BatchGetItem', 'BatchGetItem']]);
    const [first = ['']] = played.equity;
    const curve = [[dayOf(Date.parse(first[0]) - DAY), CAPITAL] as const, ...played.equity];
    let peak = 0;
    const falls: number[] = [];
    const expected = curve.map(([day, equity]) => {
      peak = Math.max(peak, equity);
      falls.push((1 - equity / peak) * 100);
      return { day, equity: near(equity), drawdown_pct: expect.closeTo(falls.at(-1) ?? 0, 5) };
    });
    expect(body.equity_curve).toEqual(expected);
    expect(body.pnl.by_day).toEqual(sumsBy(played.booked, (day) => day));
    expect(body.pnl.by_week).toEqual(sumsBy(played.booked, mondayOf));
    expect(body.pnl.by_month).toEqual(sumsBy(played.booked, (day) => day.slice(0, 7)));
    expect(body.pnl.by_month.length).toBe(2);
    const nets = played.plain.trades.map(({ gross, fees }) => gross - fees);
    const [wins, losses] = [nets.filter((net) => net > 0), nets.filter((net) => net < 0)];
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    const returns = curve.slice(1).map(([, equity], index) => equity / (curve[index]?.[1] ?? 0) - 1);
    const mean = sum(returns) / returns.length;
    const deviation = Math.sqrt(sum(returns.map((each) => (each - mean) ** 2)) / (returns.length - 1));
    expect(body.metrics).toMatchObject({
      total_return_pct: expect.closeTo(((curve.at(-1)?.[1] ?? 0) / CAPITAL - 1) * 100, 5),
      max_drawdown_equity_pct: expect.closeTo(Math.max(...falls), 5),
      sharpe_ratio: expect.closeTo((mean / deviation) * Math.sqrt(252), 4),
      trades_count: nets.length,
      wins: wins.length,
      losses: losses.length,
      profit_factor: expect.closeTo(sum(wins) / -sum(losses), 5),
      expectancy: near(sum(nets) / nets.length),
      largest_win: near(Math.max(...nets)),
      largest_loss: near(Math.min(...nets)),
    });
  });

  /** Trades as the answer shows them, by number from 1. */
  const expectedTrades = () =>
    played.plain.trades.map((trade, index) => ({
      trade_number: index + 1,
      deployment_id: played.id,
      strategy_id: expect.any(Number),
      mode: 'virtual',
      symbol: trade.symbol,
      side: trade.side,
      quantity: trade.quantity,
      entry_price: expect.closeTo(trade.entryValue / trade.entered, 6),
      exit_price: expect.closeTo(trade.exitValue / trade.entered, 6),
      gross_pnl: near(trade.gross),
      fees: near(trade.fees),
      swap: 0,
      net_pnl: near(trade.gross - trade.fees),
      return_pct: expect.closeTo(((trade.gross - trade.fees) / Math.abs(trade.entryValue)) * 100, 5),
      currency: 'USD',
      opened_at: new Date(trade.opened).toISOString(),
      closed_at: new Date(trade.closed).toISOString(),
      duration_s: (trade.closed - trade.opened) / 1000,
      client_order_id: expect.stringMatching(/^order-/),
    }));

  test('lists its trades page by page, at the same cost', async () => {
    const all = expectedTrades();
    expect(all.length).toBeGreaterThan(8);
    const found: unknown[] = [];
    for (let page = 1; found.length < all.length; page++) {
      const { body, calls } = await get('get_deployment_trades', { ...query, page: String(page), size: '3' });
      expect(calls).toEqual(['BatchGetItem', 'Query']);
      expect(body).toMatchObject({ total: all.length, page, size: 3, pages: Math.ceil(all.length / 3) });
      found.push(...body.items);
    }
    expect(found).toEqual([...all].reverse());
    const oldest = await get('get_deployment_trades', { ...query, sort: 'oldest', page: '2', size: '3' });
    expect(oldest.body.items).toEqual(all.slice(3, 6));
    const beyond = await get('get_deployment_trades', { ...query, page: '1000' });
    expect(beyond.body).toMatchObject({ items: [], total: all.length });
  });

  test('chooses trades by time, symbol and side, and sorts them by result', async () => {
    const { trades } = played.plain;
    const numbersOf = async (filter: Query): Promise<number[]> => {
      const { body, calls } = await get('get_deployment_trades', { ...query, ...filter });
      expect(calls).toEqual(['BatchGetItem', 'Query']);
      expect(body.total).toBe(body.items.length);
      return body.items.map(({ trade_number }: { trade_number: number }) => trade_number);
    };
    const chosen = (matches: (trade: PlainTrade) => boolean) =>
      trades.flatMap((trade, index) => (matches(trade) ? [index + 1] : [])).reverse();
    const middle = trades[Math.floor(trades.length / 2)]?.closed ?? 0;
    expect(await numbersOf({ from: new Date(middle).toISOString() })).toEqual(
      chosen(({ closed }) => closed >= middle),
    );
    expect(await numbersOf({ to: dayOf(middle) })).toEqual(
      chosen(({ closed }) => closed < Date.parse(dayOf(middle))),
    );
    expect(await numbersOf({ symbol: 'msft', side: 'short' })).toEqual(
      chosen(({ symbol, side }) => symbol === 'MSFT' && side === 'short'),
    );
    expect(await numbersOf({ symbol: '?' })).toEqual([]);
    const nets = new Map(trades.map(({ gross, fees }, index) => [index + 1, gross - fees]));
    const best = (await numbersOf({ sort: 'best' })).map((number) => nets.get(number) ?? Number.NaN);
    expect(best).toEqual([...best].sort((left, right) => right - left));
    expect(await numbersOf({ sort: 'worst', side: 'long' })).toHaveLength(
      chosen(({ side }) => side === 'long').length,
    );
  });

  test('keeps its figures after it ended', async () => {
    const before = (await get('get_deployment_performance', query)).body;
    await undeployTrading(hub, played.user_id, played.id);
    const after = (await get('get_deployment_performance', query)).body;
    expect(after).toMatchObject({ status: 'stopped', equity_curve: before.equity_curve, pnl: before.pnl });
  });
});

describe('at a weekend', () => {
  test('the drawdown of equity is that of the curve, although the day has no return', async () => {
    const { user_id, id } = await deployedTrader(hub);
    const now = hub.runtime.clock();
    const daysToFriday = ((5 - now.getUTCDay() + 6) % 7) + 1;
    hub.advance(daysToFriday * DAY - (now.getTime() % DAY) + 12 * HOUR);
    await reportOrder(hub, id, { client_order_id: 'held', quantity: '10' });
    await report(hub, 'Quote Marked', id, { symbol: 'AAPL', price: '110' });
    hub.advance(DAY);
    await report(hub, 'Quote Marked', id, { symbol: 'AAPL', price: '59' });
    const query = { user_id, deployment_id: String(id) };
    const { body } = await get('get_deployment_performance', query);
    const fall = expect.closeTo(((10_100 - 9590) / 10_100) * 100, 5);
    expect(body.equity_curve.at(-1)).toMatchObject({ equity: 9590, drawdown_pct: fall });
    expect(body.metrics).toMatchObject({ total_return_pct: -4.1, max_drawdown_equity_pct: fall });
    hub.advance(DAY);
    await report(hub, 'Quote Marked', id, { symbol: 'AAPL', price: '110' });
    expect((await get('get_deployment_performance', query)).body.metrics).toMatchObject({
      max_drawdown_equity_pct: 0,
    });
  });
});

describe('a deployment without trades', () => {
  test('has its capital as equity and no trades', async () => {
    const { user_id, id } = await deployedTrader(hub);
    const query = { user_id, deployment_id: String(id) };
    const { body } = await get('get_deployment_performance', query);
    expect(body).toMatchObject({ metrics: { trades_count: 0, win_rate_pct: null }, pnl: { by_day: [] } });
    expect(body.equity_curve.map(({ equity }: { equity: number }) => equity)).toEqual([CAPITAL, CAPITAL]);
    const trades = await get('get_deployment_trades', query);
    expect(trades.body).toMatchObject({ items: [], total: 0, pages: 0 });
    expect(trades.calls).toEqual(['BatchGetItem']);
  });
});

describe.each(['get_deployment_performance', 'get_deployment_trades'])('%s', (operation) => {
  test('does not tell another user’s deployment from an unknown one', async () => {
    const { id } = await deployedTrader(hub);
    const other = await deployedTrader(hub);
    const ask = (user_id: string, deployment: number) =>
      get(operation, { user_id, deployment_id: String(deployment) });
    const foreign = await ask(other.user_id, id);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'deployment_unknown']);
    expect((await ask(other.user_id, 17)).text).toBe(foreign.text);
    expect((await ask('nobody', id)).text).toBe(foreign.text);
  });

  test('refuses the session of another user', async () => {
    const { user_id, id } = await deployedTrader(hub);
    const { email } = (await register(hub)).body;
    const headers = bearer((await login(hub, email)).body.access_token);
    const query = { user_id, deployment_id: String(id) };
    const { status } = await hub.call(`GET /${operation}`, { query, headers });
    expect(status).toBe(403);
  });
});

test('refuses an unknown side, sort and time', async () => {
  const { user_id, id } = await deployedTrader(hub);
  const query = { user_id, deployment_id: String(id), from: 'soon', side: 'up', sort: 'size' };
  const { status, body } = await get('get_deployment_trades', query);
  expect(status).toBe(422);
  expect(body.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual(['from', 'side', 'sort']);
});
