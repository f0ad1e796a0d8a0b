import { followOrders } from '../../../shared/broker-orders/follow-orders.ts';
import { takeRequest } from '../../../shared/broker-orders/take-request.ts';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import { moveChanges } from '../../../shared/deliveries/changes/move-changes.ts';
import { deliver } from '../../../shared/deliveries/main/deliver-main.ts';
import { fakeAlpaca } from '../../support/alpaca.ts';
import { runBacktest } from '../../support/backtests.ts';
import { DAILY, sessionBars } from '../../support/candles.ts';
import { listen, waitingChanges } from '../../support/changes.ts';
import { adapterOf, liveTrader, orderEvent } from '../../support/execution.ts';
import { runJob } from '../../support/jobs.ts';
import { bearer, outbox, signUp } from '../../support/people.ts';
import { furnishWithCatalogue } from '../../support/strategies.ts';
import { deployTrading, enterAll, report, reportOrder, trader } from '../../support/trading.ts';
import { meteredHub } from './metered-hub.ts';
import { ASSUMED } from './prices.ts';
import type { TradingKind } from './trading-units.ts';
import { less, scaled, sumOf, type Units } from './units.ts';

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
/** Read units of a look at the head of a log. */
const LOOK_UNITS = 0.5;
/** Items of which averages are taken. */
const SEVERAL = 5;

/** Measures the calls and units of trading by engines outside and at brokers, and of the console. Needs a KMS. */
export const measureTrading = async (): Promise<Partial<Record<TradingKind, Units>>> => {
  await using cleanup = new AsyncDisposableStack();
  const alpaca = await fakeAlpaca();
  cleanup.defer(() => alpaca.close());
  const { hub: metered, take, close } = await meteredHub();
  cleanup.defer(close);
  const hub = metered.with(alpaca.environment);
  const { store } = hub.runtime;
  const cost = async (work: () => Promise<unknown>): Promise<Units> => {
    take();
    await work();
    return take();
  };
  /** Repeats work, and returns the average of one. */
  const average = async (work: (index: number) => Promise<unknown>): Promise<Units> =>
    scaled(
      await cost(async () => {
        for (let index = 0; index < SEVERAL; index++) await work(index);
      }),
      1 / SEVERAL,
    );
  const request = (
    routeKey: string,
    query: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Units> =>
    cost(async () => {
      const { status, text } = await hub.call(routeKey, { query, headers });
      if (status !== 200) throw new Error(text);
    });

  await furnishWithCatalogue(hub);
  await importBars(store, DAILY, sessionBars('2010-01-04', 1000));

  // Trading by an engine outside.
  const owner = await trader(hub);
  const { user_id } = owner;
  const deploy = async (keygen: string): Promise<number> => {
    const id: number = (await deployTrading(hub, keygen)).body.deployment_id;
    await report(hub, 'Deployment Started', id);
    return id;
  };
  const id = await deploy(owner.keygen);
  await reportOrder(hub, id, { client_order_id: 'first' });
  await enterAll(hub);
  const open = { status: 'open', filled_quantity: '0', average_price: undefined };
  const opened = await average((n) => reportOrder(hub, id, { client_order_id: `o-${n}`, ...open }));
  const filled = await average((n) => reportOrder(hub, id, { client_order_id: `o-${n}`, sequence: 2 }));
  // Finds the messages beforehand, as the relay does it without the table.
  const entries = (await outbox(hub)).filter(({ message }) => message?.kind === 'live_entries');
  const entered = scaled(
    await cost(async () => {
      for (const { delivery_id, attempts } of entries) await deliver(hub.runtime, delivery_id, attempts);
    }),
    1 / entries.length,
  );
  const quoted = await average((n) => report(hub, 'Quote Marked', id, { symbol: 'AAPL', price: 101 + n }));

  // The console.
  const deployments = await request('GET /get_all_live_deployments_v2', { user_id, page: '1', size: '20' });
  const overview = await request('GET /get_account_overview', { user_id });
  const unread = await request('GET /get_deployment_notifications', { user_id, unread: 'true', size: '1' });
  const killSwitch = await request('GET /get_kill_switch', { user_id });
  await listen(hub, { user_id });
  const listened = await average((n) => reportOrder(hub, id, { client_order_id: `l-${n}` }));
  const waiting = await waitingChanges(hub);
  const moved = scaled(
    await cost(async () => {
      for (const waits of waiting) await moveChanges(hub.runtime, waits, 0);
    }),
    1 / SEVERAL,
  );
  const silent = await trader(hub);
  const unheard = await deploy(silent.keygen);
  await reportOrder(hub, unheard, { client_order_id: 'first' });
  const plain = await average((n) => reportOrder(hub, unheard, { client_order_id: `l-${n}` }));
  // A wait reads the session of the console once more.
  const { body: reader } = await signUp(hub);
  await listen(hub, { user_id: reader.user_id });
  const events = { user_id: reader.user_id, after: 'latest' };
  const { body: latest } = await hub.call('GET /events', { query: events });
  const waits = { ...events, after: String(latest.next), wait: '1' };
  const waited = await request('GET /events', waits, bearer(reader.access_token));
  const backtested = await cost(async () => {
    const { status, text } = await runBacktest(hub, user_id, { from: '2011-01-01' });
    if (status !== 200) throw new Error(text);
  });

  // Orders of the hub at a broker.
  const live = await liveTrader(hub, alpaca);
  const adapter = adapterOf(hub);
  const silentWork = { ...adapter.work, putReport: () => Promise.resolve() };
  alpaca.price = '100';
  await takeRequest(silentWork, orderEvent(hub, live, 'first'));
  const sent = await average((n) => takeRequest(silentWork, orderEvent(hub, live, `entry-${n}`)));
  alpaca.price = undefined;
  for (let n = 0; n < SEVERAL; n++) {
    const asked = { order_type: 'limit', price: '90' };
    await takeRequest(silentWork, orderEvent(hub, live, `limit-${n}`, asked));
  }
  hub.advance(MINUTE_MS);
  for (const order of alpaca.orders) if (order.status === 'new') alpaca.fill(order, order.qty, '90');
  const followed = scaled(await cost(() => followOrders(silentWork)), 1 / SEVERAL);

  hub.advance(DAY_MS);
  const compared = await cost(() => runJob(hub.runtime, { job: 'compare-accounts' }));
  return {
    'order of an engine, open': opened,
    'fill of an order': filled,
    'lists after an order': entered,
    'quote of an engine': quoted,
    'order through the adapter': sent,
    'order that the adapter follows': followed,
    'comparison of an account': compared,
    'change events of an order': less(sumOf(listened, moved), plain),
    // A wait looks once a second, and takes its place but once.
    'wait for events': { ...waited, read: waited.read + (ASSUMED.waitS - 1) * LOOK_UNITS },
    'page of own deployments': deployments,
    'overview of own accounts': overview,
    'number of unread notifications': unread,
    'state of the kill switch': killSwitch,
    backtest: backtested,
  };
};
