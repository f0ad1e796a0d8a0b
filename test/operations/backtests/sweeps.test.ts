import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import { DyingStore, type JobEvent, takeJobEvents } from '../../support/backtest-jobs.ts';
import { runBacktest, sweepBody, sweepStrategy, usedOf, workKey } from '../../support/backtests.ts';
import { DAILY, sessionBars } from '../../support/candles.ts';
import { takeJobEvent } from '../../support/functions/backtest-jobs.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { build, furnishWithInstruments, person, setRules } from '../../support/strategies.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const BARS = sessionBars('2010-01-04', 300);

let hub: TestHub;
let user_id: string;

beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['SPY']);
  await importBars(hub.runtime.store, DAILY, BARS);
  user_id = (await person(hub)).user_id;
});
afterAll(() => hub.close());

/** Parameters with 101 combinations: a slice of 100 and one of 1. */
const TWO_SLICES = { params: { slow: { from: 3, to: 103, step: 1 } } };

const start = async (more: Readonly<Record<string, unknown>> = {}): Promise<number> => {
  const answer = await sweepStrategy(hub, user_id, more);
  expect(answer).toMatchObject({ status: 200, body: { status: 'queued', progress: 0, best: [] } });
  return answer.body.sweep_id;
};

const read = async (sweep_id: number) =>
  (await hub.call('GET /get_sweep', { query: { user_id, sweep_id: String(sweep_id) } })).body;

const work = (event: JobEvent | undefined, store: Store = hub.runtime.store): Promise<void> => {
  const runtime: Runtime = { ...hub.runtime, store };
  return takeJobEvent(runtime, event, () => Number.POSITIVE_INFINITY);
};

/** Lets workers finish everything, with each event as often as told. Returns the number of events. */
const workOff = async (times = 1): Promise<number> => {
  for (let count = 0; ; ) {
    const events = await takeJobEvents(hub);
    if (events.length === 0) return count;
    count += events.length;
    await Promise.all(events.flatMap((event) => Array.from({ length: times }, () => work(event))));
  }
};

/** Returns the result without what differs from run to run. */
const comparable = async (id: number) => {
  const { sweep_id: _id, created_at: _created, finished_at: _finished, ...rest } = await read(id);
  return rest;
};

/** Lets the job of lost events run after a time without progress. */
const attend = async (later = 10 * MINUTE_MS): Promise<void> => {
  hub.advance(later);
  await runJob(hub.runtime, { job: 'sweep-backtests' });
};

describe('a sweep', () => {
  beforeEach(async () => {
    user_id = (await person(hub)).user_id;
  });

  test('ranks all combinations, with the figures of backtests up to the split and from it on', async () => {
    hub.takeCalls();
    const id = await start({ account: { commission_rate: '0.001' }, rank_by: 'total_return_pct' });
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'UpdateItem', 'TransactWriteItems']);
    expect(await workOff()).toBe(1);
    hub.takeCalls();
    const body = await read(id);
    expect(hub.takeCalls()).toEqual(['BatchGetItem']);
    expect(body).toMatchObject({
      status: 'done',
      progress: 1,
      error: null,
      combinations: 6,
      params: { fast: [2, 6, 10], slow: [12, 20] },
      rank_by: 'total_return_pct',
      engine_version: 1,
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'best_of_many', count: 6 })]),
    });
    expect(body.best.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2, 3, 4, 5, 6]);
    const returns = body.best.map(
      (one: { in_sample: { total_return_pct: number } }) => one.in_sample.total_return_pct,
    );
    expect(returns).toEqual(returns.toSorted((left: number, right: number) => right - left));
    expect(new Set(returns).size).toBeGreaterThan(2);
    for (const { params, in_sample, out_of_sample } of body.best) {
      const of = { rules: sweepBody().rules, params, account: { commission_rate: 0.001 } };
      const before = await runBacktest(hub, user_id, { ...of, to: body.split_at });
      const after = await runBacktest(hub, user_id, { ...of, from: body.split_at });
      expect(before.body.statistics).toMatchObject(in_sample);
      expect(after.body.statistics).toMatchObject(out_of_sample);
    }
  });

  test('takes the rules of a strategy, a day as split, and other figures to rank by', async () => {
    const { strategy_id } = (await build(hub, { user_id, symbol: 'SPY' })).body;
    await setRules(hub, { user_id, strategy_id }, sweepBody().rules);
    const json = {
      strategy_id,
      params: { slow: [9, 12.0] },
      split: '2010-12-01',
      rank_by: 'max_drawdown_equity_pct',
    };
    hub.takeCalls();
    const { body } = await hub.call('POST /sweep_strategy', { query: { user_id }, json });
    expect(hub.takeCalls()).toHaveLength(4);
    expect(body).toMatchObject({
      strategy_id,
      split_at: '2010-12-01T00:00:00.000Z',
      params: { slow: [9, 12] },
    });
    await workOff();
    const { best } = await read(body.sweep_id);
    const [first, second] = best;
    expect(first.in_sample.max_drawdown_equity_pct).toBeLessThanOrEqual(
      second.in_sample.max_drawdown_equity_pct,
    );
    const listed = await hub.call('GET /get_sweeps', {
      query: { user_id, strategy_id: String(strategy_id) },
    });
    expect(listed.body).toMatchObject({
      total: 1,
      items: [
        {
          sweep_id: body.sweep_id,
          status: 'done',
          summary: { params: first.params, in_sample: first.in_sample.max_drawdown_equity_pct },
        },
      ],
    });
    const stranger = await person(hub);
    const refused = await hub.call('POST /sweep_strategy', { query: stranger, json });
    expect(refused).toMatchObject({ status: 404, body: { code: 'strategy_unknown' } });
  });

  test('of somebody else is unknown', async () => {
    const id = await start();
    const query = { user_id: (await person(hub)).user_id, sweep_id: String(id) };
    for (const route of ['GET /get_sweep', 'POST /remove_sweep']) {
      expect(await hub.call(route, { query })).toMatchObject({
        status: 404,
        body: { code: 'sweep_unknown' },
      });
    }
    await workOff();
  });

  test('is removed with all its items, again without effect, and stops', async () => {
    const id = await start(TWO_SLICES);
    const [event] = await takeJobEvents(hub);
    await work(event);
    const [first, ...others] = await takeJobEvents(hub);
    await work(first);
    expect(await read(id)).toMatchObject({ status: 'running', progress: 0.5 });
    const query = { user_id, sweep_id: String(id) };
    for (let time = 0; time < 2; time++) {
      expect((await hub.call('POST /remove_sweep', { query })).status).toBe(200);
    }
    for (const other of others) await work(other);
    await attend();
    expect((await hub.call('GET /get_sweep', { query })).status).toBe(404);
    expect((await hub.call('GET /get_sweeps', { query: { user_id } })).body.total).toBe(0);
    const items = await hub.runtime.store.queryItems({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.sweep(id).pk },
    });
    expect(items.map(({ sk }) => sk)).toEqual(['SWEEP']);
  });

  test('drops the oldest beyond the limit of the plan', async () => {
    const ids = [];
    for (let count = 0; count < 6; count++) {
      hub.advance(1000);
      ids.push(await start({ params: { fast: 2 } }));
    }
    await workOff();
    const { items } = (await hub.call('GET /get_sweeps', { query: { user_id } })).body;
    expect(items.map(({ sweep_id }: { sweep_id: number }) => sweep_id)).toEqual(ids.slice(1).toReversed());
    const { warnings } = await read(ids[5] ?? 0);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'oldest_dropped', count: 1 }));
  });

  test('takes from the budget of backtests, and is refused once that is used up', async () => {
    const { store } = hub.runtime;
    await start();
    const key = await workKey(hub, user_id);
    expect(await usedOf(hub, key)).toBeGreaterThan(6 * 300 * 4);
    await store.put({ ...key, used: 2e8 - 100 });
    const refused = await sweepStrategy(hub, user_id);
    expect(refused).toMatchObject({ status: 429, body: { code: 'work_exhausted' } });
    expect((await hub.call('GET /get_sweeps', { query: { user_id } })).body.total).toBe(1);
    await workOff();
  });
});

const BAD: [string, object, (string | number)[], RegExp][] = [
  [
    'a parameter that the rules do not have',
    { params: { speed: [1, 2] } },
    ['params', 'speed'],
    /not declared; declared: 'fast', 'slow'/,
  ],
  ['a name of the prototype', { params: { constructor: [1] } }, ['params', 'constructor'], /not declared/],
  [
    'a value below the minimum',
    { params: { fast: [3, 1] } },
    ['params', 'fast', 1],
    /greater than or equal to 2/,
  ],
  [
    'a range above the maximum',
    { params: { fast: { from: 5, to: 55, step: 5 } } },
    ['params', 'fast'],
    /less than or equal to 50/,
  ],
  [
    'a fraction where a whole number is due',
    { params: { slow: [10, 12.5] } },
    ['params', 'slow', 1],
    /12\.5 does not fit entries\.0\.when\.right\.length/,
  ],
  [
    'too many combinations',
    { params: { fast: { from: 2, to: 50, step: 1 }, slow: { from: 2, to: 60, step: 1 } } },
    ['params'],
    /at most 2000 combinations/,
  ],
  [
    'too many values',
    { params: { fast: { from: 2, to: 50, step: 0.001 } } },
    ['params', 'fast'],
    /at most 2000/,
  ],
  [
    'a range that ends before it begins',
    { params: { fast: { from: 9, to: 3, step: 1 } } },
    ['params', 'fast', 'to'],
    /greater than or equal to from/,
  ],
  [
    'a step of zero',
    { params: { fast: { from: 2, to: 3, step: 0 } } },
    ['params', 'fast', 'step'],
    /greater than/,
  ],
  ['a text as value', { params: { fast: 'all' } }, ['params', 'fast'], /list of numbers/],
  ['no parameters', { params: {} }, ['params'], /at least 1 parameter/],
  ['missing parameters', { params: undefined }, ['params'], /required/],
  ['a split beyond the candles', { split: '2031-01-01' }, ['split'], /candles before and after/],
  ['a split that is no fraction', { split: '1/2' }, ['split'], /invalid datetime format/],
  ['an unknown figure', { rank_by: 'luck' }, ['rank_by'], /sharpe_ratio/],
];

describe('a request is refused with the path of', () => {
  test.each(BAD)('%s', async (_what, more, path, message) => {
    const { status, body } = await sweepStrategy(hub, user_id, { ...more });
    expect(status).toBe(422);
    expect(body.detail).toEqual([
      expect.objectContaining({ loc: ['body', ...path], msg: expect.stringMatching(message) }),
    ]);
  });
});

describe('slices of a sweep', () => {
  let whole: Awaited<ReturnType<typeof comparable>>;

  beforeAll(async () => {
    user_id = (await person(hub)).user_id;
    const id = await start(TWO_SLICES);
    expect(await workOff()).toBe(3);
    whole = await comparable(id);
  });

  test('are joined: the 50 best of all', () => {
    expect(whole).toMatchObject({ status: 'done', progress: 1, combinations: 101 });
    expect(whole.best).toHaveLength(50);
  });

  test('count once, however often their events arrive, and by however many workers', async () => {
    const id = await start(TWO_SLICES);
    await workOff(3);
    expect(await comparable(id)).toEqual(whole);
    const [item] = await hub.runtime.store.getMany([keys.sweep(id)]);
    expect(item).toMatchObject({ slices: 2, slices_done: 2 });
  });

  test('survive a crash before and after every write', async () => {
    // Writes of a sweep: events of the slices, the first slice, the second slice, the joined result.
    for (const writes of [1, 2, 3, 4]) {
      for (const isAfter of [false, true]) {
        const id = await start(TWO_SLICES);
        const dying = new DyingStore(hub.runtime.store, writes, isAfter);
        let crashes = 0;
        const events = await takeJobEvents(hub);
        for (let event = events.shift(); event && crashes === 0; event = events.shift()) {
          await work(event, dying).catch(() => {
            crashes += 1;
          });
          events.push(...(await takeJobEvents(hub)));
        }
        expect({ writes, isAfter, crashes }).toEqual({ writes, isAfter, crashes: 1 });
        await attend();
        await workOff();
        expect(await comparable(id)).toEqual(whole);
        await hub.call('POST /remove_sweep', { query: { user_id, sweep_id: String(id) } });
      }
    }
  });

  test('that fail for good fail the sweep with a reason', async () => {
    const id = await start(TWO_SLICES);
    await takeJobEvents(hub);
    const slice = { 'detail-type': 'Sweep Requested', detail: { version: 1, sweep_id: id, from: 1, to: 2 } };
    for (let attempt = 1; attempt <= 8; attempt++) {
      await expect(work(slice, new DyingStore(hub.runtime.store, 1, false))).rejects.toThrow('died');
    }
    expect((await read(id)).status).toBe('queued');
    await work(slice);
    expect(await read(id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Run it again'),
      best: [],
    });
    await attend();
    expect(await takeJobEvents(hub)).toEqual([]);
  });

  test('over candles that were removed, or changed in between, fail the sweep', async () => {
    const { store } = hub.runtime;
    const before = await usedOf(hub, await workKey(hub, user_id));
    const removed = await start();
    const key = keys.series('SPY', '1d');
    const [head] = await store.getMany([key]);
    await store.delete(key);
    await workOff();
    if (head) await store.put(head);
    expect(await read(removed)).toMatchObject({
      status: 'failed',
      error: 'Candles of this sweep were removed while it ran.',
    });
    // The slices that were not tried are returned.
    expect(await usedOf(hub, await workKey(hub, user_id))).toBe(before);

    const changed = await start(TWO_SLICES);
    await work((await takeJobEvents(hub))[0]);
    const [first, second] = await takeJobEvents(hub);
    await work(first);
    await importBars(store, DAILY, {
      ...BARS,
      close: BARS.close.map((close, at) => (at === 50 ? close + 1 : close)),
    });
    await work(second);
    await importBars(store, DAILY, BARS);
    expect(await read(changed)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('changed'),
    });
  });

  test('that are lost for a day fail the sweep', async () => {
    const id = await start();
    await takeJobEvents(hub);
    await attend(DAY_MS + MINUTE_MS);
    expect(await read(id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('within a day'),
    });
  });
});
