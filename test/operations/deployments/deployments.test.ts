import { beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import * as z from 'zod';
import { keys } from '../../../shared/data/table/keys.ts';
import { findDueExpiries } from '../../../shared/lifecycle/expiry.ts';
import { takeEvent } from '../../support/functions/execution-events.ts';
import { runJob } from '../../support/jobs.ts';
import { openHub } from '../../support/open-hub.ts';
import { outbox, register, registerUnproven, sentCode, signUp } from '../../support/people.ts';
import { soakable } from '../../support/soak.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';

const DAY = 24 * 3_600_000;

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(1000));

const deploy = (keygen: string, form: Record<string, string> = {}) =>
  hub.call('POST /deploy_notification_strategy', { query: { keygen }, form });
const scan = (keygen: string, universe_id = 'forex-majors') =>
  hub.call('POST /deploy_scanner', { query: { keygen, universe_id } });
const undeploy = (
  user_id: string,
  id: number,
  kind: 'notification_strategy' | 'scanner' = 'notification_strategy',
) => hub.call(`POST /undeploy_${kind}`, { query: { user_id, deployment_id: String(id) } });
const deployments = (user_id: string, page: Record<string, string> = {}) =>
  hub.call('GET /get_all_notification_deployments', { query: { user_id, ...page } });
const notifications = (user_id: string, page: Record<string, string> = {}) =>
  hub.call('GET /get_deployment_notifications', { query: { user_id, ...page } });
const read = (user_id: string) => hub.call('POST /read_deployment_notifications', { query: { user_id } });

const event = (type: string, deployment_id: number, detail: Record<string, unknown> = {}) => ({
  id: 'e-1',
  'detail-type': type,
  source: 'engine',
  detail: { version: 1, deployment_id, occurred_at: hub.runtime.clock().toISOString(), ...detail },
});
const report = (type: string, deployment_id: number, detail: Record<string, unknown> = {}) =>
  takeEvent(hub.runtime, event(type, deployment_id, detail));
const signal = (deployment_id: number, more: Record<string, unknown> = {}) =>
  report('Signal Raised', deployment_id, {
    symbol: 'AAPL',
    side: 'buy',
    price: 101.5,
    title: 'Buy AAPL',
    body: 'It crossed.',
    ...more,
  });

const trader = async (more: Parameters<typeof build>[1] | object = {}) => {
  const { user_id } = (await register(hub)).body;
  const { body } = await build(hub, { user_id, ...more });
  return { user_id, keygen: body.keygen as string, strategy_id: body.strategy_id as number };
};

describe('a notification deployment', () => {
  test('is created with the deploy key, announced to the engines, and ended by its owner', async () => {
    const { user_id, keygen, strategy_id } = await trader({ symbol: 'AAPL,MSFT' });
    hub.takeCalls();
    const { status, body } = await deploy(keygen, {
      symbol: 'msft',
      timeframe: '15m',
      frequency: 'once_per_bar',
    });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      strategy_id,
      type: 'notification',
      symbol: 'MSFT',
      timeframe: '15m',
      status: 'requested',
      phase: 'waiting',
      channels: ['push'],
      signals_count: 0,
      unread_count: 0,
      stop_reason: null,
    });
    const events = (await outbox(hub))
      .map(({ message }) => message)
      .filter((message) => message?.kind === 'domain_event');
    expect(events.at(-1)).toMatchObject({
      detail_type: 'Deployment Requested',
      detail: { deployment_id: body.deployment_id, symbols: ['MSFT'] },
    });
    expect(JSON.stringify(events)).not.toContain(user_id);
    hub.takeCalls();
    expect((await deployments(user_id)).body).toMatchObject({ total: 1, items: [body] });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    hub.takeCalls();
    expect((await undeploy(user_id, body.deployment_id)).body).toMatchObject({
      status: 'stopped',
      stop_reason: 'user',
    });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    const again = await undeploy(user_id, body.deployment_id);
    expect([again.status, again.body.code]).toEqual([409, 'state_conflict']);
    const strategies = await hub.call('GET /get_strategies_by_user', { query: { user_id } });
    // Only users of copies count.
    expect(strategies.body.items[0].deployment_count).toBe(0);
  });

  test('of another user is answered like an unknown one', async () => {
    const [owner, other] = [await trader(), await trader()];
    const { body } = await deploy(owner.keygen);
    const [theirs, unknown] = [
      await undeploy(other.user_id, body.deployment_id),
      await undeploy(other.user_id, 5),
    ];
    expect([theirs.status, theirs.text]).toEqual([404, unknown.text]);
    expect((await undeploy(owner.user_id, body.deployment_id, 'scanner')).status).toBe(404);
    for (const key of ['k_zzz_0123456789abcdef', `${owner.keygen.slice(0, -3)}AAA`, 'nonsense', '']) {
      expect((await deploy(key)).body.code).toBe('strategy_unknown');
    }
  });

  test.each([
    [{ channels: 'push,pigeon' }, ['body', 'channels']],
    [{ expires_at: 'tomorrow' }, ['body', 'expires_at']],
    [{ expires_at: '2020-01-01T00:00:00Z' }, ['body', 'expires_at']],
    [{ symbol: 'TSLA' }, ['body', 'symbol']],
    [{ timeframe: '7m' }, ['body', 'timeframe']],
    [{ frequency: 'often' }, ['body', 'frequency']],
  ])('refuses %j', async (form, loc) => {
    const { keygen, user_id } = await trader();
    const { status, body } = await deploy(keygen, form);
    expect([status, body.detail[0].loc]).toEqual([422, loc]);
    expect((await deployments(user_id)).body.total).toBe(0);
  });

  test('needs channels that reach its owner', async () => {
    const { user_id } = (await registerUnproven(hub)).body;
    const { keygen } = (await build(hub, { user_id })).body;
    for (const channels of ['email', 'sms,push']) {
      const { status, body } = await deploy(keygen, { channels });
      expect([status, body.code]).toEqual([409, 'channel_unavailable']);
    }
  });

  test('counts in the plan, also when many are created at once, and frees its place when it ends', async () => {
    const { user_id, keygen } = await trader();
    const answers = await Promise.all(Array.from({ length: 9 }, () => deploy(keygen)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(200),
      ...Array(4).fill(409),
    ]);
    expect((await scan(keygen)).body.code).toBe('quota_reached');
    const [first] = answers.filter(({ status }) => status === 200);
    await undeploy(user_id, first?.body.deployment_id);
    expect((await scan(keygen)).status).toBe(200);
  });

  test('expires in time, once, with a notification', async () => {
    const { user_id, keygen } = await trader();
    const expires_at = new Date(hub.runtime.clock().getTime() + DAY).toISOString();
    const { body } = await deploy(keygen, { expires_at });
    await runJob(hub.runtime, { job: 'expire-deployments' });
    expect((await deployments(user_id)).body.items[0].status).toBe('requested');
    hub.advance(DAY);
    await Promise.all([
      runJob(hub.runtime, { job: 'expire-deployments' }),
      runJob(hub.runtime, { job: 'expire-deployments' }),
    ]);
    expect((await deployments(user_id)).body.items[0]).toMatchObject({
      status: 'expired',
      stop_reason: 'expired',
      deployment_id: body.deployment_id,
    });
    expect((await notifications(user_id)).body).toMatchObject({
      total: 1,
      items: [{ kind: 'deployment_expired' }],
    });
    await Promise.all(Array.from({ length: 5 }, () => deploy(keygen)));
    expect((await deploy(keygen)).body.code).toBe('quota_reached');
  });

  test('that cannot be ended is retried later, and does not block others', async () => {
    const { user_id, keygen } = await trader();
    const expires_at = new Date(hub.runtime.clock().getTime() + DAY).toISOString();
    const id = (await deploy(keygen, { expires_at })).body.deployment_id;
    const { store } = hub.runtime;
    const name = (strategy_name: unknown) =>
      store.update(
        keys.deployment(id),
        { update: 'SET strategy_name = :name', values: { ':name': strategy_name } },
        z.object({}),
      );
    await name(7);
    hub.advance(DAY);
    const sweep = () => runJob(hub.runtime, { job: 'expire-deployments' });
    await expect(sweep()).rejects.toThrow('1 deployments failed');
    expect(await findDueExpiries(store, hub.runtime.clock(), 1)).toEqual([]);
    expect(await sweep()).toEqual({ done: 0, more: false });
    await name('Mended');
    hub.advance(10 * 60_000);
    expect(await sweep()).toEqual({ done: 1, more: false });
    expect((await deployments(user_id)).body.items[0]).toMatchObject({ status: 'expired' });
  });
});

describe('a scanner deployment', () => {
  test('watches a universe and shows its matches', async () => {
    const { user_id, keygen } = await trader({ symbol: 'EURUSD' });
    hub.takeCalls();
    const { status, body } = await scan(keygen);
    expect(hub.takeCalls()).toHaveLength(3);
    expect([status, body.universe_id]).toEqual([200, 'forex-majors']);
    await report('Scanner Matched', body.deployment_id, {
      matches: [{ symbol: 'EURUSD', price: 1.1 }, { symbol: 'USDJPY' }],
    });
    const listed = await hub.call('POST /get_scanner_deployments', { query: { user_id } });
    expect(listed.body.items[0]).toMatchObject({
      matches_count: 2,
      last_matches: [
        { symbol: 'EURUSD', price: 1.1 },
        { symbol: 'USDJPY', price: null },
      ],
    });
    expect((await notifications(user_id)).body.items[0]).toMatchObject({
      kind: 'scanner_match',
      deployment_type: 'scanner',
      body: 'EURUSD, USDJPY',
    });
    expect((await undeploy(user_id, body.deployment_id, 'scanner')).body.status).toBe('stopped');
  });

  test('needs a universe and a strategy over one instrument', async () => {
    const [one, several] = [await trader(), await trader({ symbol: 'AAPL,MSFT' })];
    expect((await scan(one.keygen, 'nowhere')).body.code).toBe('universe_unknown');
    expect((await scan(several.keygen)).body.code).toBe('strategy_unsuitable');
  });
});

describe('reports of engines', () => {
  test('update notifications, counts and the last signal', async () => {
    const { user_id, keygen } = await trader();
    const { body } = await deploy(keygen);
    await report('Deployment Started', body.deployment_id);
    hub.takeCalls();
    await signal(body.deployment_id);
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    const [shown] = (await deployments(user_id)).body.items;
    expect(shown).toMatchObject({
      status: 'active',
      signals_count: 1,
      unread_count: 2,
      last_signal: { side: 'buy', price: 101.5 },
    });
    const { items, total } = (await notifications(user_id)).body;
    expect(total).toBe(2);
    expect(items[0]).toMatchObject({
      kind: 'signal_buy',
      title: 'Buy AAPL',
      symbol: 'AAPL',
      is_read: false,
      read_at: null,
      arrived_at: hub.runtime.clock().toISOString(),
      deployment_id: body.deployment_id,
    });
  });

  test('are marked read together, and later ones are unread', async () => {
    const { user_id, keygen } = await trader();
    const { body } = await deploy(keygen);
    await signal(body.deployment_id);
    hub.takeCalls();
    expect((await read(user_id)).body).toEqual({
      marked_read: 1,
      read_at: hub.runtime.clock().toISOString(),
    });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    const first = hub.runtime.clock().toISOString();
    hub.advance(1000);
    expect((await read(user_id)).body.marked_read).toBe(0);
    await signal(body.deployment_id, { side: 'sell' });
    expect((await deployments(user_id)).body.items[0].unread_count).toBe(1);
    const { items } = (await notifications(user_id)).body;
    expect(items.map(({ is_read, read_at }: Record<string, unknown>) => [is_read, read_at])).toEqual([
      [false, null],
      [true, first],
    ]);
  });

  test('are sent on the chosen channels', async () => {
    const { body: user } = await signUp(hub, { ph_number: '+14155552671' });
    await hub.call('POST /send_otp_password_reset', { query: { email: user.email } });
    const otp = (await sentCode(hub, user.email)) ?? '';
    await hub.call('POST /reset_password', {
      query: { email: user.email, new_password: 'new password', otp },
    });
    const { body: made } = await build(hub, { user_id: user.user_id });
    const { body, status } = await deploy(made.keygen, { channels: 'email,push' });
    expect(status).toBe(200);
    await signal(body.deployment_id);
    const mails = (await outbox(hub)).filter(({ message }) => message?.kind === 'notification_mail');
    expect(mails.at(-1)?.message).toMatchObject({ to: user.email, title: 'Buy AAPL' });
  });

  test.each([
    ['every_signal', 3],
    ['once_per_bar', 2],
    ['once_per_day', 2],
  ])('are notified %s', async (frequency, count) => {
    const { user_id, keygen } = await trader({ timeframe: '1d' });
    const { body } = await deploy(keygen, { frequency });
    const day = Date.UTC(2026, 0, 5);
    for (const ms of [0, 3_600_000, DAY])
      await signal(body.deployment_id, { occurred_at: new Date(day + ms).toISOString() });
    expect((await notifications(user_id)).body.total).toBe(count);
    expect((await deployments(user_id)).body.items[0].signals_count).toBe(3);
  });

  /** Reports signals in this order, and returns the times of those that notify. */
  const notifiedOf = async (
    making: { readonly symbol: string; readonly timeframe: string },
    frequency: string,
    signals: readonly (readonly [at: string, symbol?: string])[],
  ) => {
    const { user_id, keygen } = await trader(making);
    const { body } = await deploy(keygen, { frequency });
    for (const [occurred_at, symbol = making.symbol] of signals)
      await signal(body.deployment_id, { occurred_at, symbol, title: `${occurred_at} ${symbol}` });
    expect((await deployments(user_id)).body.items[0].signals_count).toBe(signals.length);
    const { items } = (await notifications(user_id)).body;
    return items.map(({ title }: { title: string }) => title.split(' ')[0]).toReversed();
  };

  test.each([
    // Hours of Mumbai begin at half past one of UTC.
    ['INFY.NS', '1h', ['2026-01-05T04:45:00Z', '2026-01-05T05:29:00Z*', '2026-01-05T05:31:00Z']],
    ['INFY.NS', '1h', ['2026-01-05T04:15:00Z', '2026-01-05T04:29:59Z*', '2026-01-05T04:30:00Z']],
    // Four hours of New York begin at 13:00 in winter, and at 12:00 in summer.
    ['AAPL', '4h', ['2026-01-05T15:30:00Z', '2026-01-05T16:30:00Z*', '2026-01-05T17:00:00Z']],
    ['AAPL', '4h', ['2025-07-07T15:59:00Z', '2025-07-07T16:00:00Z', '2025-07-07T19:59:00Z*']],
    // The day of New York lasts until 5:00, that of Mumbai until 18:30.
    ['AAPL', '1d', ['2026-01-05T23:00:00Z', '2026-01-06T00:30:00Z*', '2026-01-06T14:30:00Z']],
    ['INFY.NS', '1d', ['2026-01-05T04:00:00Z', '2026-01-05T18:29:00Z*', '2026-01-05T18:31:00Z']],
    // Weeks of coins begin on Saturday, of currencies on Sunday, of shares on Monday of their zone.
    ['BTCUSD', '1w', ['2026-01-02T12:00:00Z', '2026-01-03T00:00:00Z*', '2026-01-05T00:00:00Z']],
    ['EURUSD', '1w', ['2026-01-02T12:00:00Z', '2026-01-04T23:00:00Z', '2026-01-05T12:00:00Z*']],
    ['INFY.NS', '1w', ['2026-01-02T09:00:00Z', '2026-01-04T19:00:00Z', '2026-01-09T09:00:00Z*']],
  ])('once a bar of %s follow its exchange: %s %j', async (symbol, timeframe, times) => {
    const signals = times.map((at) => [at.replace('*', '')] as const);
    expect(await notifiedOf({ symbol, timeframe }, 'once_per_bar', signals)).toEqual(
      times.filter((at) => !at.endsWith('*')),
    );
  });

  test('once a day follow the day of the exchange, whatever the timeframe', async () => {
    const times = [['2026-01-05T23:00:00Z'], ['2026-01-06T00:30:00Z'], ['2026-01-06T05:00:00Z']] as const;
    expect(await notifiedOf({ symbol: 'AAPL', timeframe: '5m' }, 'once_per_day', times)).toEqual([
      '2026-01-05T23:00:00Z',
      '2026-01-06T05:00:00Z',
    ]);
  });

  test('of another bar or symbol notify, in whatever order they arrive', async () => {
    const [first, second, third] = ['2026-01-05T15:01:00Z', '2026-01-05T16:01:00Z', '2026-01-05T17:01:00Z'];
    const notified = await notifiedOf({ symbol: 'AAPL,MSFT', timeframe: '1h' }, 'once_per_bar', [
      [third, 'AAPL'],
      [first, 'AAPL'],
      [first, 'MSFT'],
      [second, 'AAPL'],
      ['2026-01-05T15:02:00Z', 'AAPL'],
      ['2026-01-05T17:02:00Z', 'AAPL'],
    ]);
    expect(notified).toEqual([third, first, first, second]);
  });

  test.each([
    [
      'an unknown deployment',
      (id: number) => event('Signal Raised', id + 1, { symbol: 'AAPL', side: 'buy', title: 't', body: 'b' }),
    ],
    [
      'a symbol that is not the deployment’s',
      (id: number) => event('Signal Raised', id, { symbol: 'TSLA', side: 'buy', title: 't', body: 'b' }),
    ],
    [
      'an event of another kind of deployment',
      (id: number) => event('Scanner Matched', id, { matches: [{ symbol: 'AAPL' }] }),
    ],
    ['a missing field', (id: number) => event('Signal Raised', id, { side: 'buy' })],
    ['another version', (id: number) => event('Deployment Started', id, { version: 0 })],
    ['nonsense', () => 'nonsense'],
  ])('about %s are refused with the reason and change nothing', async (_what, make) => {
    const { user_id, keygen } = await trader();
    const { body } = await deploy(keygen);
    await expect(takeEvent(hub.runtime, make(body.deployment_id))).rejects.toMatchObject({
      name: 'MalformedEventError',
      message: expect.stringMatching(/./),
    });
    expect((await notifications(user_id)).body.total).toBe(0);
    expect((await deployments(user_id)).body.items[0]).toMatchObject({
      status: 'requested',
      signals_count: 0,
    });
  });

  test('have the same effect in any order, with repeats', async () => {
    const history = [
      ['Deployment Started', 0, {}],
      ['Signal Raised', 1, { symbol: 'AAPL', side: 'buy', price: 1, title: 'a', body: 'a' }],
      ['Signal Raised', 2, { symbol: 'AAPL', side: 'sell', price: 2, title: 'b', body: 'b' }],
      ['Signal Raised', 3, { symbol: 'AAPL', side: 'buy', price: 3, title: 'c', body: 'c' }],
      ['Deployment Stopped', 4, { stop_reason: 'completed' }],
    ] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...history, ...history], { minLength: 10, maxLength: 10 }),
        async (events) => {
          const { user_id, keygen } = await trader();
          const { body } = await deploy(keygen);
          const deployed = hub.runtime.clock().getTime();
          const at = (minute: number) => new Date(deployed + minute * 60_000).toISOString();
          hub.advance(4 * 60_000);
          const half = Math.ceil(events.length / 2);
          const take = ([type, minute, detail]: (typeof history)[number]) =>
            report(type, body.deployment_id, { ...detail, occurred_at: at(minute) });
          for (const one of events.slice(0, half)) await take(one);
          await Promise.all(events.slice(half).map(take));
          expect((await deployments(user_id)).body.items[0]).toMatchObject({
            status: 'stopped',
            stop_reason: 'completed',
            signals_count: 3,
            last_signal: { side: 'buy', price: 3, at: at(3) },
          });
          const kinds = (await notifications(user_id)).body.items.map(({ kind }: { kind: string }) => kind);
          expect(kinds.filter((kind: string) => kind.startsWith('signal')).sort()).toEqual([
            'signal_buy',
            'signal_buy',
            'signal_sell',
          ]);
          expect(kinds.filter((kind: string) => kind === 'deployment_stopped')).toHaveLength(1);
        },
      ),
      { numRuns: soakable(2, 12) },
    );
  });
});

test('a page of notifications costs as much at the end as at the beginning', async () => {
  const { user_id, keygen } = await trader();
  const { body } = await deploy(keygen);
  for (let n = 0; n < 12; n++) await signal(body.deployment_id, { title: `Signal ${n}`, price: n + 1 });
  for (const [page, titles] of [
    ['1', ['Signal 11', 'Signal 10', 'Signal 9', 'Signal 8', 'Signal 7']],
    ['3', ['Signal 1', 'Signal 0']],
  ] as const) {
    hub.takeCalls();
    const { items, total, pages } = (await notifications(user_id, { page, size: '5' })).body;
    expect(hub.takeCalls()).toHaveLength(2);
    expect([total, pages]).toEqual([12, 3]);
    expect(items.map(({ title }: { title: string }) => title)).toEqual(titles);
  }
});
