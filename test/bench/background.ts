import { takeJobEvent } from '../../functions/backtests/jobs/take-job-event.ts';
import { advanceSeries, settleSeries } from '../../functions/engine/advance-series.ts';
import { isoOf } from '../../functions/engine/report-bars.ts';
import { takeEngineEvent } from '../../functions/engine/take-event.ts';
import { takeFeedback } from '../../functions/mail-feedback/take-feedback.ts';
import type { ExecutionRuntime } from '../../shared/broker-orders/execution-runtime.ts';
import { followOrders } from '../../shared/broker-orders/follow-orders.ts';
import { takeRequest } from '../../shared/broker-orders/take-request.ts';
import { appendBars } from '../../shared/data/candles/append-bars.ts';
import { importBars } from '../../shared/data/candles/import-bars.ts';
import { findSeries, type SeriesFacts } from '../../shared/data/candles/series.ts';
import { seriesInUseWrite } from '../../shared/data/engine/series-in-use.ts';
import { putInOutbox } from '../../shared/data/outbox/outbox.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { deliver } from '../../shared/deliveries/main/deliver-main.ts';
import { columnsOf, sliceBars } from '../../shared/domain/candles/bars.ts';
import { withdrawSplit } from '../../shared/lifecycle/declare-split.ts';
import { commandDeployment } from '../../shared/lifecycle/deployment-commands.ts';
import { takeUpHalt } from '../../shared/lifecycle/halt-deployments.ts';
import { takeEvent } from '../../shared/lifecycle/reports/take-report.ts';
import { throwSwitch } from '../../shared/lifecycle/throw-switch.ts';
import { takeJobEvents } from '../support/backtest-jobs.ts';
import { runBacktest, sweepStrategy } from '../support/backtests.ts';
import { DAILY, sessionBars } from '../support/candles.ts';
import { carryAll, listenedTrading, moveAll } from '../support/changes.ts';
import { adapterOf, cancelEvent, closeEvent, liveTrader, orderEvent } from '../support/execution.ts';
import { BITCOIN, hubDeployed, setupOf } from '../support/hub-deployments.ts';
import { commandEngine, endEngine, serveEngine, startEngine, worker } from '../support/hub-engine.ts';
import { runJob } from '../support/jobs.ts';
import { liveDeployed } from '../support/live-deployments.ts';
import { minutesFrom } from '../support/market-data.ts';
import { bearer, outbox, PASSWORD } from '../support/people.ts';
import { registerDevice } from '../support/push.ts';
import { randomBars } from '../support/random-bars.ts';
import { putCards, randomCards } from '../support/rankings.ts';
import { crossRules } from '../support/rules.ts';
import { ScannedFeed } from '../support/scanners.ts';
import { deployTrading, enterAll, reportOrder, trader } from '../support/trading.ts';
import { asBroker, deliverNew, registerProven, webhooks } from '../support/webhooks.ts';
import { SCENARIOS } from './scenarios.ts';
import { SIGNAL, type World } from './world.ts';

/** Prepares the data and returns the function to measure, which returns the number of items it processed. */
type Work = (world: World) => Promise<() => Promise<number>>;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Crypto assets of the catalogue. */
const COINS = [
  'BTCUSDT',
  'ETHUSDT',
  'SOLUSDT',
  'XRPUSDT',
  'BTCEUR',
  'ETHEUR',
  'XRPEUR',
  'BTCGBP',
  'ETHBTC',
  'LTCBTC',
];

const event =
  (type: string, detail: object = {}, times = 1): Work =>
  async (world) => {
    const id = Number(await world.deployed(await world.strategy()));
    const { runtime } = world.hub;
    const occurred_at = runtime.clock().toISOString();
    const raw = {
      'detail-type': type,
      source: 'engine',
      detail: { version: 1, deployment_id: id, occurred_at, ...detail },
    };
    for (let before = 1; before < times; before++) await takeEvent(runtime, raw);
    return async () => {
      await takeEvent(runtime, raw);
      return 1;
    };
  };

const job =
  (name: string, due: (world: World) => Promise<void>): Work =>
  async (world) => {
    await due(world);
    return async () => (await runJob(world.hub.runtime, { job: name, by_hand: true })).done;
  };

/** Measures a request to the execution adapter. Its reports are events of their own. */
const execution =
  (
    prepare: (
      world: World,
      trading: Awaited<ReturnType<typeof liveTrader>>,
      work: ExecutionRuntime,
    ) => Promise<object> | object,
  ): Work =>
  async (world) => {
    const { alpaca, hub } = world;
    const work = { ...adapterOf(hub).work, putReport: () => Promise.resolve() };
    const trading = await liveTrader(hub, alpaca);
    alpaca.price = '100';
    const event = await prepare(world, trading, work);
    return async () => {
      await takeRequest(work, event);
      return 1;
    };
  };

/** Counts work as one item. */
const one = async (work: Promise<void>): Promise<number> => {
  await work;
  return 1;
};

/** Measures a report of SES on a mail to a user. */
const feedback =
  (type: string, detailOf: (email: string) => object): Work =>
  async ({ hub, person }) => {
    const { email } = await person();
    const mail = { timestamp: hub.runtime.clock().toISOString(), messageId: 'm-1', tags: {} };
    const report = { 'detail-type': type, source: 'aws.ses', detail: { mail, ...detailOf(email) } };
    return () => one(takeFeedback(hub.runtime, report));
  };

/** Creates paper deployments with trades, and advances the clock by a day. */
const tradingOver = async ({ hub, trading }: World): Promise<void> => {
  for (let n = 0; n < 3; n++) await trading();
  hub.advance(24 * HOUR_MS);
};

const DAYS_STORED = 60;
const DAYS = randomBars(7, DAYS_STORED + 2);

/** Makes a deployment that the hub runs, over 60 daily bars. It has not started. */
const hubRun = async ({ hub }: World) => {
  await appendBars(hub.runtime.store, BITCOIN, sliceBars(DAYS, 0, DAYS_STORED));
  const owner = await trader(hub, { symbol: BITCOIN.symbol });
  return { id: await hubDeployed(hub, owner, setupOf(crossRules(2, 5))), on: worker(hub) };
};

const MINUTES = { ...BITCOIN, timeframe: '1m' } as const;
const MINUTES_STORED = 10;

/** Starts a paper deployment over a feed of minutes. Returns a function that takes an event of the feed. */
const minuteFed = async ({ hub }: World) => {
  const { store, clock } = hub.runtime;
  const [series] = await findSeries(store, MINUTES.symbol, [MINUTES.timeframe]);
  const now = Math.floor(clock().getTime() / MINUTE_MS) * MINUTE_MS;
  const first = series ? series.last + MINUTE_MS : now - HOUR_MS;
  await appendBars(store, MINUTES, columnsOf(minutesFrom(first, MINUTES_STORED)));
  const setup = setupOf(crossRules(2, 5), [MINUTES.symbol], { timeframe: MINUTES.timeframe });
  const legs = setup.legs.map((leg) => ({ ...leg, source: MINUTES.timeframe }));
  const owner = await trader(hub, { symbol: MINUTES.symbol });
  const on = worker(hub);
  await startEngine(on, await hubDeployed(hub, owner, { ...setup, legs }));
  const take = (type: string, detail: object): Promise<void> =>
    takeEngineEvent(on.engine, {
      'detail-type': type,
      source: MINUTES.source,
      time: clock().toISOString(),
      detail: { version: 1, timeframe: MINUTES.timeframe, ...detail },
    });
  const next = first + MINUTES_STORED * MINUTE_MS;
  const bars = minutesFrom(next, 5).map(({ start, ...bar }) => ({ ...bar, start: isoOf(start) }));
  return { hub, take, bars, next };
};

/** Sends test events to an endpoint of a new broker, and disables it before they leave if they shall wait. */
const testEvents = async (
  { hub, broker, receiver }: World,
  count: number,
  { parked }: { readonly parked: boolean },
): Promise<void> => {
  const desk = asBroker(await broker());
  const json = { url: `${receiver.url}/hook` };
  const { endpoint_id } = await registerProven(hub, desk, json);
  const query = { endpoint_id };
  for (let n = 0; n < count; n++) await webhooks(hub, desk, 'POST test_webhook', { query });
  if (!parked) return;
  await webhooks(hub, desk, 'POST update_webhook', { query, json: { enabled: false } });
  await deliverNew(hub);
  await webhooks(hub, desk, 'POST update_webhook', { query, json: { enabled: true } });
};

/** Work without a waiting client: events of engines by their type, jobs by their name, deliveries. */
export const BACKGROUND: Readonly<Record<string, Work>> = {
  'event Deployment Started': event('Deployment Started'),
  'event Deployment Stopped': event('Deployment Stopped', { stop_reason: 'completed' }),
  'event Deployment Error': event('Deployment Error', { message: 'no quotes' }),
  'event Signal Raised': event('Signal Raised', SIGNAL),
  'event Signal Raised, repeated': event('Signal Raised', SIGNAL, 2),
  'event Scanner Matched': async (world) => {
    const id = await world.scanning(await world.strategy());
    return async () => {
      await world.report('Scanner Matched', id, { matches: [{ symbol: 'EURUSD', price: 1.1 }] });
      return 1;
    };
  },
  'event Order Updated': async (world) => {
    const id = Number((await world.trading()).deployment_id);
    return async () => {
      await reportOrder(world.hub, id, { client_order_id: 'second' });
      return 1;
    };
  },
  'entries of an order': async (world) => {
    await reportOrder(world.hub, Number((await world.trading()).deployment_id), {
      client_order_id: 'second',
    });
    return () => enterAll(world.hub);
  },
  'event Quote Marked': async (world) => {
    const { deployment_id } = await world.trading();
    return async () => {
      await world.report('Quote Marked', deployment_id, { symbol: 'AAPL', price: 101 });
      return 1;
    };
  },
  'event Swap Charged': async (world) => {
    const { deployment_id } = await world.trading();
    return async () => {
      await world.report('Swap Charged', deployment_id, { symbol: 'AAPL', charge_id: 'c-1', amount: -1.5 });
      return 1;
    };
  },
  delivery: async (world) => {
    const { email } = await world.person();
    await world.hub.call('POST /send_otp_password_reset', { query: { email } });
    const message = (await outbox(world.hub)).at(-1);
    if (!message) throw new Error('nothing waits in the outbox');
    return async () => {
      await deliver(world.hub.runtime, message.delivery_id, message.attempts);
      return 1;
    };
  },
  'delivery of a webhook': async (world) => {
    await testEvents(world, 1, { parked: false });
    return () => deliverNew(world.hub);
  },
  'job sweep-webhooks': job('sweep-webhooks', async (world) => {
    for (let n = 0; n < 10; n++) await testEvents(world, 1, { parked: false });
    world.hub.advance(5 * MINUTE_MS);
  }),
  'job attend-webhooks': job('attend-webhooks', (world) => testEvents(world, 10, { parked: true })),
  'job sweep-deliveries': job('sweep-deliveries', async ({ hub }) => hub.advance(60_000)),
  'job sweep-bulk': job('sweep-bulk', async ({ hub }) => {
    const { store, clock } = hub.runtime;
    for (let n = 0; n < 10; n++) {
      const message = {
        kind: 'notification_mail',
        to: `${n}@example.com`,
        title: 'Bought',
        body: '1 AAPL',
      } as const;
      await putInOutbox(store, `mail-${n}`, message, clock());
    }
    hub.advance(60_000);
  }),
  'job sweep-pushes': job('sweep-pushes', async (world) => {
    const { user_id } = await world.person();
    const note = { title: 'Buy AAPL', body: 'It crossed.', data: {}, urgent: true };
    for (let n = 0; n < 10; n++) {
      const push_key = `phone-${n}`;
      await registerDevice(world.hub, user_id, push_key);
      const message = { kind: 'device_push', user_id, push_key, device: 'fcm', note } as const;
      const { store, clock } = world.hub.runtime;
      await putInOutbox(store, `push-${n}`, message, clock());
    }
    world.hub.advance(60_000);
  }),
  'job sweep-changes': job('sweep-changes', async (world) => {
    const { id } = await listenedTrading(world);
    for (let n = 0; n < 10; n++) await reportOrder(world.hub, id, { client_order_id: `o-${n}` });
    world.hub.advance(60_000);
  }),
  'message change_listeners': async (world) => {
    const { user_id } = await listenedTrading(world);
    const { store, clock } = world.hub.runtime;
    await putInOutbox(store, 'listeners', { kind: 'change_listeners', user_id }, clock());
    return async () => {
      await carryAll(world.hub);
      return 1;
    };
  },
  'events Order Updated, with a listener, and their move': async (world) => {
    const { id } = await listenedTrading(world);
    return async () => {
      await reportOrder(world.hub, id, { client_order_id: 'o-1' });
      await moveAll(world.hub);
      return 1;
    };
  },
  'job sweep-orders': job('sweep-orders', async (world) => {
    const { user_id } = await world.person();
    const deployment_id = Number(await world.deployed(await world.strategy()));
    const { store, clock } = world.hub.runtime;
    for (let n = 0; n < 10; n++) {
      const detail = {
        version: 1,
        deployment_id,
        client_order_id: `o-${n}`,
        symbol: 'AAPL',
        adapter: 'test',
        account: 'A-1',
        occurred_at: clock().toISOString(),
        reason: 'expired',
      };
      const request = { type: 'Order Cancel Requested', detail };
      await putInOutbox(store, `order-${n}`, { kind: 'order_request', user_id, request }, clock());
    }
    world.hub.advance(60_000);
  }),
  'job follow-orders': async (world) => {
    const { alpaca, hub } = world;
    const adapter = adapterOf(hub);
    const trading = await liveTrader(hub, alpaca);
    alpaca.price = undefined;
    for (let n = 0; n < 10; n++) {
      await takeRequest(
        adapter.work,
        orderEvent(hub, trading, `o-${n}`, { order_type: 'limit', price: '90' }),
      );
    }
    hub.advance(MINUTE_MS);
    for (const order of alpaca.orders) if (order.status === 'new') alpaca.fill(order, order.qty, '90');
    return () => followOrders(adapter.work);
  },
  'job compare-accounts': job('compare-accounts', async ({ alpaca, hub }) => {
    for (let n = 0; n < 10; n++) await liveTrader(hub, alpaca);
    hub.advance(25 * HOUR_MS);
  }),
  'event Order Requested': execution((world, trading) => orderEvent(world.hub, trading, 'entry')),
  'event Order Cancel Requested': execution(async (world, trading, work) => {
    world.alpaca.price = undefined;
    await takeRequest(work, orderEvent(world.hub, trading, 'entry', { order_type: 'limit', price: '90' }));
    return cancelEvent(world.hub, trading, 'entry');
  }),
  'event Position Close Requested': execution((world, trading) => {
    world.alpaca.positions.set('AAPL', 5);
    return closeEvent(world.hub, trading, 'exit');
  }),
  'job pull-candles': job('pull-candles', async ({ hub, binance }) => {
    const { store, clock } = hub.runtime;
    const start = Math.floor(clock().getTime() / MINUTE_MS) * MINUTE_MS;
    for (const symbol of COINS) {
      const facts: SeriesFacts = {
        symbol,
        timeframe: '1m',
        asset_class: 'crypto',
        calendar: 'always',
        source: 'hub-feed.coins',
        adjustment: 'none',
      };
      await importBars(store, facts, columnsOf(minutesFrom(start - MINUTE_MS, 1)));
      await store.transact([seriesInUseWrite(symbol, '1m')]);
      binance.bars.set(`${symbol} 1m`, minutesFrom(start, 5));
    }
    hub.advance(2 * MINUTE_MS);
  }),
  'job expire-deployments': job('expire-deployments', async ({ hub, strategy }) => {
    const expires_at = new Date(hub.runtime.clock().getTime() + HOUR_MS).toISOString();
    for (let n = 0; n < 10; n++) {
      const { keygen } = await strategy();
      const form = { channels: 'push', expires_at };
      await hub.call('POST /deploy_notification_strategy', { query: { keygen }, form });
    }
    hub.advance(2 * HOUR_MS);
  }),
  'job sweep-events': job('sweep-events', async (world) => {
    const { store, clock } = world.hub.runtime;
    const deployment_id = Number(await world.deployed(await world.strategy()));
    const occurred_at = clock().toISOString();
    for (let n = 0; n < 10; n++) {
      const event = JSON.stringify({
        'detail-type': 'Signal Raised',
        source: 'engine',
        detail: { version: 1, deployment_id, occurred_at, ...SIGNAL, title: `Signal ${n}` },
      });
      await putInOutbox(store, `event-${n}`, { kind: 'execution_event', event }, clock());
    }
    world.hub.advance(60_000);
  }),
  'job close-equity-days': job('close-equity-days', (world) => tradingOver(world)),
  'job roll-swaps': job('roll-swaps', (world) => tradingOver(world)),
  'job rank-strategies': job('rank-strategies', async ({ hub }) => {
    await putCards(hub, randomCards(hub, 1, 3000));
  }),
  'job reconcile-lists': job('reconcile-lists', async () => undefined),
  'event Backtest Requested': async ({ hub, person }) => {
    const facts = { ...DAILY, timeframe: '1m' } as const;
    // So few bars in so many items that a request leaves them to a worker.
    await importBars(hub.runtime.store, facts, sessionBars('2010-01-04', 500));
    await runBacktest(hub, (await person()).user_id, { timeframe: '1m' });
    const waiting = await takeJobEvents(hub);
    return async () => {
      for (const event of waiting) await takeJobEvent(hub.runtime, event, () => Number.POSITIVE_INFINITY);
      return waiting.length;
    };
  },
  'event Sweep Requested': async ({ hub, person }) => {
    await importBars(hub.runtime.store, DAILY, sessionBars('2010-01-04', 1000));
    await sweepStrategy(hub, (await person()).user_id);
    const waiting = await takeJobEvents(hub);
    return async () => {
      for (const event of waiting) await takeJobEvent(hub.runtime, event, () => Number.POSITIVE_INFINITY);
      return waiting.length;
    };
  },
  'job sweep-backtests': job('sweep-backtests', async ({ hub, person }) => {
    await importBars(hub.runtime.store, DAILY, sessionBars('2010-01-04', 1000));
    const { user_id } = await person();
    for (let n = 0; n < 10; n++) {
      const { body } = await runBacktest(hub, user_id);
      const query = { user_id, backtest_id: String(body.backtest_id) };
      await hub.call('POST /remove_backtest', { query });
    }
    hub.advance(HOUR_MS);
  }),
  'job delete-accounts': job('delete-accounts', async ({ hub, person }) => {
    const { user_id, email, access_token } = await person();
    const json = { email, password: PASSWORD };
    await hub.call('POST /delete_account', { query: { user_id }, json, headers: bearer(access_token) });
    await runJob(hub.runtime, { job: 'delete-accounts' });
    hub.advance(HOUR_MS);
  }),
  'event Email Bounced': feedback('Email Bounced', (email) => ({
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [{ emailAddress: email }],
    },
  })),
  'event Email Complaint Received': feedback('Email Complaint Received', (email) => ({
    complaint: { complainedRecipients: [{ emailAddress: email }] },
  })),
  'event Bar Closed': async (world) => {
    const { take, bars } = await minuteFed(world);
    return () => one(take('Bar Closed', { symbol: MINUTES.symbol, ...bars[0] }));
  },
  'event Bars Closed': async (world) => {
    const { take, bars } = await minuteFed(world);
    return () => one(take('Bars Closed', { symbol: MINUTES.symbol, bars }));
  },
  'event Bars Complete': async (world) => {
    const { take, next } = await minuteFed(world);
    return () => one(take('Bars Complete', { through: isoOf(next + MINUTE_MS) }));
  },
  'event Split Declared': async (world) => {
    const { take, next } = await minuteFed(world);
    const { store } = world.hub.runtime;
    const [series] = await findSeries(store, MINUTES.symbol, [MINUTES.timeframe]);
    if (series) await withdrawSplit(store, series);
    const at = isoOf(next + 30 * 24 * HOUR_MS);
    return () =>
      one(take('Split Declared', { symbol: MINUTES.symbol, ratio: '4:1', at, timeframe: undefined }));
  },
  'event Engine Scanners Due': async (world) => {
    const feed = new ScannedFeed(world.hub, 'a-feed-of-scanners');
    await feed.scanner(['AAA', 'BBB']);
    await feed.close(1, { AAA: 101, BBB: 102 });
    return () => one(feed.complete(1));
  },
  'event Engine Deployment Requested': async (world) => {
    const { id, on } = await hubRun(world);
    return () => one(startEngine(on, id));
  },
  'event Engine Deployment Commanded': async (world) => {
    const { id, on } = await hubRun(world);
    await startEngine(on, id);
    const pause = { action: 'pause', by: 'user', reason: 'Measured.' } as const;
    await commandDeployment(world.hub.runtime, id, pause);
    return () => one(commandEngine(on, id));
  },
  'event Engine Accounts Due': async ({ hub }) => {
    await appendBars(hub.runtime.store, BITCOIN, sliceBars(DAYS, 0, DAYS_STORED));
    const owner = await trader(hub, { symbol: BITCOIN.symbol });
    const id = await liveDeployed(hub, owner, setupOf(crossRules(2, 5)));
    const on = worker(hub);
    await startEngine(on, id);
    return () => one(serveEngine(on, id));
  },
  'event Engine Deployment Ended': async (world) => {
    const { id, on } = await hubRun(world);
    await startEngine(on, id);
    await world.hub.runtime.store.transact([{ key: keys.deployment(id), set: { status: 'stopped' } }]);
    return () => one(endEngine(on, id));
  },
  'event Engine Series Due': async (world) => {
    const { id, on } = await hubRun(world);
    await startEngine(on, id);
    const { series } = await appendBars(
      world.hub.runtime.store,
      BITCOIN,
      sliceBars(DAYS, DAYS_STORED, DAYS_STORED + 1),
    );
    return () => one(advanceSeries(on.engine, series, ['1d']));
  },
  'event Engine Series Unsettled': async (world) => {
    const { id, on } = await hubRun(world);
    await startEngine(on, id);
    const { series } = await appendBars(
      world.hub.runtime.store,
      BITCOIN,
      sliceBars(DAYS, DAYS_STORED, DAYS_STORED + 1),
    );
    return () => one(settleSeries(on.engine, series));
  },
  'job sweep-series': job('sweep-series', async (world) => {
    const { id, on } = await hubRun(world);
    await startEngine(on, id);
    await appendBars(world.hub.runtime.store, BITCOIN, sliceBars(DAYS, DAYS_STORED + 1));
  }),
  'event Kill Switch Thrown': async (world) => {
    const { keygen, user_id } = await trader(world.hub);
    for (let n = 0; n < 3; n++) await deployTrading(world.hub, keygen);
    const actor = { by: 'operator' } as const;
    const subject = { level: 'user', user_id } as const;
    const { runtime } = world.hub;
    const throwId = await throwSwitch(runtime, { subject, actor, reason: 'x', flatten: false });
    return async () => (await takeUpHalt(runtime, throwId, () => true)).halted;
  },
  'job halt-deployments': job('halt-deployments', async ({ hub }) => {
    const { keygen, user_id } = await trader(hub);
    await deployTrading(hub, keygen);
    const actor = { by: 'operator' } as const;
    const subject = { level: 'user', user_id } as const;
    await throwSwitch(hub.runtime, { subject, actor, reason: 'x', flatten: false });
    hub.advance(HOUR_MS);
  }),
  'job refresh-partner-tokens': job('refresh-partner-tokens', async (world) => {
    const back = await SCENARIOS['GET /partnerc_auth_callback']?.(world);
    await world.hub.call('GET /partnerc_auth_callback', back);
    world.hub.advance(2 * HOUR_MS);
  }),
};
