import { beforeEach, describe, expect, test } from '@jest/globals';
import { TransactionContendedError } from '../../../shared/data/table/store.ts';
import { SHARED_MS } from '../../../shared/data/table/timed-memory.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, register, signUp } from '../../support/people.ts';
import {
  build,
  copy,
  explore,
  furnishWithInstruments,
  like,
  list,
  person,
  profile,
  search,
  setState,
} from '../../support/strategies.ts';

const hub = await openHub(furnishWithInstruments);
beforeEach(() => {
  hub.advance(1000);
  hub.takeCalls();
});

const calls = () => hub.takeCalls().length;
const mine = (user_id: string, more: Record<string, string> = {}) =>
  hub.call('GET /get_strategies_by_user', { query: { user_id, ...more } });

describe('building a strategy', () => {
  test('creates a private one with default preferences', async () => {
    const { user_id } = await person(hub);
    hub.takeCalls();
    const { status, body } = await build(hub, {
      user_id,
      strategy_name: ' Trend é ',
      symbol: 'aapl',
      timeframe: '15m',
    });
    expect(calls()).toBeLessThanOrEqual(3);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user_id,
      strategy_name: 'Trend é',
      symbol: 'AAPL',
      symbols: ['AAPL'],
      timeframe: '15m',
      asset_class: 'equity',
      direction: 'both',
      status: 'ready',
      order_type: 'market',
      quantity: 1,
      stop_loss_pct: null,
    });
    expect(Number.isSafeInteger(body.strategy_id)).toBe(true);
    expect((await mine(user_id)).body.items[0]).toMatchObject({
      strategy_id: body.strategy_id,
      publish_state: 0,
      is_listed: false,
    });
  });

  test('over several instruments weighs them equally', async () => {
    const { user_id } = await person(hub);
    const { body } = await build(hub, { user_id, symbol: 'AAPL, EURUSD,AAPL,BTCUSD' });
    expect(body).toMatchObject({ symbols: ['AAPL', 'EURUSD', 'BTCUSD'], asset_class: 'multi' });
    const { legs } = (await mine(user_id)).body.items[0];
    expect(legs.map(({ weight }: { weight: number }) => weight)).toEqual([0.3334, 0.3333, 0.3333]);
    expect((await hub.call('POST /get_multi_asset_strategies', { query: { user_id } })).body).toMatchObject({
      total: 1,
    });
  });

  test.each([
    [{ symbol: 'NOSUCH' }, ['query', 'symbol']],
    [{ symbol: 'AAPL,' }, ['query', 'symbol']],
    [{ timeframe: '2m' }, ['query', 'timeframe']],
    [{ strategy_name: '' }, ['query', 'strategy_name']],
    [{ strategy_name: 'a\u0007b' }, ['query', 'strategy_name']],
    [{ strategy_name: 'a\u200bb' }, ['query', 'strategy_name']],
    [{ strategy_name: 'Моmentum' }, ['query', 'strategy_name']],
    [{ strategy_name: 'Strategy-Hub Official' }, ['query', 'strategy_name']],
    [{ strategy_name: 'é'.repeat(101) }, ['query', 'strategy_name']],
  ])('refuses %j', async (fault, loc) => {
    const { user_id } = await person(hub);
    const { status, body } = await build(hub, { user_id, ...fault });
    expect([status, body.detail[0].loc]).toEqual([422, loc]);
    expect((await mine(user_id)).body.total).toBe(0);
  });

  test.each(['é'.repeat(100), '😀'.repeat(100), 'استراتيجية التداول', 'Ａｐｐｌｅ ①'])(
    'takes the name %s',
    async (strategy_name) => {
      const { user_id } = await person(hub);
      expect((await build(hub, { user_id, strategy_name })).body.strategy_name).toBe(
        strategy_name.normalize('NFC'),
      );
    },
  );

  test('of one name at the same instant succeeds once, in any spelling', async () => {
    const { user_id } = await person(hub);
    const names = ['Momentum', 'MOMENTUM', 'momentum', 'Momentum'];
    const answers = await Promise.all(names.map((strategy_name) => build(hub, { user_id, strategy_name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('name_taken');
  });

  test('answers 404 to unknown users', async () => {
    expect((await build(hub, { user_id: 'nobody' })).body.code).toBe('user_unknown');
    expect((await build(hub, { user_id: 'x'.repeat(5000) })).body.code).toBe('user_unknown');
  });
});

describe('listing own strategies', () => {
  test('filters by kind, words and broker, and counts both kinds', async () => {
    const [owner, other] = [await person(hub), await person(hub)];
    for (const strategy_name of ['Gold breakout', 'Silver Breakout', 'Café']) {
      hub.advance(1000);
      await build(hub, { user_id: owner.user_id, strategy_name });
    }
    const theirs = (await build(hub, { user_id: other.user_id, strategy_name: 'Borrowed' })).body;
    await setState(hub, other.user_id, theirs.strategy_id, 2);
    const copied = (
      await copy(hub, owner.user_id, (await mine(other.user_id)).body.items[0].strategy_key, {
        broker_id: '9',
      })
    ).body;
    hub.takeCalls();
    const all = (await mine(owner.user_id)).body;
    expect(calls()).toBeLessThanOrEqual(3);
    expect(all).toMatchObject({
      total: 3,
      page: 1,
      size: 10,
      pages: 1,
      is_copied: 0,
      counts: { own: 3, copied: 1 },
    });
    expect(all.items.map(({ strategy_name }: { strategy_name: string }) => strategy_name)).toEqual([
      'Café',
      'Silver Breakout',
      'Gold breakout',
    ]);
    expect((await mine(owner.user_id, { search_key: 'BREAK' })).body.total).toBe(2);
    expect((await mine(owner.user_id, { search_key: 'cafe' })).body.total).toBe(1);
    expect((await mine(owner.user_id, { search_key: 'aapl gold' })).body.total).toBe(1);
    expect((await mine(owner.user_id, { search_key: '%' })).body.total).toBe(0);
    expect((await mine(owner.user_id, { is_copied: '1', broker_id: '9' })).body.items).toMatchObject([
      { strategy_id: copied.strategy_id },
    ]);
    expect((await mine(owner.user_id, { page: '2', size: '2' })).body.items).toHaveLength(1);
    expect((await mine(owner.user_id, { page: '9' })).body).toMatchObject({ items: [], total: 3 });
  });

  test('answers 404 to unknown users', async () => {
    expect((await mine('nobody')).status).toBe(404);
  });
});

describe('copying a strategy', () => {
  test('stores the source, counts there, and gets a free name', async () => {
    const [author, copier] = [await person(hub), await person(hub)];
    const source = (
      await build(hub, { user_id: author.user_id, symbol: 'EURUSD,GBPUSD', strategy_name: 'Pairs' })
    ).body;
    await list(hub, author.user_id, source.strategy_id);
    hub.takeCalls();
    const first = (await copy(hub, copier.user_id, source.strategy_key)).body;
    expect(calls()).toBeLessThanOrEqual(3);
    expect(first).toMatchObject({
      is_copied: 1,
      parent_strategy_id: source.strategy_id,
      strategy_name: 'Pairs',
      symbols: ['EURUSD', 'GBPUSD'],
      publish_state: 0,
    });
    expect(first.keygen).not.toBe(source.keygen);
    hub.takeCalls();
    const second = (await copy(hub, copier.user_id, source.strategy_key, { symbol: 'XAUUSD' })).body;
    expect(calls()).toBeLessThanOrEqual(3);
    expect(second).toMatchObject({ symbols: ['XAUUSD'], asset_class: 'commodity' });
    expect(second.strategy_name).toMatch(/^Pairs \(copy \w+\)$/);
    const [shown] = (await explore(hub, copier.user_id)).body.items;
    expect(shown).toMatchObject({ strategy_id: source.strategy_id, copy_count: 1, is_copied: true });
    expect((await profile(hub, author.user_key)).body.items[0]).toMatchObject({
      copy_count: 1,
      is_copied: false,
    });
  });

  test('of a private strategy of another user is answered like an unknown one', async () => {
    const [author, other] = [await person(hub), await person(hub)];
    const { body } = await build(hub, { user_id: author.user_id });
    const key = body.strategy_key;
    const answers = [
      await copy(hub, other.user_id, key),
      await copy(hub, other.user_id, 's_zzzzzzzz_0123456789abcdef'),
      await copy(hub, other.user_id, `${key.slice(0, -4)}AAAA`),
      await copy(hub, other.user_id, 'nonsense'),
    ];
    for (const { status, text } of answers) expect([status, text]).toEqual([404, answers[0]?.text]);
    expect((await copy(hub, author.user_id, key)).status).toBe(200);
  });

  test('of one that is being unpublished succeeds or fails completely', async () => {
    const author = await person(hub);
    const source = (await build(hub, { user_id: author.user_id })).body;
    await list(hub, author.user_id, source.strategy_id);
    const copiers = await Promise.all(Array.from({ length: 8 }, () => person(hub)));
    const [answers] = await Promise.all([
      Promise.all(copiers.map(({ user_id }) => copy(hub, user_id, source.strategy_key))),
      setState(hub, author.user_id, source.strategy_id, 0),
    ]);
    const made = answers.filter(({ status }) => status === 200).length;
    for (const { status } of answers) expect([200, 404]).toContain(status);
    const owned = await Promise.all(
      copiers.map(async ({ user_id }) => (await mine(user_id, { is_copied: '1' })).body.total),
    );
    expect(owned.reduce((sum, total) => sum + total, 0)).toBe(made);
    expect((await mine(author.user_id)).body.items[0]).toMatchObject({ copy_count: made, publish_state: 0 });
    expect(
      (await explore(hub, author.user_id)).body.items.map(
        ({ strategy_id }: { strategy_id: number }) => strategy_id,
      ),
    ).not.toContain(source.strategy_id);
  });
});

describe('publishing', () => {
  test('lists a strategy for all users without the private fields of its owner', async () => {
    const [author, viewer] = [await person(hub, 'Grace Hopper'), await person(hub)];
    const { body } = await build(hub, { user_id: author.user_id });
    hub.takeCalls();
    expect((await list(hub, author.user_id, body.strategy_id)).status).toBe(200);
    expect(calls()).toBeLessThanOrEqual(3);
    const answers = [
      await explore(hub, viewer.user_id),
      await profile(hub, author.user_key, { user_id: viewer.user_id }),
      await search(hub, 'grace'),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).toContain(String(body.strategy_id));
      expect(text).not.toContain(author.user_id);
      expect(text).not.toContain(body.keygen);
    }
    hub.advance(SHARED_MS);
    hub.takeCalls();
    await explore(hub, viewer.user_id);
    expect(calls()).toBe(2);
    await search(hub, 'grace');
    expect(calls()).toBe(3);
  });

  test('is reserved for the owner', async () => {
    const [author, other] = [await person(hub), await person(hub)];
    const { body } = await build(hub, { user_id: author.user_id });
    for (const answer of [
      await list(hub, other.user_id, body.strategy_id),
      await setState(hub, other.user_id, body.strategy_id, 1),
      await list(hub, other.user_id, 1),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'strategy_unknown']);
    }
  });

  test('accepts the states 0, 1 and 2', async () => {
    const { user_id } = await person(hub);
    const { body } = await build(hub, { user_id });
    for (const state of [3, -1]) {
      const answer = await setState(hub, user_id, body.strategy_id, state);
      expect([answer.status, answer.body.detail[0].type]).toEqual([422, 'type_error.enum']);
    }
    for (const state of [1, 2, 0, 0])
      expect((await setState(hub, user_id, body.strategy_id, state)).body).toMatchObject({
        publish_state: state,
        is_listed: false,
      });
  });

  test('takes a strategy out of the explore catalogue and leaves it on the profile', async () => {
    const { user_id, user_key } = await person(hub);
    const { body } = await build(hub, { user_id });
    const id = body.strategy_id;
    const show = (publish_state: string, is_listed: string) =>
      hub.call('POST /profile_publish_strategy', {
        query: { user_id, strategy_id: String(id), publish_state, is_listed },
      });
    const isFound = async () =>
      (await explore(hub, user_id)).body.items.some(
        (each: { strategy_id: number }) => each.strategy_id === id,
      );
    expect((await show('1', 'true')).body).toMatchObject({ publish_state: 1, is_listed: true });
    expect(await isFound()).toBe(true);
    hub.takeCalls();
    expect((await show('1', 'false')).body).toMatchObject({ publish_state: 1, is_listed: false });
    expect(calls()).toBeLessThanOrEqual(3);
    expect([await isFound(), (await profile(hub, user_key)).body.total]).toEqual([false, 1]);
    expect((await show('2', 'true')).body).toMatchObject({ publish_state: 2, is_listed: false });
  });

  test('twice at once lists once', async () => {
    const author = await person(hub);
    const { body } = await build(hub, { user_id: author.user_id });
    const before = (await explore(hub, author.user_id)).body.total;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => list(hub, author.user_id, body.strategy_id)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await explore(hub, author.user_id)).body.total).toBe(before + 1);
    expect((await profile(hub, author.user_key)).body.total).toBe(1);
  });
});

describe('liking', () => {
  test('counts once per user, shows in every list, and can be taken back', async () => {
    const [author, fan] = [await person(hub), await person(hub)];
    const { body } = await build(hub, { user_id: author.user_id });
    await list(hub, author.user_id, body.strategy_id);
    hub.takeCalls();
    const first = (await like(hub, fan.user_id, body.strategy_id)).body;
    expect(calls()).toBeLessThanOrEqual(3);
    expect(first).toMatchObject({
      is_liked: true,
      like_count: 1,
      liked_at: hub.runtime.clock().toISOString(),
      strategy: { is_liked: true, like_count: 1 },
    });
    expect((await like(hub, fan.user_id, body.strategy_id)).body).toEqual(first);
    const favourites = () =>
      hub.call('GET /get_explore_strategy_favourites', { query: { user_id: fan.user_id } });
    hub.takeCalls();
    expect((await favourites()).body).toMatchObject([
      { strategy_id: body.strategy_id, is_liked: true, strategy: { is_liked: true } },
    ]);
    expect(calls()).toBeLessThanOrEqual(3);
    expect((await explore(hub, fan.user_id)).body.items[0]).toMatchObject({ like_count: 1, is_liked: true });
    expect((await explore(hub, author.user_id)).body.items[0]).toMatchObject({
      like_count: 1,
      is_liked: false,
    });
    await setState(hub, author.user_id, body.strategy_id, 0);
    expect((await favourites()).body).toEqual([]);
    expect((await like(hub, fan.user_id, body.strategy_id, false)).body).toMatchObject({
      is_liked: false,
      like_count: 0,
    });
    expect((await like(hub, fan.user_id, body.strategy_id, false)).status).toBe(404);
  });

  test('of a private strategy of another user is answered like an unknown one', async () => {
    const [author, other] = [await person(hub), await person(hub)];
    const { body } = await build(hub, { user_id: author.user_id });
    const [hidden, unknown] = [
      await like(hub, other.user_id, body.strategy_id),
      await like(hub, other.user_id, 12345),
    ];
    expect([hidden.status, hidden.text]).toEqual([404, unknown.text]);
  });

  test('by many at once succeeds although transactions on one item conflict', async () => {
    const author = await person(hub);
    const { body } = await build(hub, { user_id: author.user_id });
    await list(hub, author.user_id, body.strategy_id);
    const fans = await Promise.all(Array.from({ length: 12 }, () => person(hub)));
    // The embedded engine runs transactions one by one; DynamoDB cancels conflicting ones.
    const busy = new Set<string>();
    const { store } = hub.runtime;
    let met = 0;
    const contended = new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return async (...input: unknown[]) => {
          if (name !== 'transact') return Reflect.apply(value, target, input);
          const key = JSON.stringify(body.strategy_id);
          if (JSON.stringify(input).includes(key)) {
            if (busy.has(key)) {
              met++;
              throw new TransactionContendedError(undefined);
            }
            busy.add(key);
          }
          try {
            return await Reflect.apply(value, target, input);
          } finally {
            busy.delete(key);
          }
        };
      },
    });
    const answers = await Promise.all(
      fans.map(({ user_id }) => like(hub.over(contended), user_id, body.strategy_id)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(met).toBeGreaterThan(0);
    expect((await mine(author.user_id)).body.items[0].like_count).toBe(12);
  });

  test('by many at once, also taken back, counts exactly and ranks in search', async () => {
    const author = await person(hub);
    const { body } = await build(hub, { user_id: author.user_id, strategy_name: 'Zebracrossing' });
    await list(hub, author.user_id, body.strategy_id);
    const fans = await Promise.all(Array.from({ length: 20 }, () => person(hub)));
    const answers = await Promise.all(fans.map(({ user_id }) => like(hub, user_id, body.strategy_id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await Promise.all(fans.slice(0, 7).map(({ user_id }) => like(hub, user_id, body.strategy_id, false)));
    expect((await mine(author.user_id)).body.items[0].like_count).toBe(13);
    expect((await profile(hub, author.user_key)).body.items[0].like_count).toBe(13);
    expect((await search(hub, 'zebra')).body).toMatchObject([
      { strategy_id: body.strategy_id, like_count: 13 },
    ]);
  });
});

describe('searching', () => {
  test('finds by the beginnings of words in name, symbol, author and category, best liked first', async () => {
    const [author, fan] = [await person(hub, 'Édith Quaglia'), await person(hub)];
    const made = [];
    for (const [strategy_name, symbol, timeframe] of [
      ['Quokka über alles', 'EURUSD', '1m'],
      ['Quokka rising', 'BTCUSD', '1w'],
      ['Plain', 'XAUUSD', '1d'],
    ] as const) {
      const { body } = await build(hub, { user_id: author.user_id, strategy_name, symbol, timeframe });
      await list(hub, author.user_id, body.strategy_id);
      made.push(body.strategy_id);
    }
    await like(hub, fan.user_id, made[1]);
    const found = async (term: string) =>
      (await search(hub, term)).body.map(({ strategy_id }: { strategy_id: number }) => strategy_id);
    expect(await found('quok')).toEqual([made[1], made[0]]);
    expect(await found('QUOKKA Ub')).toEqual([made[0]]);
    expect(await found('quag xau')).toEqual([made[2]]);
    expect(await found('edith scalp')).toEqual([made[0]]);
    expect(await found('quaglia commodity swing')).toEqual([made[2]]);
    expect(await found('quokkas')).toEqual([]);
    expect(await found('  ')).toEqual([]);
    expect(await found('q')).toEqual(expect.arrayContaining(made));
    expect(await found('quokka über alles')).toEqual([made[0]]);
  });
});

test('a strategy shared by link cannot be found by its id', async () => {
  const [author, stranger] = [await person(hub), await person(hub)];
  const { body } = await build(hub, { user_id: author.user_id });
  await setState(hub, author.user_id, body.strategy_id, 2);
  const metrics = (user_id: string) =>
    hub.call('GET /get_strategies_performance_metrics', {
      query: { user_id, strategy_ids: String(body.strategy_id) },
    });
  expect((await metrics(stranger.user_id)).body.unknown_ids).toEqual([body.strategy_id]);
  expect((await like(hub, stranger.user_id, body.strategy_id)).status).toBe(404);
  expect((await copy(hub, stranger.user_id, body.strategy_key)).body.broker_id).toBeNull();
  expect((await like(hub, stranger.user_id, body.strategy_id)).status).toBe(200);
});

test('a profile can be read with a session without a user_id, and anonymously', async () => {
  const { body: user } = await signUp(hub);
  const { body } = await build(hub, { user_id: user.user_id });
  await setState(hub, user.user_id, body.strategy_id, 1);
  await like(hub, user.user_id, body.strategy_id);
  const seen = await hub.call('GET /get_published_strategies', {
    query: { user_key: user.user_key },
    headers: bearer(user.access_token),
  });
  expect(seen.body.items[0]).toMatchObject({ is_liked: true });
  expect((await profile(hub, user.user_key)).body.items[0]).toMatchObject({ is_liked: false });
});

test('a page of the largest cards is complete, also for a user with the most strategies', async () => {
  const { user_id, user_key } = await person(hub, '😀'.repeat(100));
  const { body } = await build(hub, { user_id });
  await hub.call('POST /rename_strategy', {
    query: {
      user_id,
      strategy_id: String(body.strategy_id),
      strategy_name: '😀'.repeat(100),
      description: '😀'.repeat(2000),
    },
  });
  await setState(hub, user_id, body.strategy_id, 1);
  const [card] = (await profile(hub, user_key)).body.items;
  expect(Buffer.byteLength(JSON.stringify(card)) * 100).toBeLessThan(1_000_000);
});

describe('further data of strategies', () => {
  test('performance is null before the first trade, and unknown ids are named', async () => {
    const [author, other] = [await person(hub), await person(hub)];
    const { body } = await build(hub, { user_id: author.user_id });
    const metrics = (user_id: string, strategy_ids: string) =>
      hub.call('GET /get_strategies_performance_metrics', { query: { user_id, strategy_ids } });
    const own = (await metrics(author.user_id, ` ${body.strategy_id},5`)).body;
    expect(own).toMatchObject({
      metrics: [{ strategy_id: body.strategy_id, trades_count: 0, total_return_pct: null, as_of: null }],
      unknown_ids: [5],
    });
    expect((await metrics(other.user_id, String(body.strategy_id))).body).toEqual({
      metrics: [],
      unknown_ids: [body.strategy_id],
    });
    for (const ids of ['', 'x', '1,,2', Array.from({ length: 51 }, (_, n) => n).join(',')])
      expect((await metrics(author.user_id, ids)).status).toBe(422);
  });

  test('add-ons show their availability and the reason', async () => {
    const { user_id } = await person(hub);
    const { body } = await build(hub, { user_id, symbol: 'AAPL,MSFT' });
    const addOns = await hub.call('GET /get_strategy_add_ons', {
      query: { user_id, strategy_id: String(body.strategy_id) },
    });
    const byId = Object.fromEntries(
      addOns.body.add_ons.map((one: { add_on_id: string }) => [one.add_on_id, one]),
    );
    expect(byId.paper_trading).toMatchObject({ enabled: true, available: true, reason: null });
    expect(byId.live_trading).toMatchObject({ available: false, reason: expect.any(String) });
    expect(byId.scanner).toMatchObject({ available: false });
    expect(
      (await hub.call('GET /get_strategy_add_ons', { query: { user_id, strategy_id: 'abc' } })).status,
    ).toBe(404);
  });

  test('referred users are counted', async () => {
    const { body: referrer } = await register(hub);
    await register(hub, { referral_code: referrer.referral_code });
    const { body } = await hub.call('GET /get_referred_user_count', { query: { user_id: referrer.user_id } });
    expect(body).toEqual({ referral_code: referrer.referral_code, referred_user_count: 1 });
  });
});
