import { beforeEach, describe, expect, test } from '@jest/globals';
import { summaryItemSchema } from '../../../shared/data/books/summary.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { setDeploymentLimits } from '../../../shared/lifecycle/risk-limits.ts';
import { openHub } from '../../support/open-hub.ts';
import { countsOver, PlainBooks, shown, sumOver } from '../../support/plain-books.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, report, reportOrder, trader, undeployTrading } from '../../support/trading.ts';
import { Fraction } from '../../unit/domain/fractions.ts';

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(1000));

const overview = async (user_id: string) => {
  hub.takeCalls();
  const answer = await hub.call('GET /get_account_overview', { query: { user_id } });
  expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
  return answer;
};

/** Form of a deployment whose engine converts dollars at half a euro. */
const EUROS = { currency: 'EUR', starting_capital: '500', engine_rates: 'true' };

let orders = 0;

/** Deploys on paper, and keeps the books of its fills and quotes by plain addition. */
const deployed = async (keygen: string, form: Readonly<Record<string, string>> = {}) => {
  const { body } = await deployTrading(hub, keygen, form);
  const id: number = body.deployment_id;
  const books = new PlainBooks();
  const fill = async (symbol: string, quantity: number, price: number, fee = 0) => {
    hub.advance(1000);
    await reportOrder(hub, id, {
      client_order_id: `order-${String(++orders).padStart(4, '0')}`,
      symbol,
      side: quantity > 0 ? 'buy' : 'sell',
      quantity: String(Math.abs(quantity)),
      average_price: String(price),
      fees: String(fee),
      ...(form.currency && { rate: '0.5' }),
    });
    books.fill(symbol, quantity, price, fee);
  };
  const quote = async (symbol: string, price: number) => {
    hub.advance(1000);
    await report(hub, 'Quote Marked', id, { symbol, price, ...(form.currency && { rate: '0.5' }) });
    books.quote(symbol, price);
  };
  return { id, books, fill, quote };
};

const ZERO = Fraction.of('0');
const CAPITAL = Fraction.of('10000');

/** Returns the value of the open positions on a side. */
const valueOn = (side: 1 | -1, symbol?: string) => (books: PlainBooks) =>
  books.held
    .filter((held) => held.position.quantity.sign() === side && (symbol ?? held.symbol) === held.symbol)
    .reduce((sum, { position, price }) => sum.plus(position.quantity.abs().times(price ?? ZERO)), ZERO);

describe('a user with several deployments', () => {
  test('has equity, exposure and counts by mode and currency', async () => {
    const { user_id, keygen } = await trader(hub, { symbol: 'AAPL,MSFT' });
    const one = await deployed(keygen);
    const two = await deployed(keygen);
    const ended = await deployed(keygen);
    const idle = await deployed(keygen);
    await one.fill('AAPL', 10, 100, 1);
    await one.fill('AAPL', -4, 110, 0.5);
    await one.fill('MSFT', -3, 50);
    await two.fill('AAPL', -2, 105);
    await ended.fill('MSFT', 5, 48, 0.25);
    for (const { quote } of [one, two]) await quote('AAPL', 108.5);
    for (const { quote } of [one, ended]) await quote('MSFT', 51.25);
    await undeployTrading(hub, user_id, ended.id);
    const { status, body } = await overview(user_id);
    expect(status).toBe(200);
    const all = [one, two, ended, idle].map(({ books }) => books);
    const capital = all.reduce((sum) => sum.plus(CAPITAL), ZERO);
    const realized = sumOver(all, (books) => books.realized);
    const unrealized = sumOver(all, (books) => books.open.unrealized);
    const total = realized.plus(unrealized);
    const amount = (value: Fraction) => shown(value, 'USD');
    const values = (symbol?: string) => {
      const [long, short] = [sumOver(all, valueOn(1, symbol)), sumOver(all, valueOn(-1, symbol))];
      return {
        long_value: amount(long),
        short_value: amount(short),
        net_value: amount(long.minus(short)),
        gross_value: amount(long.plus(short)),
      };
    };
    expect(body.accounts).toEqual([
      {
        mode: 'virtual',
        currency: 'USD',
        deployments_count: 4,
        starting_capital: 40_000,
        equity: amount(capital.plus(total)),
        return_pct: shown(total.times(Fraction.of('100')).over(capital), 'percent'),
        realized_pnl: amount(realized),
        unrealized_pnl: amount(unrealized),
        today_pnl: amount(total),
        total_pnl: amount(total),
        gross_pnl: amount(sumOver(all, ({ gross }) => gross)),
        fees: amount(sumOver(all, ({ fees }) => fees)),
        swap: 0,
        as_of: expect.any(String),
        ...values(),
      },
    ]);
    expect(values('AAPL')).toEqual({ long_value: 651, short_value: 217, net_value: 434, gross_value: 868 });
    expect(body.exposure).toEqual([
      {
        mode: 'virtual',
        currency: 'USD',
        symbol: 'AAPL',
        long_quantity: 6,
        short_quantity: 2,
        net_quantity: 4,
        ...values('AAPL'),
        as_of: expect.any(String),
      },
      {
        mode: 'virtual',
        currency: 'USD',
        symbol: 'MSFT',
        long_quantity: 5,
        short_quantity: 3,
        net_quantity: 2,
        ...values('MSFT'),
        as_of: expect.any(String),
      },
    ]);
    expect(body.deployments.virtual).toMatchObject({ requested: 3, stopped: 1, active: 0 });
    expect(Object.values(body.deployments.live)).toEqual(expect.arrayContaining([0]));
    expect(countsOver(all)).toEqual({ filled: 5 });
  });

  test('has real money and paper apart, and currencies', async () => {
    const { user_id, keygen } = await trader(hub, { symbol: 'AAPL' });
    const paper = await deployed(keygen);
    const euros = await deployed(keygen, EUROS);
    await paper.fill('AAPL', 1, 100);
    await paper.quote('AAPL', 101);
    await euros.fill('AAPL', -2, 100);
    await euros.quote('AAPL', 99);
    await markLive(user_id, euros.id);
    const { body } = await overview(user_id);
    expect(body.accounts).toMatchObject([
      {
        mode: 'live',
        currency: 'EUR',
        starting_capital: 500,
        equity: 501,
        short_value: 99,
        net_value: -99,
      },
      { mode: 'virtual', currency: 'USD', starting_capital: 10_000, equity: 10_001, long_value: 101 },
    ]);
    expect(body.exposure).toMatchObject([
      { mode: 'live', currency: 'EUR', symbol: 'AAPL', net_quantity: -2 },
      { mode: 'virtual', currency: 'USD', symbol: 'AAPL', net_quantity: 1 },
    ]);
    expect(body.deployments).toMatchObject({ live: { requested: 1 }, virtual: { requested: 1 } });
  });
});

/** Stores the summary of a deployment as one with real money. */
const markLive = async (user_id: string, id: number) => {
  const key = keys.listedTrading(user_id, false, id);
  const [item] = await hub.runtime.store.getMany([key], { consistent: true });
  const { summary } = summaryItemSchema.parse(item);
  await hub.runtime.store.put({ ...item, ...key, summary: { ...summary, mode: 'live' } });
};

test('a position without a price counts at its cost, and leaves equity unknown', async () => {
  const { user_id, keygen } = await trader(hub, { symbol: 'AAPL' });
  const { fill } = await deployed(keygen);
  await fill('AAPL', 3, 100);
  const { body } = await overview(user_id);
  expect(body.accounts).toMatchObject([{ equity: null, return_pct: null, total_pnl: null, long_value: 300 }]);
  expect(body.exposure).toMatchObject([{ symbol: 'AAPL', long_value: 300, as_of: null }]);
  expect(body.as_of).toBeNull();
});

test('a user without deployments has an empty overview, and an unknown user is a 404', async () => {
  const { user_id } = await trader(hub);
  const { body } = await overview(user_id);
  expect(body).toMatchObject({ accounts: [], exposure: [], as_of: null });
  expect(Object.values(body.deployments.virtual).every((count) => count === 0)).toBe(true);
  const { status, body: refusal } = await overview('nobody');
  expect([status, refusal.code]).toEqual([404, 'user_unknown']);
});

describe('risk limits', () => {
  test('show the one of which most is used, at the newest prices', async () => {
    const { user_id, keygen } = await trader(hub, { symbol: 'AAPL' });
    const free = await deployed(keygen);
    const limited = await deployed(keygen);
    const drawn = await deployed(keygen);
    await setDeploymentLimits(hub.runtime, limited.id, user_id, {
      limits: { daily_loss: '400', open_positions: 4 },
    });
    await setDeploymentLimits(hub.runtime, drawn.id, user_id, {
      limits: { drawdown_pct: '10', position_value: '9000' },
    });
    for (const { fill, quote } of [free, limited, drawn]) {
      await fill('AAPL', 10, 100);
      await quote('AAPL', 110);
      await quote('AAPL', 80);
    }
    const { body } = await overview(user_id);
    const common = { mode: 'virtual', status: 'requested', currency: 'USD', tripped: null };
    expect(body.risk).toEqual([
      // 200 of 400 are lost today; one of four positions is open.
      {
        ...common,
        deployment_id: limited.id,
        strategy_name: expect.any(String),
        limit: 'daily_loss',
        used: 200,
        allowed: 400,
        used_pct: 50,
      },
      // The peak of 10,100 has fallen to 9,800; the position is worth 800 of 9,000.
      {
        ...common,
        deployment_id: drawn.id,
        strategy_name: expect.any(String),
        limit: 'drawdown_pct',
        used: expect.closeTo((300 / 10_100) * 100, 6),
        allowed: 10,
        used_pct: expect.closeTo((300 / 10_100) * 1000, 5),
      },
    ]);
    for (const { deployment_id, limit, used } of body.risk) {
      const query = { user_id, deployment_id: String(deployment_id) };
      const { usage } = (await hub.call('GET /get_risk_limits', { query })).body;
      expect(usage).toContainEqual(expect.objectContaining({ limit, used }));
    }
  });

  test('show the limit that stopped a deployment', async () => {
    const { user_id, keygen } = await trader(hub, { symbol: 'AAPL' });
    const { id, fill, quote } = await deployed(keygen);
    await setDeploymentLimits(hub.runtime, id, user_id, { limits: { daily_loss: '100' } });
    await fill('AAPL', 10, 100);
    await quote('AAPL', 100);
    await quote('AAPL', 85);
    const { body } = await overview(user_id);
    expect(body.risk).toMatchObject([
      { deployment_id: id, limit: 'daily_loss', used: 150, used_pct: 150, tripped: 'daily_loss' },
    ]);
  });
});
