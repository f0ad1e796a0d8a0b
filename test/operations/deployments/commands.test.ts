import { beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { commandDeployment } from '../../../shared/lifecycle/deployment-commands.ts';
import type { Response } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { openHub } from '../../support/open-hub.ts';
import { outbox } from '../../support/people.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import {
  deployedTrader,
  enterAll,
  report,
  reportOrder,
  trader,
  undeployTrading,
} from '../../support/trading.ts';

const MINUTE = 60_000;

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(1000));

type Query = Readonly<Record<string, string>>;

const command = (action: string, user_id: string, id: number, more: Query = {}): Promise<Response> =>
  hub.call(`POST /${action}_deployment`, { query: { user_id, deployment_id: String(id), ...more } });

const audit = async (user_id: string, more: Query = {}): Promise<Response['body'][]> =>
  (await hub.call('GET /get_audit_trail', { query: { user_id, ...more } })).body.items;

const eventsOf = async (id: number) =>
  (await outbox(hub)).flatMap(({ message }) =>
    message?.kind === 'domain_event' && message.detail.deployment_id === id ? [message] : [],
  );

const noticesOf = async (user_id: string, id: number): Promise<Response['body'][]> => {
  await enterAll(hub);
  const { body } = await hub.call('GET /get_deployment_notifications', { query: { user_id, size: '100' } });
  return body.items.filter(({ deployment_id }: Response['body']) => deployment_id === id);
};

/** Returns a paper deployment that an engine outside runs. */
const running = async () => {
  const own = await deployedTrader(hub);
  await report(hub, 'Deployment Started', own.id);
  hub.advance(1000);
  return own;
};

const other = async (kind: 'notification' | 'scanner') => {
  const owner = await trader(hub, { symbol: 'AAPL' });
  const { body } =
    kind === 'notification'
      ? await hub.call('POST /deploy_notification_strategy', { query: { keygen: owner.keygen } })
      : await hub.call('POST /deploy_scanner', {
          query: { keygen: owner.keygen, universe_id: 'forex-majors' },
        });
  await report(hub, 'Deployment Started', body.deployment_id);
  hub.advance(1000);
  return { ...owner, id: body.deployment_id as number };
};

describe('a pause', () => {
  test('tells engine and owner, is audited, and ends with a resume', async () => {
    const { user_id, id } = await running();
    hub.takeCalls();
    const paused = await command('pause', user_id, id, { reason: 'Earnings tomorrow.' });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect(paused).toMatchObject({
      status: 200,
      body: {
        deployment_id: id,
        deployment_type: 'live',
        status: 'paused',
        stop_reason: null,
        held: { by: 'user', reason: 'Earnings tomorrow.' },
        stopping: null,
      },
    });
    // A repeat changes nothing.
    expect(await command('pause', user_id, id)).toMatchObject({ status: 200, body: paused.body });
    hub.advance(1000);
    expect(await command('resume', user_id, id)).toMatchObject({
      status: 200,
      body: { status: 'active', held: null },
    });
    expect(await command('resume', user_id, id)).toMatchObject({ status: 200, body: { status: 'active' } });
    const events = (await eventsOf(id)).map(({ detail_type, detail }) => [
      detail_type,
      detail.by,
      detail.reason,
    ]);
    expect(events.slice(1)).toEqual([
      ['Deployment Paused', 'user', 'Earnings tomorrow.'],
      ['Deployment Resumed', 'user', 'No reason given.'],
    ]);
    expect((await noticesOf(user_id, id)).map(({ kind }) => kind)).toEqual([
      'deployment_resumed',
      'deployment_paused',
      'deployment_started',
    ]);
    expect(await audit(user_id)).toMatchObject([
      { action: 'deployment_resumed', by: 'user', deployment_id: id, details: { from: 'paused' } },
      { action: 'deployment_paused', by: 'user', reason: 'Earnings tomorrow.', deployment_type: 'live' },
    ]);
    expect(JSON.stringify(await eventsOf(id))).not.toContain(user_id);
  });

  test('is not lifted by its engine, whatever it reports', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('Deployment Started', 'Deployment Error'), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('pause' as const, 'halt' as const),
        async (types, action) => {
          const { user_id, id } = await running();
          await commandDeployment(hub.runtime, id, { action, by: 'risk_limit', reason: 'Daily loss.' });
          for (const type of types) {
            hub.advance(1000);
            await report(hub, type, id, type === 'Deployment Error' ? { message: 'down' } : {});
          }
          const expected =
            types.at(-1) === 'Deployment Error' ? 'error' : action === 'halt' ? 'halted' : 'paused';
          const { body } = await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } });
          expect(body.items[0].status).toBe(expected);
          hub.advance(1000);
          await command('resume', user_id, id, { reason: 'Checked.' });
          await report(hub, 'Deployment Started', id);
          const after = await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } });
          expect(after.body.items[0].status).toBe('active');
        },
      ),
      { numRuns: soakable(2, 40) },
    );
  });

  test('of a notification deployment holds signals back, and of a scanner matches', async () => {
    const alerts = await other('notification');
    const signal = { symbol: 'AAPL', side: 'buy', price: 100, title: 'Buy', body: 'It crossed.' };
    await command('pause', alerts.user_id, alerts.id);
    hub.advance(1000);
    await report(hub, 'Signal Raised', alerts.id, signal);
    await command('resume', alerts.user_id, alerts.id);
    hub.advance(1000);
    await report(hub, 'Signal Raised', alerts.id, signal);
    const scanner = await other('scanner');
    await command('pause', scanner.user_id, scanner.id);
    hub.advance(1000);
    await report(hub, 'Scanner Matched', scanner.id, { matches: [{ symbol: 'EURUSD' }] });
    const kinds = async (own: typeof scanner) =>
      (await noticesOf(own.user_id, own.id)).map(({ kind }) => kind);
    expect(await kinds(alerts)).toEqual([
      'signal_buy',
      'deployment_resumed',
      'deployment_paused',
      'deployment_started',
    ]);
    expect(await kinds(scanner)).toEqual(['deployment_paused', 'deployment_started']);
  });

  test('that others made needs a reason to be lifted', async () => {
    const { user_id, id } = await running();
    const reason = 'Daily loss above 500 USD.';
    await commandDeployment(hub.runtime, id, { action: 'pause', by: 'risk_limit', reason });
    const refused = await command('resume', user_id, id);
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'reason'], msg: 'field required' }] },
    });
    expect(await command('resume', user_id, id, { reason: 'I checked the orders.' })).toMatchObject({
      status: 200,
      body: { status: 'active' },
    });
    expect(await audit(user_id, { deployment_id: String(id) })).toMatchObject([
      { action: 'deployment_resumed', reason: 'I checked the orders.', details: { held_by: 'risk_limit' } },
      { action: 'deployment_paused', by: 'risk_limit', reason },
    ]);
  });
});

describe('a stop', () => {
  test('of an external engine halts, asks it, and ends when it confirms', async () => {
    const { user_id, id } = await running();
    await reportOrder(hub, id, { client_order_id: 'a', quantity: '10' });
    hub.takeCalls();
    const asked = await command('stop', user_id, id);
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect(asked).toMatchObject({
      status: 200,
      body: { status: 'halted', stopped_at: null, stopping: { by: 'user', flatten: false } },
    });
    expect(await command('stop', user_id, id)).toMatchObject({ status: 200, body: asked.body });
    hub.advance(1000);
    expect(await command('stop', user_id, id, { flatten: 'true' })).toMatchObject({
      body: { status: 'halted', stopping: { flatten: true } },
    });
    expect(await command('resume', user_id, id, { reason: 'No.' })).toMatchObject({
      status: 409,
      body: { detail: 'The deployment is being stopped and cannot be resumed.', code: 'state_conflict' },
    });
    expect((await command('pause', user_id, id)).status).toBe(409);
    const asking = (await eventsOf(id)).slice(1);
    expect(asking).toMatchObject([
      { detail_type: 'Deployment Stop Requested', detail: { flatten: false, stop_reason: 'user' } },
      { detail_type: 'Deployment Stop Requested', detail: { flatten: true } },
    ]);
    hub.advance(1000);
    await report(hub, 'Deployment Stopped', id, { stop_reason: 'user' });
    expect(await command('stop', user_id, id)).toMatchObject({
      status: 200,
      body: { status: 'stopped', stop_reason: 'user', stopping: null },
    });
    hub.advance(11 * MINUTE);
    await runJob(hub.runtime, { job: 'expire-deployments' });
    expect((await noticesOf(user_id, id)).map(({ title }) => title)).not.toContainEqual(
      expect.stringContaining('without its engine'),
    );
  });

  test('ends without the word of a dead engine after ten minutes, or at once by undeploying', async () => {
    const { user_id, id } = await running();
    await command('stop', user_id, id, { flatten: 'true', reason: 'Going on holiday.' });
    hub.advance(9 * MINUTE);
    await runJob(hub.runtime, { job: 'expire-deployments' });
    expect((await command('stop', user_id, id, { flatten: 'true' })).body.status).toBe('halted');
    hub.advance(2 * MINUTE);
    await runJob(hub.runtime, { job: 'expire-deployments' });
    expect((await command('stop', user_id, id)).body).toMatchObject({
      status: 'stopped',
      stop_reason: 'user',
    });
    expect((await noticesOf(user_id, id))[0]).toMatchObject({
      kind: 'deployment_stopped',
      severity: 'error',
    });
    expect((await eventsOf(id)).at(-1)?.detail_type).toBe('Deployment Undeployed');
    expect((await audit(user_id))[0]).toMatchObject({
      action: 'deployment_stopped',
      reason: 'Going on holiday.',
      details: { flatten: true, is_confirmed: false },
    });
    const impatient = await running();
    await command('stop', impatient.user_id, impatient.id);
    expect((await undeployTrading(hub, impatient.user_id, impatient.id)).body.status).toBe('stopped');
  });

  test('ends notification deployments, scanners and what has not started at once', async () => {
    const waiting = await deployedTrader(hub);
    for (const own of [await other('notification'), await other('scanner'), waiting]) {
      const { status, body } = await command('stop', own.user_id, own.id, { reason: 'Done.' });
      expect([status, body.status, body.stop_reason]).toEqual([200, 'stopped', 'user']);
      expect((await eventsOf(own.id)).at(-1)?.detail_type).toBe('Deployment Undeployed');
      expect((await audit(own.user_id))[0]).toMatchObject({ action: 'deployment_stopped', reason: 'Done.' });
      expect((await command('resume', own.user_id, own.id)).status).toBe(409);
      const { body: user } = await hub.call('GET /get_all_live_deployments_v2', {
        query: { user_id: own.user_id },
      });
      expect(user.total).toBe(0);
    }
  });
});

describe('a command', () => {
  test.each(['pause', 'resume', 'stop'])('%s is for the owner only', async (action) => {
    const { id } = await running();
    const stranger = await trader(hub);
    for (const user_id of [stranger.user_id, 'nobody']) {
      expect(await command(action, user_id, id)).toMatchObject({
        status: 404,
        body: { code: 'deployment_unknown' },
      });
    }
    expect((await command(action, stranger.user_id, 1)).status).toBe(404);
    const trail = { user_id: stranger.user_id, deployment_id: String(id) };
    expect((await hub.call('GET /get_audit_trail', { query: trail })).status).toBe(404);
  });

  test('that the transition table forbids is refused and changes nothing', async () => {
    const { user_id, id } = await deployedTrader(hub);
    expect(await command('pause', user_id, id)).toMatchObject({
      status: 409,
      body: { detail: 'The deployment has not started yet and cannot be paused.' },
    });
    await undeployTrading(hub, user_id, id);
    const before = [await eventsOf(id), await audit(user_id)];
    for (const action of ['pause', 'resume']) {
      expect(await command(action, user_id, id)).toMatchObject({
        status: 409,
        body: { code: 'state_conflict' },
      });
    }
    expect([await eventsOf(id), await audit(user_id)]).toEqual(before);
  });

  test('to halt before the start leads back to waiting for the start', async () => {
    const { user_id, id } = await deployedTrader(hub);
    await commandDeployment(hub.runtime, id, { action: 'halt', by: 'kill_switch', reason: 'Drill.' });
    expect((await command('resume', user_id, id, { reason: 'Over.' })).body.status).toBe('requested');
  });

  test('pages through a long trail at constant cost', async () => {
    const { user_id, id } = await running();
    for (let round = 0; round < 4; round++) {
      await command('pause', user_id, id, { reason: `Round ${round}` });
      await command('resume', user_id, id);
    }
    const page = { page: '3', size: '3' };
    for (const more of [page, { ...page, deployment_id: String(id) }]) {
      hub.takeCalls();
      const { body } = await hub.call('GET /get_audit_trail', { query: { user_id, ...more } });
      expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
      expect(body).toMatchObject({
        total: 8,
        pages: 3,
        items: [{ action: 'deployment_resumed' }, { reason: 'Round 0' }],
      });
    }
  });
});
