import { describe, expect, test } from '@jest/globals';
import { Store } from '../../../shared/data/table/store.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { openHub } from '../../support/open-hub.ts';
import { furnish, register, sentCode } from '../../support/people.ts';

const hub = await openHub(furnish);

const put = (user_id: string, push_key: string) =>
  hub.call('POST /register_push_token', { query: { user_id, push_key } });
const remove = (user_id: string, push_key: string) =>
  hub.call('POST /remove_push_token', { query: { user_id }, json: { push_key } });
const list = async (user_id: string): Promise<string[]> => {
  const { body } = await hub.call('GET /get_push_token_web', { query: { user_id } });
  return body.registrations.map(({ push_key }: { push_key: string }) => push_key);
};

const subscription = (endpoint: string) =>
  JSON.stringify({ endpoint, keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) } });

/** Store that lets something happen before each of some transactions. */
class OvertakenStore extends Store {
  #left: number;
  readonly #others: (left: number) => Promise<unknown>;

  constructor({ client, table }: Store, times: number, others: (left: number) => Promise<unknown>) {
    super(client, table);
    this.#left = times;
    this.#others = others;
  }

  override async transact(writes: readonly Write[]): Promise<void> {
    if (this.#left > 0) {
      this.#left -= 1;
      await this.#others(this.#left);
    }
    await super.transact(writes);
  }
}

describe('a push registration', () => {
  test('lists the devices newest first', async () => {
    const { body: user } = await register(hub);
    expect(await list(user.user_id)).toEqual([]);
    for (const key of ['first', 'second', 'third']) {
      expect((await put(user.user_id, key)).body).toMatchObject({ push_key: key, kind: 'fcm' });
      hub.advance(1000);
    }
    expect(await list(user.user_id)).toEqual(['third', 'second', 'first']);
    const { body } = await hub.call('GET /get_push_token_web', { query: { user_id: user.user_id } });
    expect(body.push_key).toBe('third');
  });

  test('made again is the same one with a later time', async () => {
    const { body: user } = await register(hub);
    const { body: first } = await put(user.user_id, 'phone-again');
    hub.advance(60_000);
    const { body: again } = await put(user.user_id, 'phone-again');
    expect(again.registered_at).toBe(first.registered_at);
    expect(again.last_seen_at).not.toBe(first.last_seen_at);
    expect(await list(user.user_id)).toEqual(['phone-again']);
  });

  test('accepts a Web Push subscription', async () => {
    const { body: user } = await register(hub);
    const key = subscription('https://push.example/send/1');
    expect((await put(user.user_id, key)).body.kind).toBe('web_push');
  });

  test.each([
    ['without keys', JSON.stringify({ endpoint: 'https://push.example/1' })],
    ['to plain HTTP', subscription('http://push.example/1')],
    ['to plain HTTP of this machine', subscription('http://127.0.0.1:8080/1')],
    ['too long', 'x'.repeat(5000)],
    ['empty', ''],
  ])('is refused %s', async (_why, key) => {
    const { body: user } = await register(hub);
    expect((await put(user.user_id, key)).status).toBe(422);
    expect(await list(user.user_id)).toEqual([]);
  });

  test('moves to the last user who signs in on the device', async () => {
    const { body: ada } = await register(hub);
    const { body: bob } = await register(hub);
    await put(ada.user_id, 'shared-phone');
    await put(ada.user_id, 'own-phone');
    await put(bob.user_id, 'shared-phone');
    expect(await list(ada.user_id)).toEqual(['own-phone']);
    expect(await list(bob.user_id)).toEqual(['shared-phone']);
    await put(ada.user_id, 'shared-phone');
    expect((await list(ada.user_id)).sort()).toEqual(['own-phone', 'shared-phone']);
    expect(await list(bob.user_id)).toEqual([]);
  });

  test('beyond the twentieth replaces the one with the oldest time', async () => {
    const { body: user } = await register(hub);
    for (let index = 0; index < 20; index++) {
      await put(user.user_id, `many-${index}`);
      hub.advance(1000);
    }
    await put(user.user_id, 'many-0');
    hub.advance(1000);
    await put(user.user_id, 'many-20');
    const keys = await list(user.user_id);
    expect(keys).toHaveLength(20);
    expect(keys).toContain('many-0');
    expect(keys).not.toContain('many-1');
  });

  test('of ten devices at once loses none', async () => {
    const { body: user } = await register(hub);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => put(user.user_id, `at-once-${index}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await list(user.user_id)).toHaveLength(10);
  });

  test('that others overtake at eight tries is made all the same', async () => {
    const { body: user } = await register(hub);
    const others = (left: number) => put(user.user_id, `before-${left}`);
    const overtaken = hub.over(new OvertakenStore(hub.runtime.store, 8, others));
    const query = { user_id: user.user_id, push_key: 'the-last-one' };
    expect((await overtaken.call('POST /register_push_token', { query })).status).toBe(200);
    expect(await list(user.user_id)).toHaveLength(9);
  });

  test('ends with a reset of the password, so earlier devices get no more messages', async () => {
    const { body: user } = await register(hub);
    await put(user.user_id, 'the-thief’s-phone');
    await hub.call('POST /send_otp_password_reset', { query: { email: user.email } });
    const otp = (await sentCode(hub, user.email)) ?? '';
    const query = { email: user.email, new_password: 'the owner’s password', otp };
    expect((await hub.call('POST /reset_password', { query })).status).toBe(200);
    expect(await list(user.user_id)).toEqual([]);
    await put(user.user_id, 'own-phone');
    expect(await list(user.user_id)).toEqual(['own-phone']);
  });

  test('is removed by its user, also again, and leaves the others', async () => {
    const { body: user } = await register(hub);
    const key = subscription('https://push.example/send/removed');
    await put(user.user_id, key);
    await put(user.user_id, 'kept-phone');
    hub.takeCalls();
    expect((await remove(user.user_id, key)).body).toEqual({ removed: true });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect(await list(user.user_id)).toEqual(['kept-phone']);
    expect((await remove(user.user_id, key)).status).toBe(200);
    await put(user.user_id, key);
    expect(await list(user.user_id)).toHaveLength(2);
  });

  test('of another user is not removed', async () => {
    const { body: ada } = await register(hub);
    const { body: bob } = await register(hub);
    await put(ada.user_id, 'moved-phone');
    await put(bob.user_id, 'moved-phone');
    expect((await remove(ada.user_id, 'moved-phone')).status).toBe(200);
    expect(await list(bob.user_id)).toEqual(['moved-phone']);
    expect((await remove('nobody', 'moved-phone')).body.code).toBe('user_unknown');
    expect((await remove(bob.user_id, '')).status).toBe(422);
    expect(await list(bob.user_id)).toEqual(['moved-phone']);
  });

  test('of an unknown user is a 404 that stores nothing', async () => {
    expect((await put('nobody', 'lost-phone')).body.code).toBe('user_unknown');
    const { body } = await hub.call('GET /get_push_token_web', { query: { user_id: 'nobody' } });
    expect(body.code).toBe('user_unknown');
    const { body: user } = await register(hub);
    expect((await put(user.user_id, 'lost-phone')).status).toBe(200);
  });

  test('makes at most three calls', async () => {
    const { body: user } = await register(hub);
    hub.takeCalls();
    await put(user.user_id, 'counted');
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'TransactWriteItems']);
    await list(user.user_id);
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
  });
});
