import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keys } from '../../../shared/data/table/keys.ts';
import { openHub } from '../../support/open-hub.ts';
import { countsOver, PlainBooks, shown, sumOver } from '../../support/plain-books.ts';
import { soakable } from '../../support/soak.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import {
  deployTrading,
  enterAll,
  report,
  reportOrder,
  trader,
  undeployTrading,
} from '../../support/trading.ts';
import { Fraction } from '../../unit/domain/fractions.ts';

const hub = await openHub(furnishWithInstruments);

const SYMBOLS = ['AAPL', 'MSFT'] as const;
const CAPITAL = Fraction.of('10000');
const HUNDRED = Fraction.of('100');
const BROKERS = [undefined, 101, 102] as const;
const index = fc.nat(50);
const symbol = fc.constantFrom(...SYMBOLS);

const command = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('deploy' as const),
      strategy: fc.nat(1),
      currency: fc.constantFrom('USD', 'EUR', 'JPY'),
      broker_id: fc.constantFrom(...BROKERS),
      prediction_market: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('fill' as const),
      index,
      symbol,
      side: fc.constantFrom('buy' as const, 'sell' as const),
      quantity: fc.integer({ min: 1, max: 3 }),
      price: fc.integer({ min: 9000, max: 11_000 }).map((cents) => cents / 100),
      fee: fc.nat(300).map((cents) => cents / 100),
      twice: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      index,
      symbol,
      status: fc.constantFrom('open' as const, 'rejected' as const, 'cancelled' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('quote' as const),
      index,
      symbol,
      price: fc.integer({ min: 90, max: 110 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('swap' as const),
      index,
      symbol,
      amount: fc.integer({ min: -300, max: 100 }).map((cents) => cents / 100),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('end' as const), index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('enter' as const) }) },
);

type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

interface Deployed {
  readonly id: number;
  readonly strategy: number;
  readonly currency: string;
  readonly broker_id: number | undefined;
  readonly prediction_market: boolean;
  readonly books: PlainBooks;
  ended: boolean;
}

/** Returns a user with a plan for many deployments, accounts at two brokers and two strategies. */
const owner = async () => {
  const { user_id, strategy_id, strategy_name, keygen } = await trader(hub);
  const { body } = await build(hub, { user_id, symbol: 'AAPL,MSFT' });
  const link = { name: 'A broker', connected: true, connected_at: '2026-03-01T00:00:00.000Z' };
  await hub.runtime.store.transact([
    {
      key: keys.user(user_id),
      update: 'SET brokers = :brokers, #plan = :plan',
      names: { '#plan': 'plan' },
      values: {
        ':brokers': { one: { ...link, broker_id: 101 }, two: { ...link, broker_id: 102 } },
        ':plan': 'unlimited',
      },
    },
  ]);
  const strategies = [
    { strategy_id, strategy_name, keygen },
    {
      strategy_id: body.strategy_id as number,
      strategy_name: body.strategy_name as string,
      keygen: body.keygen as string,
    },
  ] as const;
  return { user_id, strategies };
};

type Owner = Awaited<ReturnType<typeof owner>>;

const carryOut = async (
  { user_id, strategies }: Owner,
  deployed: Deployed[],
  step: Command,
  n: number,
): Promise<void> => {
  hub.advance(1000);
  if (step.do === 'enter') {
    await enterAll(hub);
    return;
  }
  if (step.do === 'deploy') {
    const { strategy, currency, broker_id, prediction_market } = step;
    const { body } = await deployTrading(hub, strategies[strategy === 0 ? 0 : 1].keygen, {
      currency,
      engine_rates: 'true',
      prediction_market: String(prediction_market),
      ...(broker_id !== undefined && { broker_id: String(broker_id) }),
    });
    const books = new PlainBooks();
    deployed.push({
      id: body.deployment_id,
      strategy,
      currency,
      broker_id,
      prediction_market,
      books,
      ended: false,
    });
    return;
  }
  const on = deployed[step.index % Math.max(1, deployed.length)];
  if (!on) return;
  const { books, id } = on;
  if (step.do === 'fill') {
    const quantity = String(step.quantity);
    const order = {
      client_order_id: `o${n}`,
      symbol: step.symbol,
      side: step.side,
      quantity,
      filled_quantity: quantity,
      average_price: String(step.price),
      fees: String(step.fee),
      rate: '1',
    };
    await reportOrder(hub, id, order);
    if (step.twice) await reportOrder(hub, id, order);
    books.fill(step.symbol, step.side === 'buy' ? step.quantity : -step.quantity, step.price, step.fee);
  } else if (step.do === 'order') {
    const { status } = step;
    await reportOrder(hub, id, {
      client_order_id: `o${n}`,
      symbol: step.symbol,
      status,
      filled_quantity: '0',
      average_price: null,
    });
    books.order(status);
  } else if (step.do === 'quote') {
    await report(hub, 'Quote Marked', id, { symbol: step.symbol, price: step.price, rate: '1' });
    books.quote(step.symbol, step.price);
  } else if (step.do === 'swap') {
    await report(hub, 'Swap Charged', id, {
      symbol: step.symbol,
      charge_id: `s${n}`,
      amount: String(step.amount),
    });
    books.charge(step.symbol, step.amount);
  } else if (!on.ended) {
    await undeployTrading(hub, user_id, id);
    on.ended = true;
  }
};

const booksOf = (deployed: readonly Deployed[]): PlainBooks[] => deployed.map(({ books }) => books);
const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
const only = (counts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));

const rowsBy = (deployed: readonly Deployed[], keyOf: (each: Deployed) => string) =>
  [...Map.groupBy(deployed, keyOf)].sort(([left], [right]) => (left < right ? -1 : 1));

/** Returns the most frequent currency; of several, the first by its code. */
const mainOf = (deployed: readonly Deployed[]): string | null => {
  const rows = rowsBy(deployed, ({ currency }) => currency);
  const most = Math.max(0, ...rows.map(([, { length }]) => length));
  return rows.find(([, { length }]) => length === most)?.[0] ?? null;
};

const plainPnl = (deployed: readonly Deployed[], currency: string | null) => {
  const books = booksOf(deployed);
  const unrealized = sumOver(books, ({ open }) => open.unrealized);
  const realized = sumOver(books, (each) => each.realized);
  const isQuoted = books.every(({ open }) => open.isQuoted);
  return {
    realized_pnl: shown(realized, currency),
    unrealized_pnl: isQuoted ? shown(unrealized, currency) : null,
    total_pnl: isQuoted ? shown(realized.plus(unrealized), currency) : null,
    gross_pnl: shown(
      sumOver(books, ({ gross }) => gross),
      currency,
    ),
    fees: shown(
      sumOver(books, ({ fees }) => fees),
      currency,
    ),
    swap: shown(
      sumOver(books, ({ swap }) => swap),
      currency,
    ),
  };
};

const plainCounts = (deployed: readonly Deployed[]) => {
  const books = booksOf(deployed);
  const trades = books.reduce((sum, each) => sum + each.trades, 0);
  const wins = books.reduce((sum, each) => sum + each.wins, 0);
  return {
    deployments_count: deployed.length,
    orders_count: total(countsOver(books)),
    trades_count: trades,
    win_rate_pct: trades === 0 ? null : Math.round((wins / trades) * 1e8) / 1e6,
  };
};

const plainRow = (deployed: readonly Deployed[], currency: string) => ({
  currency,
  ...plainCounts(deployed),
  ...plainPnl(deployed, currency),
});

const checkStats = async (user_id: string, deployed: readonly Deployed[]): Promise<void> => {
  hub.takeCalls();
  const { body } = await hub.call('GET /get_live_deployments_aggregated_stats', { query: { user_id } });
  // One more for the last prices of open positions.
  expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
  const currency = mainOf(deployed);
  const running = deployed.filter(({ ended }) => !ended).length;
  expect(only(body.deployments)).toEqual(only({ requested: running, stopped: deployed.length - running }));
  expect(only(body.orders)).toEqual(countsOver(booksOf(deployed)));
  expect(body).toMatchObject({
    ...plainCounts(deployed),
    ...plainPnl(
      deployed.filter((each) => each.currency === currency),
      currency,
    ),
    currency,
  });
  const byCurrency = rowsBy(deployed, (each) => each.currency);
  expect(body.by_currency).toMatchObject(byCurrency.map(([code, part]) => plainRow(part, code)));
  const byBroker = rowsBy(deployed, (each) => `${each.currency}|${each.broker_id ?? ''}`);
  expect(body.by_broker).toMatchObject(
    byBroker.map(([, part]) => ({
      broker_id: part[0]?.broker_id ?? null,
      ...plainRow(part, part[0]?.currency ?? ''),
    })),
  );
};

const checkExpired = async (
  user_id: string,
  deployed: readonly Deployed[],
  prediction: boolean,
  search?: { readonly key: string; readonly strategy: number },
) => {
  hub.takeCalls();
  const { body } = await hub.call('GET /get_live_expired_strategies_v2', {
    query: {
      user_id,
      prediction_market: String(prediction),
      size: '100',
      ...(search && { search_key: search.key }),
    },
  });
  expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
  const ended = deployed.filter(
    ({ ended, prediction_market, strategy }) =>
      ended && prediction_market === prediction && (search === undefined || search.strategy === strategy),
  );
  const finalOf = (part: readonly Deployed[], currency: string | null) => plainPnl(part, currency).total_pnl;
  // Decided by the exact result: one that rounds to zero is still a profit or a loss.
  const won = (part: readonly Deployed[], sign: number) =>
    part.filter(
      ({ books }) => books.open.isQuoted && books.realized.plus(books.open.unrealized).sign() === sign,
    ).length;
  const currency = mainOf(ended);
  expect(body.total).toBe(ended.length);
  expect(body.summary).toMatchObject({
    currency,
    total_pnl: finalOf(
      ended.filter((each) => each.currency === currency),
      currency,
    ),
    wins: won(ended, 1),
    losses: won(ended, -1),
  });
  expect(body.by_currency).toEqual(
    rowsBy(ended, (each) => each.currency).map(([code, part]) => ({
      currency: code,
      total_pnl: finalOf(part, code),
      deployments_count: part.length,
      wins: won(part, 1),
      losses: won(part, -1),
    })),
  );
  const items: { deployment_id: number; final_pnl: number | null }[] = body.items;
  expect(items.map(({ deployment_id, final_pnl }) => [deployment_id, final_pnl]).toSorted()).toEqual(
    ended.map((each) => [each.id, finalOf([each], each.currency)]).toSorted(),
  );
};

const checkStrategies = async ({ user_id, strategies }: Owner, deployed: readonly Deployed[]) => {
  const query = { user_id, strategy_ids: strategies.map(({ strategy_id }) => strategy_id).join(',') };
  hub.takeCalls();
  const volume = await hub.call('GET /get_live_deployment_strategies_volume', { query });
  const orders = await hub.call('GET /get_live_deployments_order_status', { query });
  expect(hub.takeCalls().length).toBe(6);
  for (const [number, { strategy_id }] of strategies.entries()) {
    const own = deployed.filter(({ strategy }) => strategy === number);
    const counts = (part: readonly Deployed[]) => ({
      orders: total(countsOver(booksOf(part))),
      trades: booksOf(part).reduce((sum, { trades }) => sum + trades, 0),
      fills: booksOf(part).reduce((sum, { fills }) => sum + fills, 0),
      lots: shown(
        sumOver(booksOf(part), ({ lots }) => lots),
        null,
      ),
    });
    const value = (part: readonly Deployed[], currency: string | null) =>
      shown(
        sumOver(booksOf(part), ({ traded_value }) => traded_value),
        currency,
      );
    const currency = mainOf(own);
    expect(volume.body.volume[number]).toMatchObject({
      strategy_id,
      ...counts(own),
      traded_value: value(
        own.filter((each) => each.currency === currency),
        currency,
      ),
      currency,
      by_currency: rowsBy(own, (each) => each.currency).map(([code, part]) => ({
        currency: code,
        ...counts(part),
        traded_value: value(part, code),
      })),
    });
    const status = orders.body.strategies[number];
    expect(only(status.orders)).toEqual(countsOver(booksOf(own)));
    const listed = own.filter(
      ({ ended, books }) => !ended || books.open.positions > 0 || (books.orders.open ?? 0) > 0,
    );
    expect(status.deployments.map((each: { deployment_id: number }) => each.deployment_id)).toEqual(
      listed.map(({ id }) => id).toSorted((left, right) => right - left),
    );
  }
};

/** Returns the profit and loss of one deployment, all of today. */
const plainOne = (each: Deployed) => {
  const pnl = plainPnl([each], each.currency);
  const total = each.books.realized.plus(each.books.open.unrealized);
  return {
    deployment_id: each.id,
    currency: each.currency,
    ...pnl,
    today_pnl: pnl.total_pnl,
    return_pct: each.books.open.isQuoted ? shown(total.over(CAPITAL).times(HUNDRED), 'percent') : null,
  };
};

const checkDeployments = async (user_id: string, deployed: readonly Deployed[]) => {
  const get = async (operation: string, query: Record<string, string> = {}) =>
    (await hub.call(`GET /${operation}`, { query: { user_id, ...query } })).body;
  const newestFirst = deployed.toSorted((left, right) => right.id - left.id);
  const ids = deployed.slice(0, 50).map(({ id }) => id);
  const { pnl } = await get('get_live_deps_pnl', { deployment_ids: ids.join(',') });
  expect(pnl).toMatchObject(deployed.slice(0, 50).map(plainOne));
  const listed = newestFirst.filter(
    ({ ended, books }) => !ended || books.open.positions > 0 || (books.orders.open ?? 0) > 0,
  );
  const running = await get('get_all_live_deployments_v2', { size: '100' });
  expect(running.items).toMatchObject(listed.map(plainOne));
  const whole = await get('get_p_l_live_deployed_strategies');
  expect(whole.deployments).toMatchObject(listed.map(plainOne));
  expect(whole.totals).toMatchObject(
    rowsBy(listed, (each) => each.currency).map(([currency, part]) => {
      const sums = plainPnl(part, currency);
      return { currency, ...sums, today_pnl: sums.total_pnl };
    }),
  );
  const { positions } = await get('check_trades_position');
  const plain = listed.flatMap(({ id, currency, books }) =>
    books.held.map(({ symbol, position: { quantity, cost }, price }) => ({
      deployment_id: id,
      symbol,
      side: quantity.sign() > 0 ? 'long' : 'short',
      quantity: shown(quantity.abs(), null),
      last_price: price ? shown(price, null) : null,
      unrealized_pnl: price ? shown(quantity.times(price).minus(cost), currency) : null,
    })),
  );
  const inOrder = (list: { deployment_id: number; symbol: string }[]) =>
    list.toSorted(
      (left, right) => right.deployment_id - left.deployment_id || (left.symbol < right.symbol ? -1 : 1),
    );
  expect(inOrder(positions)).toMatchObject(inOrder(plain));
};

describe('the figures of a user', () => {
  test('equal plain sums over all events, for any ends of deployments', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 60, size: 'max' }), async (commands) => {
        const who = await owner();
        const deployed: Deployed[] = [];
        const first: Command = {
          do: 'deploy',
          strategy: 0,
          currency: 'USD',
          broker_id: undefined,
          prediction_market: false,
        };
        for (const [n, step] of [first, ...commands].entries()) await carryOut(who, deployed, step, n);
        await enterAll(hub);
        await checkStats(who.user_id, deployed);
        await checkDeployments(who.user_id, deployed);
        await checkExpired(who.user_id, deployed, false);
        await checkExpired(who.user_id, deployed, true);
        for (const [strategy, { strategy_name: key }] of who.strategies.entries()) {
          await checkExpired(who.user_id, deployed, false, { key, strategy });
        }
        await checkStrategies(who, deployed);
      }),
      { numRuns: soakable(2, 24) },
    );
  });
});
