import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { budgetOf } from '../../../shared/data/table/budgets.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { isRecord } from '../../../shared/domain/unknown-fields.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, signUp } from '../../support/people.ts';
import { randomRulesJson } from '../../support/random-rules.ts';
import { crossRules, FULL_RULES, rulesWith } from '../../support/rules.ts';
import { soakable } from '../../support/soak.ts';
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
  setRules,
  setState,
} from '../../support/strategies.ts';

const SENTENCE = 'Buys with 100% of equity when SMA(10) crosses above SMA(30).';

const hub = await openHub((opened) => furnishWithInstruments(opened, ['AAPL']));
beforeEach(() => {
  hub.advance(1000);
  hub.takeCalls();
});

const getStrategy = (user_id: string, strategy_id: number, more: Record<string, string> = {}) =>
  hub.call('GET /get_strategy', { query: { user_id, strategy_id: String(strategy_id), ...more } });

/** Builds a strategy of a new user. */
const strategyOf = async (making: Record<string, string> = {}) => {
  const { user_id, user_key } = await person(hub);
  const { body } = await build(hub, { user_id, ...making });
  return { user_id, user_key, strategy_id: body.strategy_id, strategy_key: body.strategy_key };
};

/** Builds a strategy with rules in the explore catalogue. */
const listedWith = async (rules: unknown, more: Record<string, string> = {}) => {
  const made = await strategyOf({ strategy_name: `Rules ${Math.random().toString(36).slice(2)}` });
  await setRules(hub, made, rules, more);
  await list(hub, made.user_id, made.strategy_id);
  return made;
};

describe('setting rules', () => {
  test('stores them with their sentence, raises the version and sets the direction', async () => {
    const made = await strategyOf();
    hub.takeCalls();
    const { status, body } = await setRules(hub, made, crossRules());
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      strategy_id: made.strategy_id,
      is_own: true,
      version: 2,
      rules_version: 2,
      sentence: SENTENCE,
      rules_visibility: 'open',
      direction: 'long',
      rules_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      rules: { schema: 'hub.rules/1', params: {}, exits: [], max_trades: 1 },
      versions: [{ version: 2, sentence: SENTENCE, rules_hash: body.rules_hash }],
    });
    hub.takeCalls();
    expect((await getStrategy(made.user_id, made.strategy_id)).body).toEqual(body);
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
  });

  test('changes nothing if the rules mean the same', async () => {
    const made = await strategyOf();
    const { body } = await setRules(hub, made, crossRules());
    hub.advance(1000);
    hub.takeCalls();
    const again = await setRules(hub, made, { exits: [], ...crossRules(), reverse: false });
    expect(again.body).toEqual(body);
    expect(hub.takeCalls()).toHaveLength(1);
  });

  test('keeps the last 20 versions, which can be read', async () => {
    const made = await strategyOf();
    for (let slow = 11; slow < 33; slow++) await setRules(hub, made, crossRules(10, slow));
    const { body } = await getStrategy(made.user_id, made.strategy_id);
    expect(body.versions.map(({ version }: { version: number }) => version)).toEqual(
      Array.from({ length: 20 }, (_, index) => 23 - index),
    );
    const earlier = await getStrategy(made.user_id, made.strategy_id, { rules_version: '5' });
    expect(earlier.body).toMatchObject({
      version: 23,
      rules_version: 5,
      sentence: SENTENCE.replace('30', '14'),
      rules: { entries: [{ when: { right: { length: 14 } } }] },
    });
    const gone = await getStrategy(made.user_id, made.strategy_id, { rules_version: '3' });
    expect([gone.status, gone.body.code]).toEqual([404, 'rules_version_unknown']);
  });

  test('are stored 1,000 times a day at most', async () => {
    const made = await strategyOf();
    const { store, keyRing, clock } = hub.runtime;
    const { key, max } = budgetOf(await keyRing(), 'rules_user', [made.user_id], clock());
    expect(max).toBe(1000);
    await setRules(hub, made, crossRules());
    expect((await store.getMany([key]))[0]).toMatchObject({ used: 1 });
    await store.put({ ...key, used: 1000 });
    expect(await setRules(hub, made, crossRules(10, 50))).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
    });
    hub.advance(24 * 3_600_000);
    expect((await setRules(hub, made, crossRules(10, 50))).status).toBe(200);
  });

  test('refuses to replace rules that the caller has not read', async () => {
    const made = await strategyOf();
    const expecting = (version: number) => ({ expected_rules_version: String(version) });
    const first = await setRules(hub, made, crossRules(), expecting(0));
    expect([first.status, first.body.rules_version]).toEqual([200, 2]);
    for (const stale of [0, 1, 3]) {
      const { status, body } = await setRules(hub, made, crossRules(5), expecting(stale));
      expect([status, body.code]).toEqual([409, 'rules_changed']);
    }
    expect((await getStrategy(made.user_id, made.strategy_id)).body).toEqual(first.body);
    const repeated = await setRules(hub, made, crossRules(), expecting(0));
    expect(repeated.body).toEqual(first.body);
    const second = await setRules(hub, made, crossRules(5), expecting(2));
    expect([second.status, second.body.rules_version]).toEqual([200, 3]);
  });

  test('is refused for the strategy of another and for another session', async () => {
    const made = await strategyOf();
    const other = (await signUp(hub)).body;
    const foreign = await setRules(hub, { ...made, user_id: other.user_id }, crossRules());
    expect([foreign.status, foreign.body.code]).toEqual([404, 'strategy_unknown']);
    const mismatch = await hub.call('POST /set_strategy_rules', {
      query: { user_id: made.user_id, strategy_id: String(made.strategy_id) },
      json: crossRules(),
      headers: bearer(other.access_token),
    });
    expect(mismatch.status).toBe(403);
    expect((await getStrategy(made.user_id, made.strategy_id)).body).toMatchObject({
      version: 1,
      rules: null,
    });
  });

  test('refuses wrong rules with the path and the allowed values, and stores nothing', async () => {
    const made = await strategyOf();
    const { status, body } = await setRules(hub, made, {
      ...rulesWith({ left: { indicator: 'smaa' }, op: 'gt', right: { price: 'close', agoo: 1 } }),
      extra: true,
    });
    expect(status).toBe(422);
    expect(body.detail).toEqual([
      {
        loc: ['body', 'entries', 0, 'when', 'left', 'indicator'],
        msg: expect.stringContaining("permitted: 'sma', 'ema'"),
        type: 'type_error.enum',
        ctx: { enum_values: expect.arrayContaining(['sma', 'psar']) },
      },
      {
        loc: ['body', 'entries', 0, 'when', 'right', 'agoo'],
        msg: 'extra fields not permitted',
        type: 'value_error.extra',
      },
      { loc: ['body', 'extra'], msg: 'extra fields not permitted', type: 'value_error.extra' },
    ]);
    expect((await getStrategy(made.user_id, made.strategy_id)).body.rules).toBeNull();
  });

  test('refuses operands whose timeframe is not a multiple of that of the strategy', async () => {
    const made = await strategyOf({ timeframe: '4h' });
    const on = (timeframe: string) =>
      rulesWith({ left: { indicator: 'sma', timeframe }, op: 'gt', right: { price: 'close' } });
    const { status, body } = await setRules(hub, made, on('1h'));
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'entries', 0, 'when', 'left', 'timeframe']]);
    for (const timeframe of ['4h', '1d', '1w'])
      expect((await setRules(hub, made, on(timeframe))).status).toBe(200);
  });
});

describe('rules that others see', () => {
  test('show their sentence in every list, and the rules go with a copy', async () => {
    const made = await listedWith(crossRules());
    const fan = await person(hub);
    const shown = { sentence: SENTENCE, rules_visibility: 'open', direction: 'long' };
    const own = ({ strategy_id }: { strategy_id: number }) => strategy_id === made.strategy_id;
    expect((await explore(hub, fan.user_id)).body.items.find(own)).toMatchObject(shown);
    expect((await profile(hub, made.user_key)).body.items.find(own)).toMatchObject(shown);
    expect((await like(hub, fan.user_id, made.strategy_id)).body.strategy).toMatchObject(shown);
    expect((await search(hub, 'rules')).body.find(own)).toMatchObject(shown);
    expect((await getStrategy(fan.user_id, made.strategy_id)).body).toMatchObject({
      ...shown,
      is_own: false,
      is_liked: true,
      status: 'ready',
      categories: ['equity', 'swing'],
      performance: { trades_count: 0, returns_pct: [] },
      rules: null,
      rules_hash: null,
      versions: [],
    });
    const copied = await copy(hub, fan.user_id, made.strategy_key);
    expect(copied.body).toMatchObject({ sentence: SENTENCE, rules_visibility: 'open', direction: 'long' });
    const { body } = await getStrategy(fan.user_id, copied.body.strategy_id);
    expect(body).toMatchObject({ rules_version: 1, rules: { entries: [{ side: 'long' }] } });
    expect(body.versions).toHaveLength(1);
    await setRules(hub, { user_id: fan.user_id, strategy_id: copied.body.strategy_id }, crossRules(5, 20));
    expect((await getStrategy(fan.user_id, copied.body.strategy_id)).body.versions).toHaveLength(2);
    expect((await getStrategy(made.user_id, made.strategy_id)).body.sentence).toBe(SENTENCE);
  });

  test('have the whole sentence on the page of the strategy, of which cards show the beginning', async () => {
    const when = {
      any: Array.from({ length: 20 }, (_, index) => crossRules(index + 2, 100).entries[0]?.when),
    };
    const made = await listedWith({ ...crossRules(), entries: [{ side: 'long', when }] });
    const fan = await person(hub);
    const own = (await getStrategy(made.user_id, made.strategy_id)).body.sentence;
    hub.takeCalls();
    const { sentence } = (await getStrategy(fan.user_id, made.strategy_id)).body;
    expect(hub.takeCalls()).toHaveLength(2);
    expect(sentence).toBe(own);
    const card = (await profile(hub, made.user_key)).body.items[0];
    expect(sentence.length).toBeGreaterThan(card.sentence.length);
  });

  test('change on every card when they are set again', async () => {
    const made = await listedWith(crossRules());
    await setRules(hub, made, crossRules(5, 20));
    const [card] = (await profile(hub, made.user_key)).body.items;
    expect(card.sentence).toBe('Buys with 100% of equity when SMA(5) crosses above SMA(20).');
  });

  test.each([
    ['before it is listed', true],
    ['afterwards', false],
  ])('stay hidden and cannot be copied when closed %s', async (_title, before) => {
    const made = before
      ? await listedWith(crossRules(), { rules_visibility: 'closed' })
      : await listedWith(crossRules());
    if (!before) await setRules(hub, made, crossRules(), { rules_visibility: 'closed' });
    const fan = await person(hub);
    const liked = await like(hub, fan.user_id, made.strategy_id);
    const favourites = await hub.call('GET /get_explore_strategy_favourites', {
      query: { user_id: fan.user_id },
    });
    const shown = [
      (await explore(hub, fan.user_id)).body.items.find(
        ({ strategy_id }: { strategy_id: number }) => strategy_id === made.strategy_id,
      ),
      (await profile(hub, made.user_key)).body.items[0],
      liked.body.strategy,
      favourites.body[0].strategy,
      (await getStrategy(fan.user_id, made.strategy_id)).body,
    ];
    for (const item of shown) {
      expect(item).toMatchObject({ sentence: null, rules_visibility: 'closed', direction: 'long' });
      expect(JSON.stringify(item)).not.toContain('SMA');
    }
    const refused = await copy(hub, fan.user_id, made.strategy_key);
    expect([refused.status, refused.body.code]).toEqual([403, 'rules_closed']);
    expect((await getStrategy(made.user_id, made.strategy_id)).body).toMatchObject({
      sentence: SENTENCE,
      rules_visibility: 'closed',
      copy_count: 0,
    });
    expect((await copy(hub, made.user_id, made.strategy_key)).body).toMatchObject({
      rules_visibility: 'closed',
    });
  });

  test('closed while somebody copies them are not copied', async () => {
    const made = await listedWith(crossRules());
    const fan = await person(hub);
    let isOpen = true;
    const { store } = hub.runtime;
    const slow = new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return async (...input: unknown[]) => {
          if (name === 'transact' && isOpen) {
            isOpen = false;
            await setRules(hub, made, crossRules(), { rules_visibility: 'closed' });
          }
          return Reflect.apply(value, target, input);
        };
      },
    });
    const { status, body } = await copy(hub.over(slow), fan.user_id, made.strategy_key);
    expect([status, body.code]).toEqual([403, 'rules_closed']);
    expect((await getStrategy(made.user_id, made.strategy_id)).body.copy_count).toBe(0);
  });

  test('are opened again, and then copied', async () => {
    const made = await listedWith(crossRules(), { rules_visibility: 'closed' });
    expect((await setRules(hub, made, crossRules(), { rules_visibility: 'open' })).body.version).toBe(3);
    const fan = await person(hub);
    expect((await profile(hub, made.user_key)).body.items[0].sentence).toBe(SENTENCE);
    expect((await copy(hub, fan.user_id, made.strategy_key)).status).toBe(200);
  });

  test('are not shown at all for a private strategy', async () => {
    const made = await strategyOf();
    await setRules(hub, made, crossRules());
    const fan = await person(hub);
    expect((await getStrategy(fan.user_id, made.strategy_id)).status).toBe(404);
    await setState(hub, made.user_id, made.strategy_id, 1);
    expect((await getStrategy(fan.user_id, made.strategy_id)).status).toBe(200);
    expect((await getStrategy('nobody', made.strategy_id)).body.code).toBe('user_unknown');
  });
});

test('rules of a newer version are refused with 409, and lists still show the strategy', async () => {
  const made = await strategyOf();
  const { body } = await setRules(hub, made, FULL_RULES);
  const text = JSON.stringify({ ...body.rules, schema: 'hub.rules/2' });
  await hub.runtime.store.transact([
    { key: keys.rules(body.rules_hash), set: { entity: 'rules', rules: text } },
  ]);
  const { status, body: refusal } = await getStrategy(made.user_id, made.strategy_id);
  expect([status, refusal.code]).toEqual([409, 'newer_version']);
  const own = await hub.call('GET /get_strategies_by_user', { query: { user_id: made.user_id } });
  expect(own.body.items).toHaveLength(1);
});

test('the templates can be set as they are, and describe themselves', async () => {
  const { body } = await hub.call('GET /get_strategy_templates');
  expect(body.map(({ key }: { key: string }) => key)).toEqual([
    'moving_average_cross',
    'rsi_reversion',
    'bollinger_reversion',
    'donchian_breakout',
    'macd_cross',
    'supertrend',
    'golden_cross',
    'session_momentum',
    'atr_trail',
    'adx_trend',
    'opening_range_breakout',
    'ichimoku_cloud',
    'turtle',
    'keltner_squeeze',
    'vwap_reversion',
    'engulfing_trend',
    'pivot_bounce',
    'weekly_momentum',
    'stoch_rsi_swing',
    'heikin_ashi_trend',
  ]);
  for (const { rules, sentence, timeframes } of body) {
    const made = await strategyOf({ timeframe: timeframes[0] });
    const answer = await setRules(hub, made, rules);
    expect(answer.body).toMatchObject({ rules, sentence });
  }
});

/** Values that are wrong in most places of rules. */
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(-1, 0, 0.5, 501, 1e300, '', 'sma', '__proto__', {}, [], null, { param: 'n' }),
  fc.constant({ indicator: 'constructor' }),
  fc.constant(Array.from({ length: 600 }, () => ({ bars_in_trade: 1 }))),
);

/** Replaces, removes or adds one value somewhere in JSON. */
const mutated = (value: unknown, choose: (below: number) => number, by: unknown): unknown => {
  if (Array.isArray(value) && value.length > 0 && choose(8) > 0) {
    const at = choose(value.length);
    return value.with(at, mutated(value[at], choose, by));
  }
  if (isRecord(value) && Object.keys(value).length > 0 && choose(8) > 0) {
    const names = Object.keys(value);
    const name = names[choose(names.length)] ?? '';
    const { [name]: chosen, ...rest } = value;
    const kind = choose(6);
    if (kind === 0) return rest;
    return kind === 1 ? { ...value, [`${name}x`]: by } : { ...value, [name]: mutated(chosen, choose, by) };
  }
  return by;
};

const mutatedRules = fc
  .tuple(
    fc.oneof(fc.constant<unknown>(FULL_RULES), randomRulesJson('1d')),
    fc.array(fc.tuple(fc.array(fc.nat(1000), { minLength: 60, maxLength: 60 }), odd), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([rules, changes]) =>
    changes.reduce<unknown>((changed, [picks, by]) => {
      let next = 0;
      return mutated(changed, (below) => (picks[next++ % picks.length] ?? 0) % below, by);
    }, rules),
  );

/** Tells whether the value that holds the last key of a path exists in JSON. */
const hasParent = (json: unknown, path: readonly (string | number)[]): boolean => {
  let value = json;
  for (const key of path.slice(0, -1)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
    value = Reflect.get(value, key);
  }
  return true;
};

describe('any rules', () => {
  let made: { user_id: string; strategy_id: number };
  beforeAll(async () => {
    made = await strategyOf();
  });

  test('are stored, or refused with paths that exist', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 5, arbitrary: mutatedRules }, fc.jsonValue()), async (rules) => {
        const { status, body } = await setRules(hub, made, rules);
        expect([200, 422]).toContain(status);
        if (status === 200) {
          expect(await getStrategy(made.user_id, made.strategy_id)).toMatchObject({
            body: { rules: body.rules },
          });
          return;
        }
        expect(body.detail.length).toBeGreaterThan(0);
        expect(body.detail.length).toBeLessThanOrEqual(101);
        for (const { loc, msg } of body.detail) {
          expect(loc[0]).toBe('body');
          expect(hasParent(JSON.parse(JSON.stringify(rules)), loc.slice(1))).toBe(true);
          expect(msg).not.toMatch(/undefined|Invalid|object Object/);
        }
      }),
      { numRuns: soakable(30, 3000) },
    );
  });

  test.each([
    ['nested too deep', `{"schema":"hub.rules/1","entries":[${'{"not":'.repeat(5000)}1${'}'.repeat(5000)}]}`],
    [
      'with a number beyond doubles',
      JSON.stringify(rulesWith({ left: 7, op: 'gt', right: 1 })).replace('7', '1e400'),
    ],
    ['with NaN', JSON.stringify(rulesWith({ left: 7, op: 'gt', right: 1 })).replace('7', 'NaN')],
    ['with the key __proto__', '{"schema":"hub.rules/1","__proto__":{"entries":[]},"entries":[]}'],
    [
      'with a parameter __proto__',
      JSON.stringify(crossRules()).replace('{', '{"params":{"__proto__":{"default":1}},'),
    ],
    ['cut off', JSON.stringify(crossRules()).slice(0, -2)],
    ['of 60 KB', JSON.stringify({ ...crossRules(), exits: Array.from({ length: 15_000 }, () => 1) })],
  ])('%s are refused', async (_title, text) => {
    const { status, body } = await hub.call('POST /set_strategy_rules', {
      query: { user_id: made.user_id, strategy_id: String(made.strategy_id) },
      body: text,
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(422);
    expect(body.detail.length).toBeLessThanOrEqual(101);
  });
});
