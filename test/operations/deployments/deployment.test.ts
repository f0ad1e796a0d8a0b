import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Response } from '../../support/hub.ts';
import { openHub } from '../../support/open-hub.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployedTrader, report, reportOrder, trader } from '../../support/trading.ts';

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(1000));

const get = (user_id: string, id: number): Promise<Response> =>
  hub.call('GET /get_deployment', { query: { user_id, deployment_id: String(id) } });

const listed = async (user_id: string): Promise<Response['body'][]> =>
  (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } })).body.items;

describe('A deployment', () => {
  test('that trades has its positions, its latest order, and who paused it', async () => {
    const { user_id, id } = await deployedTrader(hub);
    await report(hub, 'Deployment Started', id);
    await reportOrder(hub, id, { client_order_id: 'o-1', quantity: 10 });
    hub.advance(1000);
    await hub.call('POST /pause_deployment', {
      query: { user_id, deployment_id: String(id), reason: 'Earnings are due.' },
    });
    const { status, body } = await get(user_id, id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      deployment_id: id,
      deployment_type: 'live',
      status: 'paused',
      held: { by: 'user', reason: 'Earnings are due.' },
      stopping: null,
      market_time: false,
      is_demo: false,
      notification: null,
      scanner: null,
      live: {
        deployment_id: id,
        positions: [{ symbol: 'AAPL', quantity: 10 }],
        latest_order: { symbol: 'AAPL', side: 'buy', status: 'filled' },
      },
    });
    const [item] = await listed(user_id);
    expect(item).toEqual(body.live);
    expect(item).toMatchObject({ held: { by: 'user', reason: 'Earnings are due.' }, stopping: null });
  });

  test('that is being stopped tells so in its list', async () => {
    const { user_id, id } = await deployedTrader(hub);
    await report(hub, 'Deployment Started', id);
    hub.advance(1000);
    await hub.call('POST /stop_deployment', {
      query: { user_id, deployment_id: String(id), flatten: 'true', reason: 'Enough.' },
    });
    const [item] = await listed(user_id);
    expect(item).toMatchObject({
      status: 'halted',
      stopping: { by: 'user', reason: 'Enough.', flatten: true },
    });
    expect((await get(user_id, id)).body).toMatchObject({ stopping: item?.stopping });
  });

  test.each([
    ['notification', 'POST /deploy_notification_strategy', {}],
    ['scanner', 'POST /deploy_scanner', { universe_id: 'forex-majors' }],
  ] as const)('that is a %s has the record of its kind only', async (kind, operation, more) => {
    const owner = await trader(hub, { symbol: 'AAPL' });
    const { body: made } = await hub.call(operation, { query: { keygen: owner.keygen, ...more } });
    const { body } = await get(owner.user_id, made.deployment_id);
    const others = ['live', 'notification', 'scanner'].filter((one) => one !== kind);
    expect(body[kind]).toEqual(made);
    expect(body).toMatchObject({ deployment_type: kind, channels: ['push'] });
    for (const other of others) expect(body[other]).toBeNull();
  });

  test('of another user, and an unknown one, are not found', async () => {
    const { id } = await deployedTrader(hub);
    const stranger = await trader(hub, { symbol: 'AAPL' });
    const refusal = { status: 404, body: { code: 'deployment_unknown' } };
    expect(await get(stranger.user_id, id)).toMatchObject(refusal);
    expect(await get(stranger.user_id, 1)).toMatchObject(refusal);
  });
});

test('Universes are listed by name, with their size and first symbols', async () => {
  const { user_id } = await trader(hub, { symbol: 'AAPL' });
  const { status, body } = await hub.call('GET /get_universes', { query: { user_id } });
  expect(status).toBe(200);
  const names: string[] = body.universes.map(({ name }: { name: string }) => name);
  expect(names).toEqual([...names].sort((left, right) => left.localeCompare(right, 'en')));
  expect(body.universes).toContainEqual(expect.objectContaining({ universe_id: 'forex-majors' }));
  for (const { symbols, symbols_count } of body.universes) {
    expect(symbols).toHaveLength(Math.min(10, symbols_count));
  }
});
