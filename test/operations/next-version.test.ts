import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runJob as runJobOf } from '../../functions/jobs/run-job.ts';
import { loadCatalogue, readCatalogue } from '../../infra/catalogue/load.ts';
import { unsubscribeTokenOf } from '../../shared/auth/unsubscribe-tokens.ts';
import { followBroker } from '../../shared/broker-orders/report-order.ts';
import { appendBar } from '../../shared/data/candles/append-bar.ts';
import { appendBars } from '../../shared/data/candles/append-bars.ts';
import { saveFeedState } from '../../shared/data/candles/pulled-feeds.ts';
import { seriesInUseWrite } from '../../shared/data/engine/series-in-use.ts';
import { createOrderInHand, findOrderInHand } from '../../shared/data/execution/orders-in-hand.ts';
import { LANES } from '../../shared/data/outbox/lanes.ts';
import { newProposalWrite, openProposals } from '../../shared/data/proposals/proposals.ts';
import type { Item } from '../../shared/data/table/attributes.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { unpackJson } from '../../shared/data/table/packed.ts';
import { accountOf } from '../../shared/data/user-data/account.ts';
import { findDueDeletions, findSweeping } from '../../shared/data/user-data/deletions.ts';
import { type ExportedRecord, exportAccount } from '../../shared/data/user-data/export-account.ts';
import { findHoldings } from '../../shared/data/user-data/holdings.ts';
import { findUser, identityWrite } from '../../shared/data/users/users.ts';
import { postponeWebhook, takeWebhook } from '../../shared/data/webhooks/delivery-changes.ts';
import { noteStrike } from '../../shared/data/webhooks/endpoint-health.ts';
import { newStateWrite, rotateSecret } from '../../shared/data/webhooks/endpoint-states.ts';
import { asEndpoints, endpointsKey, endpointsWrite } from '../../shared/data/webhooks/endpoints.ts';
import { findDueWebhooks } from '../../shared/data/webhooks/find-deliveries.ts';
import { webhookWrites } from '../../shared/data/webhooks/webhook-writes.ts';
import { firstBarFrom, sliceBars } from '../../shared/domain/candles/bars.ts';
import { requestDeletion } from '../../shared/lifecycle/account-deletion.ts';
import { takeUpHalt } from '../../shared/lifecycle/halt-deployments.ts';
import { setDeploymentLimits, setUserLimits } from '../../shared/lifecycle/risk-limits.ts';
import { reArmSwitch, throwSwitch } from '../../shared/lifecycle/throw-switch.ts';
import { type FakeAlpaca, fakeAlpaca } from '../support/alpaca.ts';
import { DyingStore, type JobEvent, takeJobEvents } from '../support/backtest-jobs.ts';
import { sweepBody } from '../support/backtests.ts';
import { approve, createBroker, linkAccount, tokenOf } from '../support/brokers.ts';
import { DAILY, sessionBars } from '../support/candles.ts';
import { listen, moveAll } from '../support/changes.ts';
import { adapterOf } from '../support/execution.ts';
import { takeJobEvent } from '../support/functions/backtest-jobs.ts';
import { takeOrKeepEvent } from '../support/functions/execution-events.ts';
import type { Response, TestHub } from '../support/hub.ts';
import { startHub } from '../support/hub.ts';
import { BITCOIN, feed, hubDeployed, setupOf } from '../support/hub-deployments.ts';
import { startEngine, worker } from '../support/hub-engine.ts';
import { runJob } from '../support/jobs.ts';
import { signedTrader } from '../support/kill-switch.ts';
import { startKms } from '../support/kms.ts';
import { ADDED, itemsOf, lostIn, putItem, rewriteAsNext } from '../support/next-version.ts';
import { ownRows } from '../support/own-candles.ts';
import { bearer, login, outbox, PASSWORD, signUp } from '../support/people.ts';
import { randomBars } from '../support/random-bars.ts';
import { ruleTrader } from '../support/rule-strategies.ts';
import { crossRules } from '../support/rules.ts';
import { ScannedFeed } from '../support/scanners.ts';
import { securedTrader } from '../support/secured-trader.ts';
import { build, copy, furnishWithInstruments, like, list, setState } from '../support/strategies.ts';
import { passTime } from '../support/track-records.ts';
import {
  deployTrading,
  engineEvent,
  enterAll,
  report,
  reportOrder,
  trader,
  undeployTrading,
} from '../support/trading.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

/** Returns all entities in the source. */
const declared = (): Set<string> => {
  const names = new Set<string>(Object.values(LANES).map(({ entity }) => entity));
  for (const file of readdirSync('shared', { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const source = readFileSync(join('shared', file), 'utf8');
    for (const [, name] of source.matchAll(/(?<!#)entity'?: '([a-z_]+)'/g)) if (name) names.add(name);
  }
  return names;
};

/** Entities whose items are written once only, deleted by the next write, or gone within an hour. */
const WRITTEN_ONCE = new Set([
  'stage',
  // Made again from the catalogue each hour.
  'ranking',
  'ranking_pool',
  'instrument_copy',
  'identity',
  'idempotency',
  'dummy_user',
  'rules',
  'backtest_setup',
  'deployment_setup',
  'engine_input',
  'engine_used_bars',
  'backtest_report',
  'record_used_bars',
  'backtest_trades',
  'sweep_setup',
  'sweep_outcome',
  'backtest_state',
  'waiting_bars',
  'partnerc_state',
  'partnerc_connection',
  'execution_connection',
  'outbox_push',
  'outbox_trial',
  'outbox_event',
  'outbox_order',
  'webhook_delivery',
  'outbox_change',
  'change_event',
  'change_waits',
  'referred',
  'budget',
  'live_ended',
  'list_removals',
  'scanner',
  'scanned_instruments',
  'scan_match',
  'switch_notice',
  'passkey',
  'passkey_challenge',
  'replay',
]);

const environment = { ...process.env };
let kms: Awaited<ReturnType<typeof startKms>>;
let alpaca: FakeAlpaca;
let hub: TestHub;
let people: { owner: Awaited<ReturnType<typeof trader>>; fan: Response['body']; broker: Response['body'] };
let shelved: number;
let live: number;
let ended: number;
let scanner: number;
let notifying: number;
let reporting: number;
let scans: ScannedFeed;
let tradeSecured: Awaited<ReturnType<typeof securedTrader>>;
const answers: string[] = [];

const call = async (route: string, request: Parameters<TestHub['call']>[1]): Promise<Response> => {
  const answer = await hub.call(route, request);
  answers.push(answer.text);
  expect([route, answer.status, hub.log.filter(({ level }) => level === 'error')]).toEqual([route, 200, []]);
  return answer;
};

const { instruments, brokers, universes } = readCatalogue();
const ONE_INSTRUMENT = {
  instruments: instruments.filter(({ symbol }) => symbol === 'AAPL'),
  brokers,
  universes,
};

let round = 0;

const MINUTES = {
  symbol: 'BTCUSD',
  timeframe: '1m',
  asset_class: 'crypto',
  calendar: 'always',
  source: 'test',
  adjustment: 'none',
} as const;

/** Appends bars until they leave the head of their series. */
const appendMinutes = async (): Promise<void> => {
  for (let minute = 0; minute < 20; minute++) {
    const start = Date.UTC(2026, 0, 1, round, minute);
    const close = 100 + (minute % 4);
    const bar = { start, open: close, high: close, low: close, close, volume: 1 };
    await appendBar(hub.runtime.store, MINUTES, bar);
  }
};

const SHARES = { ...BITCOIN, symbol: 'AAPL' };
const DAYS = randomBars(7, 120);

/** Lets the hub's engine start a deployment, and trade on paper for it and for that of the round before. */
const tradeOnPaper = async (): Promise<void> => {
  const exits = [{ side: 'long', when: { bars_in_trade: 2 } }];
  const setup = setupOf(crossRules(2, 3 + round, { exits }), [SHARES.symbol]);
  const on = worker(hub);
  const next = 40 * (round - 1);
  await feed(hub, sliceBars(DAYS, next, next + 20), [on], SHARES);
  await startEngine(on, await hubDeployed(hub, people.owner, setup));
  for (let bar = next + 20; bar < next + 40; bar++) {
    await feed(hub, sliceBars(DAYS, bar, bar + 1), [on], SHARES);
  }
};

/** Events of the sweep of the round before, which its worker did not finish. */
let unfinished: JobEvent[] = [];

/** Starts a sweep whose worker dies before it stores its slice, and lets another one finish the sweep before. */
const sweep = async (user_id: string): Promise<void> => {
  for (const event of unfinished) await takeJobEvent(hub.runtime, event, () => MINUTE);
  const { symbol, timeframe } = MINUTES;
  const json = sweepBody({ symbol, timeframe, params: { fast: [2, 3] } });
  await call('POST /sweep_strategy', { query: { user_id }, json });
  unfinished = await takeJobEvents(hub);
  const dying = { ...hub.runtime, store: new DyingStore(hub.runtime.store, 1, false) };
  for (const event of unfinished) await expect(takeJobEvent(dying, event, () => MINUTE)).rejects.toThrow();
};

/** Lets workers advance the track record of a published strategy over the bars that have come. */
const advanceRecords = async (): Promise<void> => {
  await passTime(hub, 5 * DAY);
  const [from, to] = [hub.runtime.clock().getTime() - 400 * DAY, hub.runtime.clock().getTime() - DAY];
  const bars = sessionBars(new Date(from).toISOString().slice(0, 10), 400);
  await appendBars(
    hub.runtime.store,
    { ...DAILY, symbol: 'TSLA' },
    sliceBars(bars, 0, firstBarFrom(bars, to)),
  );
  await passTime(hub, DAY);
};

const halts: string[] = [];

/** Throws a kill switch again and re-arms it, and lets a worker take up the throw of the round before. */
const throwAndReArm = async (user_id: string): Promise<void> => {
  const subject = { level: 'user', user_id } as const;
  const operator = { subject, actor: { by: 'operator' }, reason: 'a drill' } as const;
  const broker = { ...operator, actor: { by: 'broker', broker_id: 7 } } as const;
  for (const id of halts) await takeUpHalt(hub.runtime, id, () => true);
  await throwSwitch(hub.runtime, { ...broker, flatten: false });
  halts.push(await throwSwitch(hub.runtime, { ...operator, flatten: false }));
  await reArmSwitch(hub.runtime, operator);
};

/** Follows an order at a broker, which fills a bit more each round. */
const followAtBroker = async (): Promise<void> => {
  const { store, clock } = hub.runtime;
  const broker_client_id = 'hub-of-the-test';
  const facts = { symbol: 'AAPL', side: 'buy', order_type: 'limit', quantity: '10', price: '90' } as const;
  if (!(await findOrderInHand(store, broker_client_id))) {
    await createOrderInHand(store, {
      adapter: 'alpaca',
      broker_client_id,
      deployment_id: live,
      client_order_id: 'real',
      user_id: people.owner.user_id,
      account_id: 'PA1',
      broker_symbol: 'AAPL',
      asset_class: 'equity',
      facts,
      cancel: { reason: 'no longer wanted' },
      state: 'open',
      sequence: 9,
      reported: 9,
      created_at: clock().getTime(),
      rev: 1,
    });
  }
  const order = await findOrderInHand(store, broker_client_id);
  if (!order) throw new Error('the order in hand is gone');
  const { work } = adapterOf(hub);
  await followBroker({ ...work, putReport: async () => undefined }, order, {
    clientOrderId: broker_client_id,
    brokerOrderId: '1',
    symbol: 'AAPL',
    status: 'partially_filled',
    brokerStatus: 'partially_filled',
    quantity: '10',
    filledQuantity: String(round),
    averagePrice: '90',
    updatedAt: clock().getTime(),
    side: 'buy',
    type: 'limit',
    limitPrice: '90',
    stopPrice: null,
    replacedBy: null,
    legs: [],
  });
};

/** Trades for a published strategy without rules, whose figures are those that an engine outside reports. */
const reportTrades = async (): Promise<void> => {
  for (const side of ['buy', 'sell']) {
    await reportOrder(hub, reporting, { client_order_id: `${side}-${round}`, symbol: 'MSFT', side });
    hub.advance(1000);
  }
};

/** Begins the deletion of another account. The job goes on with that of the round before. */
const leave = async (): Promise<void> => {
  const { body } = await signUp(hub);
  const query = { user_id: body.user_id };
  const json = { email: body.email, password: PASSWORD };
  await call('POST /delete_account', { query, json, headers: bearer(body.access_token) });
};

/** Deletes an account to the end, in two rounds of the walk. */
const leaveForGood = async (): Promise<void> => {
  await leave();
  for (let run = 0; run < 4; run++) {
    await runJob(hub.runtime, { job: 'delete-accounts' });
    hub.advance(3 * MINUTE);
  }
};

/** Changes a webhook endpoint of a user, and makes an attempt at an event for it. */
const changeWebhooks = async (user_id: string): Promise<void> => {
  const { store, clock, random } = hub.runtime;
  const [now, owner, endpointId] = [clock(), { user_id }, 'endpoint-of-the-test'];
  const secret = new Uint8Array([round]);
  const [before] = await store.getMany([endpointsKey(owner)]);
  if (!before) {
    const endpoint = {
      endpoint_id: endpointId,
      description: '',
      events: [],
      status: 'enabled' as const,
      created_at: now.toISOString(),
    };
    const event = { id: 'event', type: 'order.filled', at: now.toISOString(), data: {} };
    await store.transact([
      endpointsWrite(undefined, owner, [endpoint]),
      newStateWrite(endpointId, owner, { url: 'https://example.com', secret }, now),
    ]);
    const [item] = await store.getMany([endpointsKey(owner)]);
    await store.transact(webhookWrites(asEndpoints(item), event, { now, random }));
  }
  const held = asEndpoints((await store.getMany([endpointsKey(owner)]))[0]);
  if (!held) throw new Error('the webhook endpoints are gone');
  const endpoints = held.endpoints.map((one) => ({ ...one, description: `Round ${round}` }));
  await store.transact([endpointsWrite(held, owner, endpoints)]);
  const state = await noteStrike(store, endpointId, true, now);
  if (state) await rotateSecret(store, state, secret, { now, until: now });
  const [waiting] = await findDueWebhooks(store, new Date(now.getTime() + 365 * DAY), 1);
  const taken = waiting && (await takeWebhook(store, waiting, now));
  if (!taken) throw new Error('the webhook delivery is gone');
  await postponeWebhook(store, taken, { at: now.getTime(), duration_ms: round }, now.getTime() + DAY);
};

/** Stores a proposal beside that of the round before. */
const propose = async (user_id: string): Promise<void> => {
  const { store, clock } = hub.runtime;
  const user = await findUser(store, user_id);
  if (!user) throw new Error('the proposing user is gone');
  const [item] = await store.getMany([keys.proposals(user_id)]);
  const now = clock();
  const created_at = now.getTime() / 1000;
  const proposal = {
    strategy_id: 1,
    strategy_name: 'Proposed',
    terms: {},
    created_at,
    expires_at: created_at + 365 * 86_400,
  };
  await store.transact([
    newProposalWrite(user, item, openProposals(item, user, now), [`round-${round}`, proposal]),
  ]);
};

/** Operations that rewrite the stored items. */
const everything = async (): Promise<void> => {
  round++;
  hub.log.length = 0;
  const { owner, fan, broker } = people;
  const { user_id, strategy_id } = owner;
  await listen(hub, { user_id });
  const id = String(strategy_id);
  const failure = { failures: round, retry_at: 0, reason: 'status 503', since: 0 };
  await saveFeedState(hub.runtime.store, 'feed', { down: failure, series_failures: {} });
  await hub.runtime.store.transact([seriesInUseWrite('AAPL', '1m')]);
  await login(hub, fan.email, 'a typo of the password');
  await login(hub, fan.email);
  await call('POST /send_otp_password_reset', { query: { email: fan.email } });
  for (const push_key of [`token-${round}-${'x'.repeat(140)}`, `token-${'y'.repeat(140)}`]) {
    await call('POST /register_push_token', { query: { user_id, push_key } });
  }
  const { body: rotated } = await call('POST /create_partnera_subdomain_secret', {
    query: { broker_name: broker.broker_name, email: 'desk@broker.example', accent_color: '#ffffff' },
    headers: bearer(broker.secret),
  });
  broker.secret = rotated.secret;
  await linkAccount(hub, fan.email, broker.subdomain, await tokenOf(hub, broker, 'A-1'), PASSWORD);
  if (round > 1) {
    for (const command of ['pause', 'resume']) {
      await call(`POST /${command}_deployment`, { query: { user_id, deployment_id: String(live) } });
    }
  }
  await setUserLimits(hub.runtime, user_id, { limits: { orders_per_day: 1000 + round } });
  await setDeploymentLimits(hub.runtime, live, user_id, { limits: { drawdown_pct: `9${round}` } });
  await call('POST /set_notification_preferences', {
    query: { user_id },
    json: { groups: { fills: { sms: round === 1 } } },
  });
  const token = await unsubscribeTokenOf(
    hub.runtime,
    { email: fan.email, group: 'fills' },
    { user_id: fan.user_id },
  );
  await call('POST /unsubscribe', { query: { token: token ?? '', group: 'fills' } });
  await setState(hub, user_id, strategy_id, 1);
  await list(hub, user_id, strategy_id);
  await like(hub, fan.user_id, strategy_id, round === 1);
  await copy(hub, fan.user_id, strategyKey);
  await call('POST /rename_strategy', {
    query: { user_id, strategy_id: id, strategy_name: `Name ${round}` },
  });
  await call('POST /update_strategy', {
    query: { user_id, strategy_id: id },
    json: { description: `Text ${round}`, broker_id: round },
  });
  for (const archived of ['true', 'false']) {
    await call('POST /archive_strategy', { query: { user_id, strategy_id: String(shelved), archived } });
  }
  await call('POST /set_strategy_rules', {
    query: { user_id, strategy_id: id },
    json: crossRules(10, 30 + round),
  });
  for (const deployment of [live, scanner, notifying]) await report(hub, 'Deployment Started', deployment);
  await report(hub, 'Signal Raised', notifying, {
    symbol: 'AAPL',
    side: 'buy',
    price: round,
    title: 'a',
    body: 'b',
  });
  await report(hub, 'Scanner Matched', scanner, { matches: [{ symbol: 'AAPL', price: round }] });
  for (const deployment of [live, ended]) {
    await reportOrder(hub, deployment, {
      client_order_id: 'held',
      sequence: round,
      quantity: '10',
      filled_quantity: String(round),
      status: 'partially_filled',
    });
    await reportOrder(hub, deployment, {
      client_order_id: `in-${round}`,
      symbol: 'MSFT',
      average_price: '90',
    });
    await reportOrder(hub, deployment, { client_order_id: `out-${round}`, symbol: 'MSFT', side: 'sell' });
    await report(hub, 'Swap Charged', deployment, {
      symbol: 'AAPL',
      charge_id: `c-${round}`,
      amount: '-0.1',
    });
    await report(hub, 'Quote Marked', deployment, { symbol: 'AAPL', price: 100 + round });
    hub.advance(1000);
  }
  await reportTrades();
  await call('POST /hooks/{token}', {
    params: { token: hookToken },
    json: { action: 'buy', symbol: 'AAPL', quantity: round, price: 100 },
  });
  const refused = { params: { token: hookToken }, json: { action: 'hold' } };
  expect((await hub.call('POST /hooks/{token}', refused)).status).toBe(422);
  await tradeSecured(round);
  while ((await enterAll(hub)) > 0);
  await call('POST /read_deployment_notifications', { query: { user_id } });
  await loadCatalogue(hub.runtime.store, ONE_INSTRUMENT);
  await appendMinutes();
  await advanceRecords();
  await tradeOnPaper();
  await followAtBroker();
  await changeWebhooks(user_id);
  await propose(user_id);
  await scans.close(round, { AAPL: 101 });
  await scans.complete(round);
  const of = { symbol: MINUTES.symbol, timeframe: MINUTES.timeframe, account: { starting_capital: 1000 } };
  await call('POST /run_backtest', { query: { user_id }, json: { rules: crossRules(2, 3), ...of } });
  const bars = ownRows('2010-01-04', 3 + round);
  const own = { symbol: 'AAPL', timeframe: '1d', source: 'file', bars };
  await call('POST /import_own_candles', { query: { user_id }, json: own });
  await sweep(user_id);
  await throwAndReArm(user_id);
  await leave();
  hub.advance(20 * DAY);
  const jobs = [
    'roll-swaps',
    'close-equity-days',
    'expire-deployments',
    'reconcile-lists',
    'delete-accounts',
  ];
  for (const job of jobs) await runJob(hub.runtime, { job, by_hand: true });
  await moveAll(hub);
};

const READS = [
  'GET /get_strategies_by_user',
  'GET /get_explore_strategies',
  'GET /get_explore_strategy_favourites',
  'GET /get_all_notification_deployments',
  'POST /get_scanner_deployments',
  'GET /get_all_live_deployments_v2',
  'GET /get_live_expired_strategies_v2',
  'GET /get_deployment_notifications',
  'GET /check_trades_position',
  'GET /get_p_l_live_deployed_strategies',
  'GET /get_live_deployments_aggregated_stats',
  'GET /get_b2c_brokers',
] as const;

const readAll = async (user_id: string): Promise<Response[]> => [
  ...(await Promise.all(READS.map((route) => hub.call(route, { query: { user_id } })))),
  ...(await Promise.all(
    ['live', 'virtual'].map((mode) => hub.call('GET /get_global_order_book', { query: { user_id, mode } })),
  )),
  await hub.call('GET /get_live_strategy_full_order_book', {
    query: { user_id, strategy_id: String(people.owner.strategy_id), deployment_id: String(live) },
  }),
  await hub.call('GET /get_live_strategy_order_book', { query: { user_id, deployment_id: String(live) } }),
  await hub.call('GET /get_track_record', { query: recorded }),
  await hub.call('GET /get_author_records', { query: { user_key: recorded.user_key } }),
];

let strategyKey: string;
let hookToken: string;
/** A published strategy with a track record. */
let recorded: { user_id: string; strategy_id: string; user_key: string };

/** Makes an address at which a paper deployment takes signals. */
const makeHook = async (): Promise<string> => {
  const { user_id, headers, keygen } = await signedTrader(hub);
  const { body } = await deployTrading(hub, keygen);
  const query = { user_id, deployment_id: String(body.deployment_id) };
  const { url } = (await call('POST /create_signal_hook', { query, headers })).body;
  return url.slice(url.lastIndexOf('/') + 1);
};

const OWNER_NAME = 'Wilhelmina Quagmire';
const FAN_NAME = 'Zebulon Thistlewood';

beforeAll(async () => {
  kms = await startKms();
  const plain = await startHub();
  alpaca = await fakeAlpaca(plain.runtime.clock);
  hub = plain.with(alpaca.environment);
  await furnishWithInstruments(hub);
  const owner = await trader(hub, { name: OWNER_NAME });
  const { referral_code = '' } = (await findUser(hub.runtime.store, owner.user_id)) ?? {};
  const { body: fan } = await signUp(hub, { name: FAN_NAME, referral_code });
  const { body: broker } = await createBroker(hub, { broker_name: 'Next' });
  await approve(hub, broker);
  people = { owner, fan, broker };
  const own = await hub.call('GET /get_strategies_by_user', { query: { user_id: owner.user_id } });
  strategyKey = own.body.items[0].strategy_key;
  const { keygen, user_id } = owner;
  live = (await deployTrading(hub, keygen)).body.deployment_id;
  ended = (await deployTrading(hub, keygen)).body.deployment_id;
  const form = { symbol: 'AAPL', channels: 'push' };
  notifying = (await call('POST /deploy_notification_strategy', { query: { keygen }, form })).body
    .deployment_id;
  const universe_id = 'dow-30';
  const { body: scanned } = await build(hub, { user_id });
  shelved = (await build(hub, { user_id })).body.strategy_id;
  scanner = (await call('POST /deploy_scanner', { query: { keygen: scanned.keygen, universe_id } })).body
    .deployment_id;
  await reportOrder(hub, ended, { client_order_id: 'first' });
  await undeployTrading(hub, user_id, ended);
  const reporter = await trader(hub);
  await setState(hub, reporter.user_id, reporter.strategy_id, 1);
  hub.advance(1000);
  reporting = (await deployTrading(hub, reporter.keygen)).body.deployment_id;
  await report(hub, 'Deployment Started', reporting);
  scans = new ScannedFeed(hub, 'next');
  await scans.scanner(['AAPL']);
  hookToken = await makeHook();
  tradeSecured = await securedTrader(hub, alpaca, call);
  const { strategy_id } = await ruleTrader(hub, { user_id, symbol: 'TSLA' });
  await setState(hub, user_id, strategy_id, 1);
  const { user_key = '' } = (await findUser(hub.runtime.store, user_id)) ?? {};
  recorded = { user_id, strategy_id: String(strategy_id), user_key };
  await leaveForGood();
  await everything();
});
afterAll(async () => {
  process.env = environment;
  await hub.close();
  await kms.close();
  await alpaca.close();
});

describe('items of the next version', () => {
  let before: Item[];

  test('exist for every entity whose items are overwritten', async () => {
    const there = new Set((await itemsOf(hub)).map(({ entity }) => entity));
    expect([...declared()].filter((name) => !there.has(name) && !WRITTEN_ONCE.has(name))).toEqual([]);
  });

  test('keep unknown fields through every operation that rewrites them', async () => {
    before = await rewriteAsNext(hub);
    answers.length = 0;
    await everything();
    const after = new Map((await itemsOf(hub)).map((item) => [`${item.pk} ${item.sk}`, item]));
    const lost = before.flatMap((item) => {
      const now = after.get(`${item.pk} ${item.sk}`);
      return now ? lostIn(item, now, String(item.entity)) : [];
    });
    expect([...new Set(lost)]).toEqual([]);
    const rewritten = before.filter((item) => {
      const now = after.get(`${item.pk} ${item.sk}`);
      return now && JSON.stringify(now) !== JSON.stringify(item);
    });
    expect(new Set(rewritten.map(({ entity }) => entity)).size).toBeGreaterThan(20);
  });

  test('are returned without unknown fields', async () => {
    const all = (await readAll(people.owner.user_id)).map(({ text }) => text);
    for (const text of [...answers, ...all]) expect(text).not.toContain(ADDED);
  });
});

/** Returns the enum fields of stored records. */
const ENUMS: [field: string, entity: string][] = [
  ['status', 'deployment'],
  ['phase', 'deployment'],
  ['stop_reason', 'deployment'],
  ['kind', 'deployment'],
  ['mode', 'deployment'],
  ['timeframe', 'deployment'],
  ['frequency', 'deployment'],
  ['timeframe', 'strategy'],
  ['direction', 'strategy'],
  ['asset_class', 'strategy'],
  ['asset_class', 'strategy_card'],
  ['timeframe', 'strategy_card'],
  ['kind', 'notification'],
  ['severity', 'notification'],
  ['deployment_type', 'notification'],
  ['plan', 'user'],
  ['plan_status', 'user'],
  ['asset_class', 'instrument'],
  ['state', 'track_record'],
  ['status', 'track_record'],
];

describe('an enum value that only the next version knows', () => {
  test.each(ENUMS)('is no fault of any reading: %s of a %s', async (field, entity) => {
    const items = (await itemsOf(hub)).filter((item) => item.entity === entity);
    const changed = items
      .filter((item) => field in item)
      .map((item) => ({ ...item, [field]: 'from_the_next_version' }));
    expect(changed.length).toBeGreaterThan(0);
    for (const item of changed) await putItem(hub, item);
    hub.log.length = 0;
    for (const { status, text } of await readAll(people.owner.user_id)) {
      expect([status < 500, hub.log.filter(({ level }) => level === 'error')]).toEqual([true, []]);
      expect(text).not.toContain('from_the_next_version');
    }
    for (const item of items) await putItem(hub, item);
  });

  test('stays stored through a write, and is shown as a known one', async () => {
    const items = await itemsOf(hub);
    const stored = items.find(
      ({ entity, deployment_id }) => entity === 'deployment' && deployment_id === notifying,
    );
    await putItem(hub, { ...stored, status: 'dormant', channels: ['push', 'pager'] });
    await report(hub, 'Signal Raised', notifying, {
      symbol: 'AAPL',
      side: 'sell',
      price: 9,
      title: 'a',
      body: 'b',
    });
    const now = (await itemsOf(hub)).find(({ pk, sk }) => pk === stored?.pk && sk === stored?.sk);
    expect(now).toMatchObject({
      status: 'dormant',
      channels: ['push', 'pager'],
      last_signal: { side: 'sell' },
    });
    const { body } = await hub.call('GET /get_all_notification_deployments', {
      query: { user_id: people.owner.user_id },
    });
    expect(body.items[0]).toMatchObject({ status: 'halted', channels: ['push'] });
  });
});

describe('a message of the next version', () => {
  test.each([
    ['type', { 'detail-type': 'Margin Called' }],
    ['version', { detail: { version: 2 } }],
  ])(
    'an event of an unknown %s waits in the outbox, and is taken by the version that knows it',
    async (_what, more) => {
      const known = engineEvent(hub, 'Quote Marked', live, { symbol: 'AAPL', price: 123 });
      const event = { ...known, ...more, detail: { ...known.detail, ...('detail' in more && more.detail) } };
      await takeOrKeepEvent(hub.runtime, event);
      await takeOrKeepEvent(hub.runtime, event);
      const waiting = (await outbox(hub)).filter(({ message }) => message?.kind === 'execution_event');
      expect(waiting).toHaveLength(1);
      const [{ delivery_id } = { delivery_id: '' }] = waiting;
      for (let minute = 0; minute < 30; minute++) {
        hub.advance(MINUTE + 1000);
        expect(await runJob(hub.runtime, { job: 'sweep-events' })).toMatchObject({ done: 1 });
      }
      const kept = (await itemsOf(hub)).find((item) => item.delivery_id === delivery_id);
      expect(kept).toMatchObject({ attempts: 30, message: { kind: 'execution_event' } });
      // The next version knows the event and applies it.
      const understood = { kind: 'execution_event', event: JSON.stringify(known) };
      await putItem(hub, { ...kept, message: understood });
      hub.advance(MINUTE + 1000);
      await runJob(hub.runtime, { job: 'sweep-events' });
      expect((await itemsOf(hub)).some((item) => item.delivery_id === delivery_id)).toBe(false);
    },
  );

  test('a schedule of an unknown job is left to that version', async () => {
    const report = await runJobOf(hub.runtime, [], { job: 'settle-margins' }, () => 60_000);
    expect(report).toEqual({ done: 0, more: false });
    expect(hub.log.at(-1)).toMatchObject({ level: 'warn', extra: { job: 'settle-margins' } });
  });
});

/** Returns an item as text, with packed records as their text. */
const textOf = (item: Item): string =>
  JSON.stringify(item, (_, value: unknown) => {
    if (value instanceof Set) return [...value];
    if (!(value instanceof Uint8Array)) return value;
    try {
      return JSON.stringify(unpackJson(value));
    } catch {
      return Buffer.from(value).toString('latin1');
    }
  });

/** Returns the items that hold one of the texts. */
const itemsWith = async (texts: readonly string[]): Promise<Item[]> =>
  (await itemsOf(hub)).filter((item) => {
    const text = textOf(item).toLowerCase();
    return texts.some((one) => text.includes(one.toLowerCase()));
  });

/** Runs the job until no deletion is left. */
const finishDeletions = async (): Promise<void> => {
  const { store, clock } = hub.runtime;
  const later = (): Date => new Date(clock().getTime() + DAY);
  const fail = (error: unknown): never => {
    throw error;
  };
  const isLeft = async (): Promise<boolean> =>
    (await findDueDeletions(store, later(), 1)).length + (await findSweeping(store, 1, fail)).length > 0;
  while (await isLeft()) {
    await runJob(hub.runtime, { job: 'expire-deployments' });
    await runJob(hub.runtime, { job: 'delete-accounts' });
    hub.advance(5 * MINUTE);
  }
};

describe('after a life of everything the product can do', () => {
  const namesOf = async (user_id: string, name: string): Promise<string[]> => {
    const user = await findUser(hub.runtime.store, user_id);
    if (!user) throw new Error('the user is gone');
    return [user_id, user.user_key, user.email, user.referral_code, name];
  };

  test('an export holds every record that names the user, and no secret', async () => {
    const { user_id } = people.owner;
    const user = await findUser(hub.runtime.store, user_id);
    if (!user) throw new Error('the user is gone');
    const records: ExportedRecord[] = [];
    const { leftOut } = await exportAccount(hub.runtime.store, accountOf(user), async (record) => {
      records.push(record);
    });
    const kinds = new Set(records.map(({ kind }) => kind));
    const named = await itemsWith(await namesOf(user_id, OWNER_NAME));
    expect(named.map(({ entity }) => String(entity)).filter((entity) => !kinds.has(entity))).toEqual([]);
    for (const kind of ['user', 'strategy', 'deployment', 'order', 'trade', 'notification', 'audit_entry']) {
      expect(kinds).toContain(kind);
    }
    expect(records.find(({ kind }) => kind === 'order')?.record).toMatchObject({ symbol: 'AAPL' });
    const text = JSON.stringify(records);
    for (const secret of [people.owner.keygen, 'argon2', `token-${'y'.repeat(140)}`]) {
      expect(text).not.toContain(secret);
    }
    expect(leftOut).toEqual(expect.arrayContaining(['password_hash', 'keygen', 'push_key']));
  });

  /** Deletes an account, with a job that dies after some writes, at other places each time. */
  const erase = async (user_id: string): Promise<void> => {
    const { store } = hub.runtime;
    const user = await findUser(store, user_id);
    if (!user) throw new Error('the user is gone');
    await requestDeletion(hub.runtime, { user, by: 'operator' });
    for (let writes = 1; writes <= 40; writes += 6) {
      const dying = { ...hub.runtime, store: new DyingStore(store, writes, false) };
      await runJob(dying, { job: 'delete-accounts' }).catch(() => undefined);
      hub.advance(2 * MINUTE);
    }
    hub.log.length = 0;
    await finishDeletions();
    expect(hub.log.filter(({ level }) => level === 'error')).toEqual([]);
  };

  const auditEntries = async (): Promise<number> =>
    (await itemsOf(hub)).filter(({ entity }) => entity === 'audit_entry').length;

  const listOf = async (route: string, query: Readonly<Record<string, string>>) =>
    (await call(route, { query })).body.items;

  test('a deleted account leaves no trace of its user, and what others own', async () => {
    const { owner, fan } = people;
    const { store } = hub.runtime;
    const names = await namesOf(owner.user_id, OWNER_NAME);
    const { deployments, backtests, sweeps } = await findHoldings(store, owner);
    const audits = await auditEntries();
    const copies = await listOf('GET /get_strategies_by_user', { user_id: fan.user_id, is_copied: '1' });
    await erase(owner.user_id);

    expect((await itemsWith(names)).map(textOf)).toEqual([]);
    const ids = new Set([...deployments, ...backtests, ...sweeps].map(String));
    const ofHoldings = (await itemsOf(hub)).filter(({ pk }) => {
      const [kind, id] = String(pk).split('#');
      return kind !== 'AUDIT_OF' && ids.has(String(id));
    });
    expect(ofHoldings).toEqual([]);
    // The stops of the deletion are in the trail, too.
    expect(await auditEntries()).toBeGreaterThanOrEqual(audits);
    expect(copies.length).toBeGreaterThan(0);
    expect(await listOf('GET /get_strategies_by_user', { user_id: fan.user_id, is_copied: '1' })).toEqual(
      copies,
    );
    expect(await listOf('GET /get_explore_strategies', { user_id: fan.user_id })).toEqual([]);
    expect((await hub.call('GET /get_sweeps', { query: { user_id: owner.user_id } })).status).toBe(404);
  });

  test('the account of a user with sessions, an identity and a broker is deleted, too', async () => {
    const { fan } = people;
    const { store } = hub.runtime;
    await store.transact([identityWrite({ issuer: 'https://idp.example', subject: 'fan' }, fan.user_id)]);
    const names = await namesOf(fan.user_id, FAN_NAME);
    await erase(fan.user_id);
    expect((await itemsWith(names)).map(textOf)).toEqual([]);
    const report = await runJob(hub.runtime, { job: 'reconcile-lists', by_hand: true });
    const repairs = Object.entries(report.round?.counts ?? {}).filter(([name]) => !name.endsWith('checked'));
    expect(repairs).toEqual([]);
    // The e-mail is free again.
    expect((await signUp(hub, { email: fan.email })).status).toBe(200);
  });
});
