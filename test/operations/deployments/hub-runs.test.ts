import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseListEntries } from '../../../shared/data/books/list-entries.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import { asDeployment, findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { asDeploymentSetup } from '../../../shared/data/engine/setups.ts';
import { connectionWrite, type ExecutionConnection } from '../../../shared/data/execution/connections.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { asUser } from '../../../shared/data/users/users.ts';
import { sliceBars } from '../../../shared/domain/candles/bars.ts';
import { HUB_SOURCE } from '../../../shared/domain/deployments/event-source.ts';
import { DAILY, sessionBars } from '../../support/candles.ts';
import { takeEvent } from '../../support/functions/execution-events.ts';
import { type Response, startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { bearer, outbox, signUp } from '../../support/people.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules } from '../../support/rules.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import {
  deployTrading,
  engineEvent,
  enterAll,
  report,
  reportOrder,
  trader,
  undeployTrading,
} from '../../support/trading.ts';

const BARS = sessionBars('2015-01-05', 60);
const LAST = BARS.start[59] ?? 0;
const MANY = ['SPY', 'AAPL', 'MSFT', 'TSLA', 'EURUSD', 'GBPUSD', 'AUDUSD', 'XAUUSD', 'COPPER', 'NZDUSD'];

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, [...MANY, 'USDJPY', 'USDCHF']);
  await importBars(hub.runtime.store, DAILY, BARS);
});
afterAll(() => hub.close());
beforeEach(() => hub.advance(1000));

const stored = async (id: number) => {
  const [deployment, setup] = await hub.runtime.store.getMany([
    keys.deployment(id),
    keys.deploymentSetup(id),
  ]);
  return { deployment: asDeployment(deployment), setup: asDeploymentSetup(setup)?.setup };
};

/** Returns the events that a deployment left for the bus. */
const eventsOf = async (id: number): Promise<string[]> =>
  (await outbox(hub)).flatMap(({ message }) =>
    message?.kind === 'domain_event' && message.detail.deployment_id === id ? message.detail_type : [],
  );

/** Returns the notifications that a deployment left for its owner, with the channels by which they leave. */
const newsOf = async (id: number) =>
  (await outbox(hub))
    .flatMap(({ message }) => (message?.kind === 'live_entries' ? parseListEntries(message) : []))
    .filter(({ deployment_id }) => deployment_id === id)
    .flatMap(({ notifications, channels }) =>
      notifications.map(({ created_at }) => ({ created_at, channels })),
    )
    .sort((left, right) => (left.created_at < right.created_at ? -1 : 1));

/** Returns an account at a broker, by default a connected one without money. */
const connectionOf = (
  { runtime }: TestHub,
  user_id: string,
  more: Partial<ExecutionConnection>,
): ExecutionConnection => ({
  connection_id: 'c-1',
  user_id,
  adapter: 'alpaca',
  environment: 'paper',
  account_id: 'A-1',
  currency: 'USD',
  status: 'connected',
  sealed: new Uint8Array([1]),
  connected_at: runtime.clock().toISOString(),
  status_at: runtime.clock().toISOString(),
  due_at: 0,
  ...more,
});

const refusal = ({ status, body }: Response) => [status, body.code ?? body.detail];

/** Reports as the hub's own engine does. */
const hubReport = (type: string, id: number, detail: Readonly<Record<string, unknown>>) =>
  takeEvent(hub.runtime, { ...engineEvent(hub, type, id, detail), source: HUB_SOURCE });

describe('a strategy with rules', () => {
  test('is deployed a limited number of times a day', async () => {
    const { user_id, keygen } = await ruleTrader(hub);
    const deployOnce = async () => {
      const { status, body } = await deployTrading(hub, keygen);
      if (status === 200) await undeployTrading(hub, user_id, body.deployment_id);
      return status === 200 ? status : [status, body.code];
    };
    const startsOf = async () => asUser((await hub.runtime.store.getMany([keys.user(user_id)]))[0])?.starts;
    const day = hub.runtime.clock().toISOString().slice(0, 10);
    expect([await deployOnce(), await startsOf()]).toEqual([200, { day, count: 1 }]);
    const known = (starts: Readonly<Record<string, unknown>>) =>
      hub.runtime.store.transact([{ key: keys.user(user_id), set: { starts } }]);
    await known({ day, count: 49 });
    expect([await deployOnce(), await deployOnce()]).toEqual([200, [409, 'quota_reached']]);
    expect(await startsOf()).toEqual({ day, count: 50 });
    await known({ day: '2020-01-01', count: 50 });
    expect(await deployOnce()).toBe(200);
  });

  test('is deployed on paper for the engine of the hub, which starts after the newest stored bar', async () => {
    const { user_id, keygen } = await ruleTrader(hub);
    hub.takeCalls();
    const { status, body } = await deployTrading(hub, keygen, {
      commission_rate: '0.001',
      spread_rate: '0.0002',
      margin: '0.5',
      maintenance: '0.05',
      size_step: '0.01',
      financing: 'instrument',
      fill_at: 'signal_close',
    });
    expect([status, hub.takeCalls().length]).toEqual([200, 3]);
    expect(body).toMatchObject({ engine: 'hub', status: 'requested', currency: 'USD' });
    const id = body.deployment_id as number;
    const { setup, deployment } = await stored(id);
    expect(setup).toMatchObject({
      timeframe: '1d',
      from: LAST + 1,
      read_from: BARS.start[0],
      currency: 'USD',
      account: {
        starting_capital: 10_000,
        commission_rate: 0.001,
        commission_fixed: 0,
        spread_rate: 0.0002,
        margin: 0.5,
        maintenance: 0.05,
        financing: 'instrument',
        fill_at: 'signal_close',
        stop_basis: 'fill',
        entry_bar: 'worst',
        close_at_end: 'mark',
      },
      legs: [
        {
          symbol: 'SPY',
          share: 1,
          source: '1d',
          calendar: 'us',
          asset_class: 'equity',
          size_step: 0.01,
          direction: 'long',
          swap: {},
        },
      ],
    });
    // The books begin in the time of the bars.
    expect(deployment).toMatchObject({ engine: 'hub', updated_at: new Date(LAST + 1).toISOString() });
    expect(await eventsOf(id)).toEqual(['Engine Deployment Requested']);
    const { items } = (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } })).body;
    expect(items).toMatchObject([{ deployment_id: id, engine: 'hub' }]);
  });

  test('without stored candles starts now, by the calendar of the catalogue', async () => {
    const { keygen } = await ruleTrader(hub, { symbol: 'EURUSD,GBPUSD', timeframe: '1h' });
    const now = hub.runtime.clock().getTime();
    const { body } = await deployTrading(hub, keygen);
    const { setup } = await stored(body.deployment_id);
    expect(setup).toMatchObject({
      from: now,
      read_from: now,
      legs: [
        { symbol: 'EURUSD', share: 0.5, source: '1h', calendar: 'forex', contract_size: 100_000 },
        { symbol: 'GBPUSD', share: 0.5, source: '1h', calendar: 'forex', contract_size: 100_000 },
      ],
    });
  });

  test('refuses terms of the account as a backtest does', async () => {
    const { keygen } = await ruleTrader(hub);
    const { status, body } = await deployTrading(hub, keygen, {
      commission_rate: '1.5',
      margin: '0',
      maintenance: '2',
      fill_at: 'soon',
      entry_bar: 'best',
      slippage_rate: 'much',
    });
    expect(status).toBe(422);
    expect(
      body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc.join('.'), type]),
    ).toEqual([
      ['body.commission_rate', 'value_error.number.not_le'],
      ['body.slippage_rate', expect.any(String)],
      ['body.margin', 'value_error.number.not_gt'],
      ['body.maintenance', 'value_error.number.not_le'],
      ['body.fill_at', 'type_error.enum'],
      ['body.entry_bar', 'type_error.enum'],
    ]);
    expect((await deployTrading(hub, keygen, { starting_capital: '1e300' })).status).toBe(422);
    expect((await deployTrading(hub, keygen, { starting_capital: '0.000000001' })).status).toBe(422);
  });

  test('places real orders on a connected account only, of an instrument that its adapter trades', async () => {
    const { user_id, access_token } = (await signUp(hub)).body;
    const { keygen } = await ruleTrader(hub, { user_id });
    const session = bearer(access_token);
    const live = (more: Readonly<Record<string, string>> = {}) =>
      deployTrading(hub, keygen, { mode: 'live', ...more }, session);
    expect(refusal(await deployTrading(hub, keygen, { mode: 'live' }))).toEqual([401, 'session_required']);
    expect(refusal(await live())).toEqual([409, 'broker_unconnected']);
    expect(refusal(await live({ account_id: 'A-1' }))).toEqual([409, 'broker_unconnected']);
    const connect = (status: 'connected' | 'refused') =>
      hub.runtime.store.transact([connectionWrite(connectionOf(hub, user_id, { status }))]);
    await connect('refused');
    expect(refusal(await live({ account_id: 'A-1' }))).toEqual([409, 'broker_unconnected']);
    await connect('connected');
    const foreign = await ruleTrader(hub, { user_id, symbol: 'EURUSD' });
    const forex = { mode: 'live', account_id: 'A-1' };
    expect(refusal(await deployTrading(hub, foreign.keygen, forex, session))).toEqual([
      409,
      'strategy_unsuitable',
    ]);
    hub.takeCalls();
    const { status, body } = await live({ account_id: 'A-1' });
    expect([status, hub.takeCalls().length]).toEqual([200, 4]);
    expect(body).toMatchObject({ mode: 'live', account_id: 'A-1' });
    const [deployment] = await findDeployments(hub.runtime.store, [body.deployment_id]);
    expect(deployment).toMatchObject({
      engine: 'hub',
      execution: { adapter: 'alpaca', source: 'strategy-hub.alpaca', account: 'A-1' },
    });
  });

  test('shows figures of an account without money as those of paper', async () => {
    const { user_id, access_token } = (await signUp(hub)).body;
    const { keygen, strategy_id } = await ruleTrader(hub, { user_id });
    const session = bearer(access_token);
    const trade = async (environment: 'paper' | 'live') => {
      const connection = connectionOf(hub, user_id, { environment, account_id: environment });
      await hub.runtime.store.transact([connectionWrite(connection)]);
      const form = { mode: 'live', account_id: environment };
      const id: number = (await deployTrading(hub, keygen, form, session)).body.deployment_id;
      // Reports of an engine outside need no request before.
      await hub.runtime.store.transact([{ key: keys.deployment(id), set: { engine: 'external' } }]);
      await report(hub, 'Deployment Started', id);
      await reportOrder(hub, id, { client_order_id: 'in' });
      hub.advance(1000);
      await reportOrder(hub, id, { client_order_id: 'out', side: 'sell' });
      await enterAll(hub);
      const query = { user_id, strategy_ids: String(strategy_id) };
      return (await hub.call('GET /get_strategies_performance_metrics', { query })).body.metrics[0];
    };
    expect(await trade('paper')).toMatchObject({ mode: 'virtual', trades_count: 1 });
    expect(await trade('live')).toMatchObject({ mode: 'live', trades_count: 1 });
    expect(await trade('paper')).toMatchObject({ mode: 'live', trades_count: 1 });
  });

  test('needs symbols of its currency, and at most nine', async () => {
    const { keygen } = await ruleTrader(hub, { symbol: 'USDJPY' });
    const foreign = await deployTrading(hub, keygen, { engine_rates: 'true' });
    expect(foreign.status).toBe(422);
    expect(foreign.body.detail[0].msg).toBe('USDJPY is quoted in JPY, not in USD; deploy it in JPY');
    expect((await deployTrading(hub, keygen, { currency: 'JPY' })).status).toBe(200);
    const many = await ruleTrader(hub, { symbol: MANY.join(',') });
    const refused = await deployTrading(hub, many.keygen);
    expect([refused.status, refused.body.detail[0].type]).toEqual([422, 'value_error.list.max_items']);
    hub.takeCalls();
    const nine = await deployTrading(hub, many.keygen, { symbols: MANY.slice(0, 9).join(',') });
    expect([nine.status, hub.takeCalls().length]).toEqual([200, 3]);
  });

  test('runs as notifications and as a scanner as well', async () => {
    const { keygen } = await ruleTrader(hub);
    const told = await hub.call('POST /deploy_notification_strategy', {
      query: { keygen },
      form: { timeframe: '1w' },
    });
    expect(told.body).toMatchObject({ engine: 'hub', timeframe: '1w' });
    const { setup } = await stored(told.body.deployment_id);
    expect(setup).toMatchObject({ timeframe: '1w', legs: [{ symbol: 'SPY', source: '1d' }] });
    expect(await eventsOf(told.body.deployment_id)).toEqual(['Engine Deployment Requested']);
    const scanner = await hub.call('POST /deploy_scanner', {
      query: { keygen, universe_id: 'forex-majors' },
    });
    expect(scanner.body).toMatchObject({ engine: 'hub', universe_id: 'forex-majors' });
    expect((await stored(scanner.body.deployment_id)).setup).toMatchObject({ timeframe: '1d', legs: [] });
  });

  test('needs a timeframe that its operands are made from', async () => {
    const rules = crossRules(2, { param: 'slow' }, { params: { slow: { default: 4, min: 2, max: 9 } } });
    const weekly = {
      ...rules,
      exits: [
        {
          side: 'long',
          when: {
            left: { price: 'close' },
            op: 'lt',
            right: { indicator: 'sma', length: 3, timeframe: '1w' },
          },
        },
      ],
    };
    const { keygen } = await ruleTrader(hub, { rules: weekly });
    const deployed = (form: Readonly<Record<string, string>>) =>
      hub.call('POST /deploy_notification_strategy', { query: { keygen }, form });
    expect((await deployed({ timeframe: '1w' })).status).toBe(200);
    const daily = {
      ...rules,
      exits: [
        {
          ...weekly.exits[0],
          when: {
            left: { price: 'close' },
            op: 'lt',
            right: { indicator: 'sma', length: 3, timeframe: '1d' },
          },
        },
      ],
    };
    const own = await ruleTrader(hub, { rules: daily });
    const refused = await hub.call('POST /deploy_notification_strategy', {
      query: { keygen: own.keygen },
      form: { timeframe: '1w' },
    });
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'timeframe']]);
  });

  test('scans minutes only under a plan that allows it', async () => {
    const { keygen } = await ruleTrader(hub, { timeframe: '5m' });
    const refused = await hub.call('POST /deploy_scanner', {
      query: { keygen, universe_id: 'forex-majors' },
    });
    expect(refusal(refused)).toEqual([409, 'quota_reached']);
  });
});

test('a strategy without rules refuses terms of an account', async () => {
  const { keygen } = await trader(hub);
  const { status, body } = await deployTrading(hub, keygen, { commission_rate: '0', margin: '0.5' });
  expect(status).toBe(422);
  expect(body.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual(['commission_rate', 'margin']);
  const plain = await deployTrading(hub, keygen);
  expect(plain.body.engine).toBe('external');
  expect((await stored(plain.body.deployment_id)).setup).toBeUndefined();
});

describe('a deployment that the hub runs', () => {
  const deployed = async () => {
    const owner = await ruleTrader(hub);
    const { body } = await deployTrading(hub, owner.keygen);
    return { ...owner, id: body.deployment_id as number };
  };
  const at = (days: number) => new Date(LAST + days * 86_400_000).toISOString();
  const bought = {
    client_order_id: 'SPY:1:e0',
    sequence: 1,
    symbol: 'SPY',
    side: 'buy',
    order_type: 'market',
    quantity: '10',
    status: 'filled',
    filled_quantity: '10',
    average_price: '100',
    fees: '0',
  };
  const shown = async (user_id: string) =>
    (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } })).body.items[0];

  test('takes no reports from outside', async () => {
    const { id } = await deployed();
    await expect(takeEvent(hub.runtime, engineEvent(hub, 'Deployment Started', id))).rejects.toThrow(
      'the hub runs the deployment and takes no reports on it',
    );
    await expect(takeEvent(hub.runtime, engineEvent(hub, 'Order Updated', id, bought))).rejects.toThrow(
      'the hub runs the deployment',
    );
  });

  test('lives in the time of its bars', async () => {
    const { user_id, id } = await deployed();
    await hubReport('Deployment Started', id, { occurred_at: at(1) });
    await hubReport('Order Updated', id, { ...bought, occurred_at: at(2) });
    expect(await shown(user_id)).toMatchObject({
      status: 'active',
      started_at: at(1),
      updated_at: at(2),
      positions: [{ symbol: 'SPY', quantity: 10 }],
    });
    const news = await newsOf(id);
    expect(news.map(({ created_at }) => created_at)).toEqual([at(1), at(2)]);
    // The bars closed years ago.
    expect(news.map(({ channels }) => channels)).toEqual([[], []]);
  });

  test('sends a limited number of e-mails a day', async () => {
    const { user_id, keygen } = await ruleTrader(hub);
    await hub.runtime.store.transact([
      {
        key: keys.user(user_id),
        update: 'SET email_verified = :yes',
        condition: 'attribute_exists(pk)',
        values: { ':yes': true },
      },
    ]);
    const form = { channels: 'email' };
    const { body } = await hub.call('POST /deploy_notification_strategy', { query: { keygen }, form });
    const id = body.deployment_id as number;
    await hubReport('Deployment Started', id, {});
    const count = async (): Promise<number> =>
      (await outbox(hub)).filter(({ message }) => message?.kind === 'notification_mail').length;
    const sent = { day: hub.runtime.clock().toISOString().slice(0, 10), email: 99, sms: 0 };
    await hub.runtime.store.transact([
      {
        key: keys.deployment(id),
        update: 'SET sent = :sent',
        condition: 'attribute_exists(pk)',
        values: { ':sent': sent },
      },
    ]);
    const before = await count();
    for (const title of ['First', 'Second', 'Third']) {
      await hubReport('Signal Raised', id, { symbol: 'SPY', side: 'buy', price: 1, title, body: title });
    }
    expect((await count()) - before).toBe(1);
    expect((await stored(id)).deployment).toMatchObject({ sent: { email: 100 }, signals_count: 3 });
    // News of its status still leave.
    await hubReport('Deployment Error', id, { message: 'broken' });
    expect((await count()) - before).toBe(2);
  });

  test('tells of new bars by its channels', async () => {
    const { id } = await deployed();
    const now = hub.runtime.clock().toISOString();
    await hubReport('Deployment Started', id, { occurred_at: now });
    expect(await newsOf(id)).toMatchObject([{ created_at: now, channels: ['push'] }]);
  });

  test('ends with a message to its engine, at the time of its newest bar', async () => {
    const { user_id, id } = await deployed();
    await hubReport('Deployment Started', id, { occurred_at: at(0) });
    const more = sessionBars('2015-01-05', 61);
    await appendBars(hub.runtime.store, DAILY, sliceBars(more, 60, 61));
    hub.advance(1000);
    hub.takeCalls();
    const { status, body } = await undeployTrading(hub, user_id, id);
    expect([status, body.status, hub.takeCalls().length]).toEqual([200, 'stopped', 3]);
    expect(body.stopped_at).toBe(hub.runtime.clock().toISOString());
    const { deployment } = await stored(id);
    expect(deployment).toMatchObject({
      status: 'stopped',
      updated_at: new Date(more.start[60] ?? 0).toISOString(),
    });
    expect(await eventsOf(id)).toEqual(['Engine Deployment Requested', 'Engine Deployment Ended']);
  });

  test('expires by the clock, with a message to its engine', async () => {
    const { user_id, keygen } = await ruleTrader(hub);
    const expires_at = new Date(hub.runtime.clock().getTime() + 60_000).toISOString();
    const { deployment_id: id } = (await deployTrading(hub, keygen, { expires_at })).body;
    hub.advance(120_000);
    await runJob(hub.runtime, { job: 'expire-deployments' });
    expect(await eventsOf(id)).toEqual(['Engine Deployment Requested', 'Engine Deployment Ended']);
    const { items } = (await hub.call('GET /get_live_expired_strategies_v2', { query: { user_id } })).body;
    expect(items).toMatchObject([{ deployment_id: id, engine: 'hub', status: 'expired' }]);
  });
});
