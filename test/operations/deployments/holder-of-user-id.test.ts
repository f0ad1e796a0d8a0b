import { beforeEach, describe, expect, test } from '@jest/globals';
import { keys } from '../../../shared/data/table/keys.ts';
import { commandDeployment } from '../../../shared/lifecycle/deployment-commands.ts';
import type { Response } from '../../support/hub.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, outbox, signUp } from '../../support/people.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, report } from '../../support/trading.ts';

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(1000));

/** Returns a user with an active deployment, by default with real orders. */
const trading = async (mode: 'live' | 'virtual' = 'live') => {
  const { user_id, access_token } = (await signUp(hub)).body;
  const { keygen } = (await build(hub, { user_id })).body;
  const id: number = (await deployTrading(hub, keygen)).body.deployment_id;
  if (mode === 'live') await hub.runtime.store.transact([{ key: keys.deployment(id), set: { mode } }]);
  await report(hub, 'Deployment Started', id);
  hub.advance(1000);
  return { user_id, id, session: bearer(access_token) };
};

type Owner = Awaited<ReturnType<typeof trading>>;

const command = (
  action: string,
  { user_id, id }: Pick<Owner, 'user_id' | 'id'>,
  more: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  hub.call(`POST /${action}_deployment`, { query: { user_id, deployment_id: String(id), ...more }, headers });

const statusOf = async ({ user_id }: Owner): Promise<string> =>
  (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } })).body.items[0].status;

/** Returns the session of the owner by a platform token that was made without one. */
const weakSession = async ({ user_id }: Owner) =>
  bearer((await hub.call('POST /generate_token', { query: { user_id } })).body.token ?? '');

describe('a holder of the user_id alone', () => {
  test('resumes no real orders, whoever stopped them', async () => {
    for (const [action, by] of [
      ['pause', 'user'],
      ['pause', 'risk_limit'],
      ['halt', 'operator'],
    ] as const) {
      const owner = await trading();
      await commandDeployment(hub.runtime, owner.id, { action, by, reason: 'Too much risk.' });
      const before = await statusOf(owner);
      expect(await command('resume', owner, { reason: 'Why not.' })).toMatchObject({
        status: 401,
        body: { code: 'session_required' },
      });
      expect(await command('resume', owner, { reason: 'Why not.' }, await weakSession(owner))).toMatchObject({
        body: { code: 'platform_token_insufficient' },
      });
      expect(await statusOf(owner)).toBe(before);
      expect(await command('resume', owner, { reason: 'Checked.' }, owner.session)).toMatchObject({
        status: 200,
        body: { status: 'active' },
      });
    }
  });

  test('closes no positions with real orders, but pauses and stops them', async () => {
    const owner = await trading();
    expect(await command('stop', owner, { flatten: 'true' })).toMatchObject({
      status: 401,
      body: { code: 'session_required' },
    });
    expect(await statusOf(owner)).toBe('active');
    expect(await command('pause', owner)).toMatchObject({ status: 200, body: { status: 'paused' } });
    expect(await command('stop', owner)).toMatchObject({
      status: 200,
      body: { stopping: { flatten: false } },
    });
    expect(await command('stop', owner, { flatten: 'true' })).toMatchObject({ status: 401 });
    expect(await command('stop', owner, { flatten: 'true' }, owner.session)).toMatchObject({
      status: 200,
      body: { stopping: { flatten: true } },
    });
  });

  test('commands paper deployments', async () => {
    const owner = await trading('virtual');
    expect((await command('pause', owner)).status).toBe(200);
    expect((await command('resume', owner)).status).toBe(200);
    expect((await command('stop', owner, { flatten: 'true' })).status).toBe(200);
  });
});

test('commands without a session send no mails, whatever their text', async () => {
  const { user_id, email } = (await signUp(hub)).body;
  const { keygen } = (await build(hub, { user_id })).body;
  const deployed = await hub.call('POST /deploy_notification_strategy', {
    query: { keygen },
    form: { channels: 'push,email' },
  });
  const own = { user_id, id: Number(deployed.body.deployment_id) };
  const mails = async (): Promise<string[]> =>
    (await outbox(hub)).flatMap(({ message }) =>
      message?.kind === 'notification_mail' && message.to === email ? [message.title] : [],
    );
  await report(hub, 'Deployment Started', own.id);
  const before = await mails();
  for (const action of ['pause', 'resume', 'pause', 'resume', 'stop']) {
    hub.advance(1000);
    const { status } = await command(action, own, { reason: 'You have won. Visit example.com.' });
    expect(status).toBe(200);
  }
  expect(await mails()).toEqual(before);
  const listed = await hub.call('GET /get_deployment_notifications', { query: { user_id } });
  expect(listed.body.total).toBe(6);
});

test('deployments with real orders of others and unknown ones answer alike', async () => {
  const [owner, other] = [await trading(), await trading()];
  for (const action of ['pause', 'resume', 'stop']) {
    const more = action === 'stop' ? { flatten: 'true' } : {};
    const ofOther = await command(action, { user_id: owner.user_id, id: other.id }, more);
    const unknown = await command(action, { user_id: owner.user_id, id: 1 }, more);
    expect([ofOther.status, ofOther.body]).toEqual([404, unknown.body]);
  }
});
