import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { backtestIn } from '../../../functions/backtests/forms/body.ts';
import { MAX_FULL_BARS } from '../../../functions/backtests/get-backtest.ts';
import { marketOf } from '../../../infra/backtests/market.ts';
import { runOnCandles } from '../../../infra/backtests/run.ts';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import { budgetOf } from '../../../shared/data/table/budgets.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { columnsOf } from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { tradingDaysOf } from '../../../shared/domain/candles/trading-days.ts';
import { shownFields, shownNumbers } from '../../../shared/domain/digits.ts';
import { plainSettings } from '../../../shared/domain/engine/account/settings.ts';
import { runBacktest as runDomain } from '../../../shared/domain/engine/backtest/backtest.ts';
import { marketTimeOf } from '../../../shared/domain/engine/market-time.ts';
import { resolveParams } from '../../../shared/domain/engine/rules/params.ts';
import { rulesSchema } from '../../../shared/domain/engine/rules/schema.ts';
import { backtestBody, runBacktest, sweepStrategy, usedOf, workKey } from '../../support/backtests.ts';
import { DAILY, sessionBars } from '../../support/candles.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { importOwnCandles } from '../../support/own-candles.ts';
import { register, registerUnproven } from '../../support/people.ts';
import { crossRules, rulesWith } from '../../support/rules.ts';
import { build, furnishWithInstruments, person, setRules } from '../../support/strategies.ts';

const BARS = sessionBars('2000-01-03', 5100);

let hub: TestHub;
let user_id: string;

beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['SPY', 'AAPL', 'QQQ', 'EURUSD']);
  await importBars(hub.runtime.store, DAILY, BARS);
  user_id = (await person(hub)).user_id;
});
afterAll(() => hub.close());

/** Returns the same backtest by the engine alone. */
const expected = () => {
  const resolved = resolveParams(rulesSchema.parse(backtestBody().rules));
  if (!('rules' in resolved)) throw new Error('the rules have parameters');
  return runDomain(
    {
      rules: resolved.rules,
      timeframe: '1d',
      account: plainSettings(10_000),
      currency: 'USD',
      legs: [
        {
          symbol: 'SPY',
          share: 1,
          time: marketTimeOf(calendarById('us')),
          size_step: 1,
          contract_size: 1,
          direction: 'both',
        },
      ],
      days: tradingDaysOf(['us']),
    },
    [BARS],
  );
};

const NAMED = { backtest_name: 'After the costs rose' };

describe('a backtest', () => {
  test('of twenty years of daily bars is done in the answer, with three calls to read and two to store', async () => {
    hub.takeCalls();
    const { status, body } = await runBacktest(hub, user_id);
    const calls = hub.takeCalls();
    expect(status).toBe(200);
    expect(calls).toEqual(['BatchGetItem', 'UpdateItem', 'BatchGetItem', 'TransactWriteItems']);
    const result = expected();
    expect(body).toMatchObject({
      status: 'done',
      progress: 1,
      error: null,
      symbol: 'SPY',
      timeframe: '1d',
      bars: 5100,
      engine_version: 1,
      trades_count: result.trades_count,
      statistics: shownNumbers(result.statistics),
    });
    expect(body.trades_count).toBeGreaterThan(20);
    expect(body.equity.length).toBeLessThanOrEqual(500);
    expect(body.benchmark.return_pct).toBe(shownNumbers(result.statistics?.buy_and_hold_pct));
    expect(body.sentence).toContain('when SMA(5) crosses above SMA(20)');
  });

  test.each([
    ['of all candles', {}],
    ['of a range, with costs', { from: '2012-03-01', to: '2018-01-01', account: { commission_rate: 0.001 } }],
  ])('%s has the result of the command line on the same candles', async (_, more) => {
    const { body } = await runBacktest(hub, user_id, more);
    const { from, to, account, rules } = backtestIn.parse(backtestBody(more));
    if (!rules) throw new Error('the request has no rules');
    const market = marketOf({ symbol: 'spy', timeframe: '1d', assetClass: 'equity', zone: 'UTC' });
    const timeOf = (text?: string) => (text === undefined ? undefined : Date.parse(text));
    const times = { from: timeOf(from), to: timeOf(to) };
    const files = { rulesFile: 'rules.json', candlesFile: 'spy.csv' };
    const task = { rules, params: {}, account, market, bars: BARS, ...times, ...files };
    const { report, sentence, rulesHash } = await runOnCandles(task);
    expect(body).toMatchObject(shownFields({ ...report, sentence, rules_hash: rulesHash }));
  });

  test('of the same rules and candles has the same result, byte by byte', async () => {
    const outcome = async () => {
      const {
        backtest_id: _id,
        created_at: _created,
        finished_at: _finished,
        ...rest
      } = (await runBacktest(hub, user_id)).body;
      return JSON.stringify(rest);
    };
    const first = await outcome();
    hub.advance(1000);
    expect(await outcome()).toBe(first);
  });

  test('of a strategy takes its symbols, timeframe and rules', async () => {
    const { strategy_id } = (await build(hub, { user_id, symbol: 'SPY' })).body;
    const before = await runBacktest(hub, user_id, { rules: undefined, strategy_id });
    expect(before).toMatchObject({ status: 409, body: { code: 'strategy_unsuitable' } });
    const rules = crossRules({ param: 'fast' }, 20, { params: { fast: { default: 5, min: 2, max: 50 } } });
    await setRules(hub, { user_id, strategy_id }, rules);
    const json = { strategy_id, params: { fast: 10 } };
    hub.takeCalls();
    const { status, body } = await hub.call('POST /run_backtest', { query: { user_id }, json });
    expect(status).toBe(200);
    expect(hub.takeCalls()).toEqual([
      'BatchGetItem',
      'BatchGetItem',
      'UpdateItem',
      'BatchGetItem',
      'TransactWriteItems',
    ]);
    expect(body).toMatchObject({
      strategy_id,
      symbol: 'SPY',
      timeframe: '1d',
      params: { fast: 10 },
      rules: { params: { fast: { default: 5 } } },
    });
    expect(body.sentence).toContain('SMA(10)');
    const stranger = await person(hub);
    expect(await hub.call('POST /run_backtest', { query: stranger, json })).toMatchObject({
      status: 404,
      body: { code: 'strategy_unknown' },
    });
    const listed = await hub.call('GET /get_backtests', {
      query: { user_id, strategy_id: String(strategy_id) },
    });
    expect(listed.body).toMatchObject({
      total: 1,
      items: [{ backtest_id: body.backtest_id, summary: { trades_count: body.statistics.trades_count } }],
    });
  });

  test('evaluates from a day on, with the bars before as warm-up', async () => {
    const { body } = await runBacktest(hub, user_id, { from: '2010-03-01', to: '2011-03-01' });
    expect(body).toMatchObject({
      first_bar: '2010-03-01T05:00:00.000Z',
      first_evaluated_bar: '2010-03-01T05:00:00.000Z',
      last_bar: '2011-02-28T05:00:00.000Z',
    });
    expect(body.monthly_returns).toHaveLength(12);
  });

  test('of weeks is derived from days, without the week that is open', async () => {
    const { body } = await runBacktest(hub, user_id, { timeframe: '1w' });
    expect(body).toMatchObject({ status: 'done', timeframe: '1w' });
    expect(body.bars).toBeGreaterThan(1000);
    expect(Date.parse(body.last_bar)).toBeLessThan((BARS.start.at(-1) ?? 0) - 3 * 86_400_000);
  });

  test('takes amounts as numbers and as decimal text', async () => {
    const { body } = await runBacktest(hub, user_id, {
      account: {
        starting_capital: '25000.50',
        commission_rate: '1e-3',
        spread_rate: (0.1 + 0.2) / 1000,
        size_step: 0.5,
      },
    });
    expect(body.account).toMatchObject({
      starting_capital: 25_000.5,
      commission_rate: 0.001,
      spread_rate: 0.0003,
      size_step: 0.5,
    });
    expect(body.statistics.fees).toBeGreaterThan(0);
    expect(body.statistics.total_return_pct % 1).not.toBe(0);
    expect(body).toEqual(shownNumbers(body));
  });

  test('shows every bar on request, and refuses once the candles have changed', async () => {
    const own = await startHub();
    await furnishWithInstruments(own, ['SPY']);
    await importBars(own.runtime.store, DAILY, BARS);
    const someone = await person(own);
    const { body } = await runBacktest(own, someone.user_id);
    const query = { user_id: someone.user_id, backtest_id: String(body.backtest_id) };
    expect((await own.call('GET /get_backtest', { query })).body).toEqual(body);
    own.takeCalls();
    const full = await own.call('GET /get_backtest', { query: { ...query, full: 'true' } });
    expect(own.takeCalls()).toEqual([
      'BatchGetItem',
      'BatchGetItem',
      'UpdateItem',
      'UpdateItem',
      'BatchGetItem',
    ]);
    expect(full.body.equity).toHaveLength(5100);
    expect(full.body.equity.map(({ equity }: { equity: number }) => equity).at(-1)).toBe(
      body.statistics.final_equity,
    );
    const changed = { ...BARS, close: BARS.close.map((price, index) => (index === 9 ? price - 1 : price)) };
    await importBars(own.runtime.store, DAILY, changed);
    expect(await own.call('GET /get_backtest', { query: { ...query, full: 'true' } })).toMatchObject({
      status: 409,
      body: { code: 'candles_changed' },
    });
    expect((await own.call('GET /get_backtest', { query })).status).toBe(200);
    await own.close();
  });

  test("is nobody else's", async () => {
    const { backtest_id } = (await runBacktest(hub, user_id)).body;
    const { user_id: other } = await person(hub);
    const query = { user_id: other, backtest_id: String(backtest_id) };
    for (const route of [
      'GET /get_backtest',
      'GET /get_backtest_trades',
      'POST /update_backtest',
      'POST /remove_backtest',
    ]) {
      expect(
        await hub.call(route, { query: { ...query, ...(route === 'POST /update_backtest' && NAMED) } }),
      ).toMatchObject({
        status: 404,
        body: { code: 'backtest_unknown' },
      });
    }
    expect((await hub.call('GET /get_backtests', { query: { user_id: other } })).body.total).toBe(0);
  });

  test('has its trades in pages', async () => {
    const { body } = await runBacktest(hub, user_id, {
      rules: rulesWith(
        { left: { price: 'close' }, op: 'gt', right: 0 },
        { exits: [{ side: 'long', when: { bars_in_trade: 1 } }] },
      ),
    });
    expect(body.trades_count).toBeGreaterThan(1000);
    const query = { user_id, backtest_id: String(body.backtest_id) };
    const page = async (number: number, size: number) => {
      hub.takeCalls();
      const answer = await hub.call('GET /get_backtest_trades', {
        query: { ...query, page: String(number), size: String(size) },
      });
      expect(hub.takeCalls().length).toBeLessThanOrEqual(2);
      return answer.body;
    };
    const { total, pages } = await page(1, 100);
    expect(total).toBe(body.trades_count);
    const numbers: number[] = [];
    for (let number = 1; number <= pages; number++) {
      numbers.push(...(await page(number, 100)).items.map((item: { number: number }) => item.number));
    }
    expect(numbers).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    expect((await page(pages + 1, 100)).items).toEqual([]);
    const [second] = (await page(2, 1)).items;
    expect(second).toMatchObject({ number: 2, symbol: 'SPY', side: 'long', exit_reason: 'exit', bars: 2 });

    // A part of the trades that is damaged is left out, the others keep their places, and the total counts it.
    const { store } = hub.runtime;
    const chunks = await store.queryItems({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.backtest(body.backtest_id).pk },
    });
    const [chunk] = chunks.filter(({ entity }) => entity === 'backtest_trades');
    if (!chunk) throw new Error('there are no trades');
    await store.put({ ...chunk, trades: new Uint8Array([1, 2, 3]) });
    hub.log.length = 0;
    const left: number[] = [];
    for (let number = 1; number <= pages; number++) {
      const shown = await page(number, 100);
      expect([shown.total, shown.pages]).toEqual([total, pages]);
      left.push(...shown.items.map((item: { number: number }) => item.number));
    }
    expect(left).toEqual(numbers.slice(250));
    const damaged = hub.log.flatMap(({ message, extra }) =>
      message === 'a record cannot be read' ? [extra] : [],
    );
    expect(damaged).toHaveLength(3);
    for (const one of damaged) {
      expect(one).toEqual({
        operation: 'get_backtest_trades',
        record: expect.stringMatching(/^the item \S+, \S+ cannot be read: trades: /),
      });
    }
  });

  test('takes a name, and is filed under a strategy of its owner', async () => {
    const { user_id: owner } = await person(hub);
    const { backtest_id, rules_hash, backtest_name } = (await runBacktest(hub, owner)).body;
    expect(backtest_name).toBeNull();
    const query = { user_id: owner, backtest_id: String(backtest_id) };
    const update = (change: Record<string, string>) =>
      hub.call('POST /update_backtest', { query: { ...query, ...change } });
    const shown = async () => (await hub.call('GET /get_backtest', { query })).body;
    const filed = async (strategy_id: string) =>
      (await hub.call('GET /get_backtests', { query: { user_id: owner, strategy_id } })).body.items;
    const own = String((await build(hub, { user_id: owner })).body.strategy_id);
    const foreign = String((await build(hub, { user_id })).body.strategy_id);

    expect(await update({})).toMatchObject({ status: 422 });
    expect(await update({ backtest_name: ' ' })).toMatchObject({ status: 422 });
    expect(await update({ backtest_name: 'x'.repeat(101) })).toMatchObject({ status: 422 });
    expect(await update({ ...NAMED, strategy_id: foreign })).toMatchObject({
      status: 404,
      body: { code: 'strategy_unknown' },
    });
    expect(await shown()).toMatchObject({ backtest_name: null, strategy_id: null });
    expect(await filed(own)).toEqual([]);

    expect(await update(NAMED)).toMatchObject({ status: 200, body: { ...NAMED, strategy_id: null } });
    expect(await update({ strategy_id: own })).toMatchObject({
      status: 200,
      body: { ...NAMED, strategy_id: Number(own) },
    });
    expect(await shown()).toMatchObject({ ...NAMED, strategy_id: Number(own), rules_hash });
    expect(await filed(own)).toMatchObject([{ ...NAMED, backtest_id, rules_hash }]);
    await hub.call('POST /remove_backtest', { query });
    expect((await update(NAMED)).status).toBe(404);
  });

  test('is removed once and for all', async () => {
    const { backtest_id } = (await runBacktest(hub, user_id)).body;
    const query = { user_id, backtest_id: String(backtest_id) };
    const total = async () => (await hub.call('GET /get_backtests', { query: { user_id } })).body.total;
    const before = await total();
    for (let time = 0; time < 2; time++) {
      expect(await hub.call('POST /remove_backtest', { query })).toMatchObject({
        status: 200,
        body: { backtest_id },
      });
    }
    expect(await total()).toBe(before - 1);
    expect((await hub.call('GET /get_backtest', { query })).status).toBe(404);
  });

  test('replaces the oldest beyond the quota of the plan, with a notice', async () => {
    const { user_id: collector } = await person(hub);
    const made: number[] = [];
    for (let count = 0; count < 20; count++) {
      hub.advance(1);
      const { body } = await runBacktest(hub, collector, { to: '2000-06-01' });
      expect(body.warnings.map(({ code }: { code: string }) => code)).not.toContain('oldest_dropped');
      made.push(body.backtest_id);
    }
    const { body } = await runBacktest(hub, collector, { to: '2000-06-01' });
    expect(body.warnings).toContainEqual(expect.objectContaining({ code: 'oldest_dropped', count: 1 }));
    const { items, total } = (
      await hub.call('GET /get_backtests', { query: { user_id: collector, size: '100' } })
    ).body;
    expect(total).toBe(20);
    expect(items.map((item: { backtest_id: number }) => item.backtest_id)).toEqual(
      [...made.slice(1), body.backtest_id].toReversed(),
    );
  });
});

test('the equity of as many bars as `full` shows fits an answer', () => {
  const [at, most] = ['2020-01-01T00:00:00.000Z', -1.2345678901234568e-16];
  const bar = [
    { at, equity: most, drawdown_pct: most },
    { at, equity: most },
  ];
  const rest = 64 * 1024 + 250_000;
  expect(MAX_FULL_BARS * JSON.stringify(bar).length + rest).toBeLessThan(6 * 1024 * 1024);
});

describe('a request to backtest', () => {
  test.each([
    [{ symbol: 'NOPE' }, ['body', 'symbol'], 'value_error.candles'],
    [{ symbol: undefined, symbols: ['SPY', '%%'] }, ['body', 'symbols', 1], 'value_error.candles'],
    [{ symbol: undefined, symbols: ['SPY', 'spy'] }, ['body', 'symbols', 1], 'value_error.symbol'],
    [{ symbol: undefined }, ['body', 'symbol'], 'value_error.missing'],
    [{ symbols: ['SPY'] }, ['body', 'symbols'], 'value_error'],
    [{ timeframe: '1h' }, ['body', 'symbol'], 'value_error.candles'],
    [{ timeframe: '2d' }, ['body', 'timeframe'], 'type_error.enum'],
    [{ timeframe: undefined }, ['body', 'timeframe'], 'value_error.missing'],
    [{ rules: undefined }, ['body', 'rules'], 'value_error.missing'],
    [{ strategy_id: 5 }, ['body', 'rules'], 'value_error'],
    [{ params: { fast: 3 } }, ['body', 'params', 'fast'], 'value_error.param'],
    [{ params: { fast: '3' } }, ['body', 'params', 'fast'], 'type_error.float'],
    [{ from: 'yesterday' }, ['body', 'from'], 'value_error.datetime'],
    [{ from: '2011-01-01', to: '2010-01-01' }, ['body', 'to'], 'value_error.datetime'],
    [{ from: '2050-01-01' }, ['body', 'from'], 'value_error.candles'],
    [
      { account: { starting_capital: 0 } },
      ['body', 'account', 'starting_capital'],
      'value_error.number.not_gt',
    ],
    [
      { account: { starting_capital: 5e-324 } },
      ['body', 'account', 'starting_capital'],
      'value_error.number.not_ge',
    ],
    [{ account: { margin: 1e-300 } }, ['body', 'account', 'margin'], 'value_error.number.not_ge'],
    [{ account: { size_step: 1e-300 } }, ['body', 'account', 'size_step'], 'value_error.number.not_ge'],
    [{ from: '0000-01-01T00:00:00+23:59' }, ['body', 'from'], 'value_error.datetime'],
    [{ to: '9999-12-31T23:59:59-23:59' }, ['body', 'to'], 'value_error.datetime'],
    [{ account: { margin: '2' } }, ['body', 'account', 'margin'], 'value_error.number.not_le'],
    [
      { account: { commission_rate: -1 } },
      ['body', 'account', 'commission_rate'],
      'value_error.number.not_ge',
    ],
    [{ account: { cash: 1 } }, ['body', 'account', 'cash'], 'value_error.extra'],
    [{ more: 1 }, ['body', 'more'], 'value_error.extra'],
    [
      { rules: crossRules(5, { nonsense: 1 }) },
      ['body', 'rules', 'entries', 0, 'when', 'right', 'length'],
      'value_error.union',
    ],
  ])('is refused for %j', async (more, loc, type) => {
    const { status, body } = await runBacktest(hub, user_id, more);
    expect({ status, detail: body.detail }).toMatchObject({ status: 422, detail: [{ loc, type }] });
  });

  test('with thousands of symbols is refused before anything is read', async () => {
    const symbol = Array.from({ length: 5000 }, (_, index) => `S${index}`).join(',');
    hub.takeCalls();
    const { status, body } = await runBacktest(hub, user_id, { symbol });
    expect({ status, detail: body.detail }).toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'symbol'], type: 'value_error.list.max_items' }],
    });
    expect(hub.takeCalls()).toEqual([]);
  });

  test('of an unknown user is refused', async () => {
    expect(await runBacktest(hub, 'nobody')).toMatchObject({ status: 404, body: { code: 'user_unknown' } });
  });

  test('takes work for each trade that may be open at once', async () => {
    const { user_id: worker } = await person(hub);
    const entries = [{ side: 'long', when: { left: { price: 'close' }, op: 'gt', right: 1e9 } }];
    const rules = { schema: 'hub.rules/1', entries, pyramid: true, max_trades: 100 };
    await runBacktest(hub, worker, { rules });
    expect(await usedOf(hub, await workKey(hub, worker))).toBeGreaterThan(90 * BARS.start.length);
  });

  /** Returns the work of a backtest with one condition on an indicator. */
  const workWith = async (indicator: Readonly<Record<string, unknown>>): Promise<number> => {
    const { user_id: worker } = await person(hub);
    const entries = [{ side: 'long', when: { left: indicator, op: 'gt', right: 1e9 } }];
    await runBacktest(hub, worker, { rules: { schema: 'hub.rules/1', entries } });
    return usedOf(hub, await workKey(hub, worker));
  };

  test.each([
    ['sma', {}, [1, 1, 1]],
    ['wma', {}, [1, 1, 1]],
    ['mfi', {}, [1, 1, 1]],
    ['bollinger', { output: 'middle' }, [1, 1, 1]],
    ['bollinger', { output: 'upper' }, [1, 2, 9]],
    ['bollinger', { output: 'lower' }, [1, 2, 9]],
    ['stddev', {}, [1, 2, 9]],
    ['cci', {}, [1, 2, 9]],
  ])(
    'takes work for the bars that an indicator goes over at each bar: %s %j',
    async (indicator, more, units) => {
      for (const [index, length] of [20, 60, 500].entries()) {
        const taken = await workWith({ indicator, length, ...more });
        // Reads as many bars before the first one.
        const least = await workWith({ indicator: 'sma', length });
        expect([length, (2 * taken) / least - 1]).toEqual([length, expect.closeTo(units[index] ?? 0, 1)]);
      }
    },
  );

  test('is refused once the work of the day is used up', async () => {
    const { user_id: worker } = (await registerUnproven(hub)).body;
    await hub.runtime.store.put({ ...(await workKey(hub, worker)), used: 5e7 - 10 });
    const refused = await runBacktest(hub, worker);
    expect(refused).toMatchObject({ status: 429, body: { code: 'work_exhausted' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3600);
    hub.advance(24 * 3_600_000);
    expect((await runBacktest(hub, worker)).status).toBe(200);
  });

  test.each([
    ['backtests', (worker: string) => runBacktest(hub, worker)],
    ['sweeps', (worker: string) => sweepStrategy(hub, worker)],
  ])('refused at the same time take nothing from the work of all free users: %s', async (_, request) => {
    const { store, clock, keyRing } = hub.runtime;
    const { user_id: worker } = await person(hub);
    const own = await workKey(hub, worker);
    const shared = budgetOf(await keyRing(), 'work_free', [], clock()).key;
    await store.delete(shared);
    await request(worker);
    const one = await usedOf(hub, own);
    // Room for one more.
    await store.put({ ...own, used: 2e8 - one - 1 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => request(worker)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429, 429, 429, 429, 429]);
    expect(await usedOf(hub, own)).toBe(2e8 - 1);
    expect(await usedOf(hub, shared)).toBe(2 * one);
  });
});

describe('the work of a day that users of the free plan share', () => {
  const NETWORK = '198.51.100.0/24';
  const ask = (user: string, sourceIp: string, json = backtestBody()) =>
    hub.call('POST /run_backtest', { query: { user_id: user }, json, sourceIp });
  const anyone = async ({ proven }: { readonly proven: boolean }): Promise<string> => {
    const { body } = await (proven ? register : registerUnproven)(hub);
    return body.user_id;
  };
  const budget = async (
    ...limit: Parameters<typeof budgetOf> extends [unknown, infer L, infer S, unknown] ? [L, S] : never
  ) => budgetOf(await hub.runtime.keyRing(), ...limit, hub.runtime.clock());
  /** Leaves less of a budget than one backtest takes, runs, and gives it back. */
  const without = async (
    { key }: { readonly key: Parameters<typeof usedOf>[1] },
    used: number,
    run: () => Promise<void>,
  ) => {
    await hub.runtime.store.put({ ...key, used });
    await run();
    await hub.runtime.store.delete(key);
  };
  const exhausted = { status: 429, body: { code: 'work_exhausted' } };

  test('is used up by no number of accounts of one network', async () => {
    const [stranger, another, proven, elsewhere] = [
      await anyone({ proven: false }),
      await anyone({ proven: false }),
      await anyone({ proven: true }),
      await anyone({ proven: false }),
    ];
    const share = await budget('work_unproven_network', [NETWORK]);
    expect((await ask(stranger, '198.51.100.7')).status).toBe(200);
    expect(await usedOf(hub, share.key)).toBeGreaterThan(0);
    await without(share, share.max - 10, async () => {
      expect(await ask(another, '198.51.100.200')).toMatchObject(exhausted);
      expect((await ask(elsewhere, '203.0.113.7')).status).toBe(200);
      // Those who proved their e-mail have a share of their own.
      expect((await ask(proven, '198.51.100.7')).status).toBe(200);
    });
    const free = await budget('work_free', []);
    const freeShare = await budget('work_free_network', [NETWORK]);
    expect(freeShare.max / free.max).toBeLessThanOrEqual(0.02);
    const before = await usedOf(hub, free.key);
    await without(freeShare, freeShare.max - 10, async () => {
      expect(await ask(proven, '198.51.100.7')).toMatchObject(exhausted);
      expect((await ask(proven, '2001:db8:5::1')).status).toBe(200);
    });
    // The work of the refused request was returned.
    expect((await usedOf(hub, free.key)) - before).toBe(
      await usedOf(hub, (await budget('work_free_network', ['2001:db8:5::/48'])).key),
    );
  });

  test('is apart from that of unproven accounts', async () => {
    const pool = await budget('work_unproven', []);
    const [stranger, proven] = [await anyone({ proven: false }), await anyone({ proven: true })];
    await without(pool, pool.max, async () => {
      expect(await ask(stranger, '198.51.100.7')).toMatchObject(exhausted);
      expect((await ask(proven, '198.51.100.7')).status).toBe(200);
    });
  });

  test('is kept in half for accounts older than a week', async () => {
    const pool = await budget('work_free', []);
    const [young, old] = [await anyone({ proven: true }), await anyone({ proven: true })];
    await hub.runtime.store.transact([
      { key: keys.user(old), set: { created_at: '2020-01-01T00:00:00.000Z' } },
    ]);
    await without(pool, pool.max / 2, async () => {
      expect(await ask(young, '198.51.100.7')).toMatchObject(exhausted);
      expect((await ask(old, '198.51.100.7')).status).toBe(200);
    });
    await without(pool, pool.max, async () => {
      expect(await ask(old, '198.51.100.7')).toMatchObject(exhausted);
    });
  });

  test('is not touched by paid plans', async () => {
    const id = await anyone({ proven: false });
    await hub.runtime.store.transact([{ key: keys.user(id), set: { plan: 'pro' } }]);
    hub.takeCalls();
    expect((await ask(id, '198.51.100.7')).status).toBe(200);
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'BatchGetItem', 'TransactWriteItems']);
  });

  test('counts the curve of every bar, which is computed again', async () => {
    const id = await anyone({ proven: false });
    const { backtest_id } = (await ask(id, '198.51.100.7')).body;
    const own = await workKey(hub, id);
    const one = await usedOf(hub, own);
    const full = () =>
      hub.call('GET /get_backtest', {
        query: { user_id: id, backtest_id: String(backtest_id), full: 'true' },
        sourceIp: '198.51.100.7',
      });
    hub.takeCalls();
    expect((await full()).body.equity).toHaveLength(5100);
    expect(hub.takeCalls().length).toBeLessThanOrEqual(6);
    expect(await usedOf(hub, own)).toBe(2 * one);
    await hub.runtime.store.put({ ...own, used: 5e7 - 10 });
    expect(await full()).toMatchObject(exhausted);
    // The stored result costs nothing.
    const stored = await hub.call('GET /get_backtest', {
      query: { user_id: id, backtest_id: String(backtest_id) },
    });
    expect(stored.status).toBe(200);
  });
});

describe('a preview', () => {
  const preview = (owner: string, more: Readonly<Record<string, unknown>> = {}) =>
    runBacktest(hub, owner, { preview: true, ...more });

  test('has the result of the backtest, stores nothing, and is charged the same', async () => {
    const { user_id: owner } = await person(hub);
    const own = await workKey(hub, owner);
    hub.takeCalls();
    const { status, body } = await preview(owner);
    expect(status).toBe(200);
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'UpdateItem', 'UpdateItem', 'BatchGetItem']);
    const charged = await usedOf(hub, own);
    expect(body).toMatchObject({ backtest_id: null, status: 'done' });
    expect(body.trades).toHaveLength(body.trades_count);
    expect((await hub.call('GET /get_backtests', { query: { user_id: owner } })).body.total).toBe(0);
    const { body: stored } = await runBacktest(hub, owner);
    const times = { created_at: expect.any(String), finished_at: expect.any(String) };
    expect(body).toEqual({ ...stored, ...times, backtest_id: null, trades: body.trades });
    expect(stored.trades).toBeUndefined();
    expect(await usedOf(hub, own)).toBe(2 * charged);
    const listed = await hub.call('GET /get_backtest_trades', {
      query: { user_id: owner, backtest_id: String(stored.backtest_id), size: '100' },
    });
    expect(body.trades.slice(0, 100)).toEqual(listed.body.items.slice(0, 100));
  });

  test('is computed again for the same Idempotency-Key, and takes it from no other request', async () => {
    const { user_id: owner } = await person(hub);
    const ask = (more: Readonly<Record<string, unknown>>) =>
      hub.call('POST /run_backtest', {
        query: { user_id: owner },
        json: backtestBody(more),
        headers: { 'idempotency-key': 'same' },
      });
    for (const fast of [5, 6]) {
      const { status, headers } = await ask({ preview: true, rules: crossRules(fast, 20) });
      expect(status).toBe(200);
      expect(headers['idempotent-replayed']).toBeUndefined();
    }
    expect((await ask({})).body.backtest_id).toBeGreaterThan(0);
  });

  test('has stops and targets of its trades', async () => {
    const protection = {
      stop_loss: { type: 'percent', percent: 4 },
      take_profit: { type: 'percent', percent: 10 },
    };
    const { entries } = crossRules(5, 20);
    const rules = { schema: 'hub.rules/1', entries: entries.map((entry) => ({ ...entry, ...protection })) };
    const { body } = await preview(user_id, { rules });
    expect(body.trades_count).toBeGreaterThan(5);
    for (const { entry_price, stop_loss, take_profit } of body.trades) {
      expect(stop_loss / entry_price).toBeCloseTo(0.96, 6);
      expect(take_profit / entry_price).toBeCloseTo(1.1, 6);
    }
  });

  test('of what would be a job is refused, and takes no work', async () => {
    const { user_id: owner } = await person(hub);
    const many = Array.from({ length: 30 }, (_, index) => ({
      left: { indicator: 'cci', length: 480 + (index % 15), source: index < 15 ? 'close' : 'high' },
      op: 'gt',
      right: 0,
    }));
    const pyramid = { pyramid: true, max_trades: 100 };
    const { status, body } = await preview(owner, { rules: rulesWith({ all: many }, pyramid) });
    expect(status).toBe(422);
    expect(body.detail[0].loc).toEqual(['body', 'preview']);
    expect(await usedOf(hub, await workKey(hub, owner))).toBe(0);
    expect((await hub.call('GET /get_backtests', { query: { user_id: owner } })).body.total).toBe(0);
  });

  test('is refused once the work of the day is used up', async () => {
    const { user_id: owner } = await person(hub);
    await hub.runtime.store.put({ ...(await workKey(hub, owner)), used: 2e8 - 10 });
    expect(await preview(owner)).toMatchObject({ status: 429, body: { code: 'work_exhausted' } });
  });
});

describe('a chart of rules', () => {
  const averages = (name: 'sma' | 'ema', short: unknown, long: unknown) => ({
    left: { indicator: name, length: short },
    op: 'crosses_above',
    right: { indicator: name, length: long },
  });
  const chart = (more: Readonly<Record<string, unknown>> = {}, owner = user_id, at = hub) =>
    at.call('POST /chart_rules', {
      query: { user_id: owner },
      json: { rules: backtestBody().rules, symbol: 'SPY', timeframe: '1d', ...more },
    });

  test('has the entries of the backtest, and is charged without storing anything', async () => {
    const { user_id: owner } = await person(hub);
    const own = await workKey(hub, owner);
    const { body: tested } = await runBacktest(hub, owner);
    const ran = await usedOf(hub, own);
    const trades = await hub.call('GET /get_backtest_trades', {
      query: { user_id: owner, backtest_id: String(tested.backtest_id), size: '100' },
    });
    const { status, body } = await chart({ bars: 1500 }, owner);
    expect(status).toBe(200);
    expect(await usedOf(hub, own)).toBe(2 * ran);
    expect(body).toMatchObject({
      symbol: 'SPY',
      timeframe: '1d',
      time_zone: 'America/New_York',
      warmed_up: true,
    });
    expect(body.bars).toHaveLength(1500);
    expect(body.bars.at(-1)).toEqual([
      BARS.start.at(-1),
      BARS.open.at(-1),
      BARS.high.at(-1),
      BARS.low.at(-1),
      BARS.close.at(-1),
      BARS.volume.at(-1),
    ]);
    expect(body.lines).toMatchObject([
      { label: 'SMA(5)', pane: 'price', operand: { indicator: 'sma', length: 5 }, levels: [] },
      { label: 'SMA(20)', pane: 'price' },
    ]);
    const [enters] = body.conditions;
    expect(enters).toMatchObject({ text: 'SMA(5) crosses above SMA(20)', path: ['entries', 0, 'when'] });
    const signals = body.bars.flatMap(([start]: number[], index: number) =>
      enters.values[index - 1] === 1 ? [new Date(start ?? 0).toISOString()] : [],
    );
    expect(signals.length).toBeGreaterThan(5);
    const entered = trades.body.items.map(({ entry_at }: { entry_at: string }) => entry_at);
    const first = new Date(body.bars[0][0]).toISOString();
    const shown = entered.filter((at: string) => at > first);
    expect(signals).toEqual(expect.arrayContaining(shown.slice(0, 100)));
    const list = await hub.call('GET /get_backtests', { query: { user_id: owner } });
    expect(list.body.total).toBe(1);
  });

  test('begins with the values of a backtest that begins there, whatever the number of bars', async () => {
    const rules = rulesWith(averages('ema', 10, { param: 'slow' }), { params: { slow: { default: 100 } } });
    const asked = { rules, params: { slow: 150 }, from: '2015-01-02', to: '2016-01-02' };
    const [all, few] = await Promise.all([chart({ ...asked, bars: 1500 }), chart({ ...asked, bars: 5 })]);
    expect(all.body.lines.map(({ label }: { label: string }) => label)).toEqual(['EMA(10)', 'EMA(150)']);
    expect(all.body.bars.length).toBeGreaterThan(200);
    expect(few.body.bars).toEqual(all.body.bars.slice(-5));
    for (const [index, { values }] of all.body.lines.entries()) {
      expect(values[0]).toBeGreaterThan(0);
      expect(few.body.lines[index].values).toEqual(values.slice(-5));
    }
    expect(all.body.conditions[0].values).not.toContain(null);
  });

  test.each([
    ['too many bars', { bars: 1501 }, 'bars'],
    ['several symbols', { symbol: 'SPY,AAPL' }, 'symbol'],
    ['an unknown symbol', { symbol: 'NONE' }, 'symbol'],
    ['a range without candles', { from: '2090-01-01' }, 'from'],
    ['an unknown parameter', { params: { fast: 3 } }, 'params'],
    ['own candles that nobody imported', { candles: 'own' }, 'symbol'],
  ])('is refused with %s', async (_, more, field) => {
    const { status, body } = await chart(more);
    expect(status).toBe(422);
    expect(body.detail[0].loc.slice(0, 2)).toEqual(['body', field]);
  });

  test('warms up with what a request reads, and says if that is less than a backtest reads', async () => {
    const symbol = 'MINUTES';
    const facts = { ...DAILY, symbol, timeframe: '1m', calendar: 'always' } as const;
    const minutes = Array.from({ length: 900 }, (_, index) => {
      const price = 100 + Math.sin(index / 5);
      const start = Date.UTC(2015, 0, 5) + index * 86_400_000;
      return { start, open: price, high: price + 1, low: price - 1, close: price, volume: 1 };
    });
    await importBars(hub.runtime.store, facts, columnsOf(minutes));
    const minute = { symbol, timeframe: '1m', bars: 5 };
    expect((await chart(minute)).body).toMatchObject({ warmed_up: true });
    const { status, body } = await chart({
      ...minute,
      rules: rulesWith({
        left: { indicator: 'ema', length: 100, timeframe: '1w' },
        op: 'gt',
        right: { indicator: 'ema', length: 2, timeframe: '1w' },
      }),
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ warmed_up: false });
    expect(body.lines[1].values.at(-1)).toBeGreaterThan(0);
  });

  test('is refused of candles that may not be shown, not of own ones', async () => {
    const feeds = [{ source: 'acme', exchanges: ['NASDAQ'], display: false }];
    const shown = hub.with({ HUB_FEEDS: JSON.stringify(feeds) });
    await importBars(
      hub.runtime.store,
      { ...DAILY, symbol: 'QQQ', source: 'acme' },
      sessionBars('2020-01-02', 50),
    );
    expect(await chart({ symbol: 'QQQ' }, user_id, shown)).toMatchObject({
      status: 403,
      body: { code: 'candles_hidden' },
    });
    await importOwnCandles(hub, user_id, { symbol: 'QQQ', source: 'acme' });
    const own = await chart({ symbol: 'QQQ', candles: 'own' }, user_id, shown);
    expect(own.status).toBe(200);
    expect(own.body.bars).toHaveLength(500);
  });

  test('is refused once the work of the day is used up', async () => {
    const { user_id: owner } = await person(hub);
    await hub.runtime.store.put({ ...(await workKey(hub, owner)), used: 2e8 - 10 });
    expect(await chart({}, owner)).toMatchObject({ status: 429, body: { code: 'work_exhausted' } });
  });
});
