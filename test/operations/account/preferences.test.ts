import { beforeEach, describe, expect, test } from '@jest/globals';
import { keys } from '../../../shared/data/table/keys.ts';
import { findUser } from '../../../shared/data/users/users.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, login, outbox, register } from '../../support/people.ts';
import { registerDevice, signal } from '../../support/push.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, enterAll, report, reportOrder } from '../../support/trading.ts';

const HOUR = 3_600_000;
const SET = 'POST /set_notification_preferences';

const hub = await openHub(furnishWithInstruments);

let owner: { readonly user_id: string; readonly email: string; readonly keygen: string };
beforeEach(async () => {
  hub.advance(1000);
  const { user_id, email } = (await register(hub)).body;
  const { keygen } = (await build(hub, { user_id, symbol: 'AAPL' })).body;
  const verified = { key: keys.user(user_id), set: { email_verified: true } };
  await hub.runtime.store.transact([verified]);
  await registerDevice(hub, user_id, `device of ${user_id}`);
  owner = { user_id, email, keygen };
});

const choose = (json: unknown, headers: Readonly<Record<string, string>> = {}, user_id = owner.user_id) =>
  hub.call(SET, { query: { user_id }, json, headers });
const preferences = async () =>
  (await hub.call('GET /get_notification_preferences', { query: { user_id: owner.user_id } })).body;
const asOwner = async () => bearer((await login(hub, owner.email)).body.access_token);

/** Returns the kinds of the notifications in the app's list, newest first. */
const listed = async (): Promise<string[]> => {
  const query = { user_id: owner.user_id };
  const { body } = await hub.call('GET /get_deployment_notifications', { query });
  return body.items.map(({ kind }: { kind: string }) => kind);
};

/** Returns the channels by which notifications of the owner leave. */
const leaving = async (): Promise<string[]> => {
  const { user_id, email } = owner;
  const channels = (await outbox(hub)).flatMap(({ message }) => {
    if (message?.kind === 'notification_mail') return message.to === email ? ['email'] : [];
    if (message?.kind === 'notification_push') return message.user_id === user_id ? ['push'] : [];
    return [];
  });
  return channels.sort();
};

const watching = async (channels = 'push,email'): Promise<number> => {
  const answer = await hub.call('POST /deploy_notification_strategy', {
    query: { keygen: owner.keygen },
    form: { channels },
  });
  return answer.body.deployment_id;
};
const trading = async (channels: string): Promise<number> =>
  (await deployTrading(hub, owner.keygen, { channels })).body.deployment_id;

describe('preferences', () => {
  test('are on for every group and channel by default, and each kind has a group', async () => {
    const { groups, quiet_hours } = await preferences();
    expect(quiet_hours).toBeNull();
    for (const group of groups)
      expect(group).toMatchObject({ app: true, push: true, email: true, sms: true });
    const kinds = groups.flatMap(({ kinds: each }: { kinds: string[] }) => each);
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(groups.find(({ group }: { group: string }) => group === 'security').kinds.sort()).toEqual([
      'api_key_made',
      'assistant_connected',
      'broker_disconnected',
      'execution_connected',
      'hold_ignored',
      'kill_switch',
      'mail_ended',
      'risk_tripped',
      'signal_hook_created',
      'token_expiring',
      'webhook_registered',
    ]);
  });

  test('change where a request names them', async () => {
    const night = { time_zone: 'Europe/Berlin', from: '22:00', to: '07:00' };
    await choose({ groups: { fills: { sms: false } }, quiet_hours: night });
    const { body } = await choose({ groups: { fills: { push: false }, signals: { email: false } } });
    expect(body).toEqual(await preferences());
    expect(body.quiet_hours).toEqual(night);
    const chosen = Object.fromEntries(
      body.groups.map(({ group, push, email, sms }: Record<string, unknown>) => [group, [push, email, sms]]),
    );
    expect(chosen).toMatchObject({ fills: [false, true, false], signals: [true, false, true] });
    expect((await choose({ groups: { fills: { push: true } }, quiet_hours: null })).body).toMatchObject({
      quiet_hours: null,
    });
    expect((await preferences()).quiet_hours).toBeNull();
  });

  test('keep the changes of requests at the same moment', async () => {
    const groups = ['signals', 'fills', 'orders', 'status', 'risk'];
    await Promise.all(groups.map((group) => choose({ groups: { [group]: { email: false } } })));
    const { groups: found } = await preferences();
    expect(found.map(({ email }: { email: boolean }) => email)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  test('keep the fields of a newer version', async () => {
    const key = keys.user(owner.user_id);
    await choose({ groups: { fills: { sms: false } } });
    const user = await findUser(hub.runtime.store, owner.user_id);
    const newer = {
      ...user?.notification_preferences,
      groups: { social: { push: false }, fills: { watch: false } },
    };
    await hub.runtime.store.transact([{ key, set: { notification_preferences: newer } }]);
    await choose({ groups: { fills: { push: false } } });
    const [item] = await hub.runtime.store.getMany([key], { consistent: true });
    expect(item?.notification_preferences).toMatchObject({
      groups: { social: { push: false }, fills: { watch: false, push: false } },
    });
  });

  test.each([
    [{ groups: { news: { push: false } } }],
    [{ groups: { fills: { app: false } } }],
    [{ groups: { fills: { push: 'no' } } }],
    [{ quiet_hours: { time_zone: 'Mars/Base', from: '22:00', to: '07:00' } }],
    [{ quiet_hours: { time_zone: 'UTC', from: '24:00', to: '07:00' } }],
    [{ quiet_hours: { time_zone: 'UTC', from: '07:00', to: '07:00' } }],
    [{ quiet_hours: { time_zone: 'UTC', from: '07:00' } }],
    [[]],
  ])('refuse %j and do not change', async (json) => {
    expect((await choose(json)).status).toBe(422);
    expect((await findUser(hub.runtime.store, owner.user_id))?.notification_preferences).toBeUndefined();
  });

  test('are those of the user', async () => {
    expect((await choose({}, {}, 'nobody')).body.code).toBe('user_unknown');
    const other = (await register(hub)).body;
    expect((await choose({}, await asOwner(), other.user_id)).body.code).toBe('session_mismatch');
  });

  test('silence security only with the session of the owner', async () => {
    const json = { groups: { security: { email: false } } };
    expect((await choose(json)).body.code).toBe('session_required');
    expect((await choose({ groups: { security: { email: true } } })).status).toBe(200);
    expect((await choose(json, await asOwner())).status).toBe(200);
  });
});

describe('a notification', () => {
  test('leaves by the channels of its deployment that the owner allows, and is always listed', async () => {
    const id = await watching();
    await signal(hub, id);
    expect(await leaving()).toEqual(['email', 'push']);
    await choose({ groups: { signals: { email: false } } });
    await signal(hub, id, { title: 'Buy again' });
    expect(await leaving()).toEqual(['email', 'push', 'push']);
    expect((await listed()).filter((kind) => kind === 'signal_buy')).toHaveLength(2);
  });

  test('of a trade follows the preferences at the time of its delivery', async () => {
    const id = await trading('email');
    await reportOrder(hub, id, { client_order_id: 'first' });
    await choose({ groups: { fills: { email: false } } });
    await enterAll(hub);
    expect(await listed()).toEqual(['entry_filled']);
    expect(await leaving()).toEqual([]);
  });

  test('is neither pushed nor texted during quiet hours', async () => {
    const hour = (after: number) => {
      const at = new Date(hub.runtime.clock().getTime() + after * HOUR);
      return `${String(at.getUTCHours()).padStart(2, '0')}:00`;
    };
    await choose({ quiet_hours: { time_zone: 'UTC', from: hour(0), to: hour(2) } });
    const id = await watching();
    await signal(hub, id);
    expect(await leaving()).toEqual(['email']);
    hub.advance(2 * HOUR);
    await signal(hub, id);
    expect(await leaving()).toEqual(['email', 'email', 'push']);
  });
});

describe('security news', () => {
  const disconnect = async (channels: string) => {
    const id = await trading(channels);
    await report(hub, 'Deployment Stopped', id, { stop_reason: 'broker_disconnected' });
    await enterAll(hub);
    expect(await listed()).toEqual(['broker_disconnected']);
  };

  test('leaves by every channel, also during quiet hours', async () => {
    await choose({ quiet_hours: { time_zone: 'UTC', from: '00:00', to: '23:59' } });
    await disconnect('push');
    expect(await leaving()).toEqual(['email', 'push']);
  });

  test('leaves by the channels that the owner left on', async () => {
    await choose({ groups: { security: { email: false } } }, await asOwner());
    await disconnect('email');
    expect(await leaving()).toEqual(['push']);
  });
});
