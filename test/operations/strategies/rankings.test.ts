import { afterEach, describe, expect, test } from '@jest/globals';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import { rankingKey } from '../../../shared/data/rankings/rankings.ts';
import { firstBarFrom, sliceBars } from '../../../shared/domain/candles/bars.ts';
import { afterLuck } from '../../../shared/domain/rankings/luck.ts';
import { DAILY, sessionBars } from '../../support/candles.ts';
import { openHub } from '../../support/open-hub.ts';
import {
  type Listed,
  listWith,
  type RecordFigures,
  rank,
  recordOf,
  setPerformance,
  setRecordsBegun,
} from '../../support/rankings.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules, rulesWith } from '../../support/rules.ts';
import {
  explore,
  furnishWithInstruments,
  like,
  list,
  person,
  setRules,
  setState,
} from '../../support/strategies.ts';
import { passTime, workOffEvents } from '../../support/track-records.ts';
import { deployedTrader, enterAll, report, reportOrder } from '../../support/trading.ts';

const hub = await openHub((opened) => furnishWithInstruments(opened, ['AAPL', 'BTCUSD', 'SPY']));
const viewer = await person(hub);

const DAY_MS = 86_400_000;
/** Rules that trade every few days. */
const OFTEN = rulesWith(
  { weekday: ['mon', 'wed'] },
  { exits: [{ side: 'long', when: { bars_in_trade: 1 } }] },
);

const RECORDS = 1000;
await setRecordsBegun(hub, RECORDS);

const listed: Listed[] = [];
afterEach(async () => {
  for (const { user_id, strategy_id } of listed.splice(0)) await setState(hub, user_id, strategy_id, 0);
});

const show = async (
  figures: RecordFigures,
  making: { symbol?: string; timeframe?: string } = {},
): Promise<Listed> => {
  const one = await listWith(hub, recordOf(hub.runtime, figures), making);
  listed.push(one);
  return one;
};

const page = (choice: Record<string, string>) => explore(hub, viewer.user_id, choice);

const idsIn = async (choice: Record<string, string>): Promise<number[]> =>
  (await page(choice)).body.items.map(({ strategy_id }: Listed) => strategy_id);

const SORTS = ['return', 'sharpe', 'drawdown'] as const;

describe('a ranking', () => {
  test('takes what is left after luck for return and Sharpe ratio, so that longer records come first', async () => {
    const short = await show({ days: 100, sharpe_ratio: 4, cagr_pct: 60, max_drawdown_pct: 4 });
    const long = await show({ days: 1500, sharpe_ratio: 2, cagr_pct: 30, max_drawdown_pct: 9 });
    const wild = await show({
      days: 1500,
      sharpe_ratio: 1.9,
      cagr_pct: 40,
      volatility_pct: 30,
      max_drawdown_pct: 60,
    });
    const [shortId, longId, wildId] = [short, long, wild].map(({ strategy_id }) => strategy_id);
    await rank(hub);
    expect(await idsIn({ sort: 'sharpe' })).toEqual([longId, wildId, shortId]);
    expect(await idsIn({ sort: 'return' })).toEqual([longId, shortId, wildId]);
    expect(await idsIn({ sort: 'drawdown' })).toEqual([shortId, longId, wildId]);
    expect(await idsIn({ min_days: '90' })).toEqual([wildId, longId, shortId]);
    expect(await idsIn({ sort: 'sharpe', max_drawdown_pct: '20' })).toEqual([longId, shortId]);
    const { body } = await page({ sort: 'sharpe' });
    const figures = { sharpe_ratio: 2, cagr_pct: 30, volatility_pct: 10, years: 1500 / 365 };
    const left = afterLuck(figures, RECORDS);
    expect(body.items[0].rank_figures).toEqual({
      return_after_luck_pct: expect.closeTo(left.return_pct, 6),
      sharpe_after_luck: expect.closeTo(left.sharpe, 6),
      records_begun: RECORDS,
    });
    // The catalogue itself stays as it is.
    expect(await idsIn({})).toEqual([wildId, longId, shortId]);
    expect((await page({ sort: 'newest' })).body.items[0].rank_figures).toBeNull();
  });

  test('may be of a category, by asset class or by style', async () => {
    const coin = await show({ sharpe_ratio: 1 }, { symbol: 'BTCUSD', timeframe: '1h' });
    const share = await show({ sharpe_ratio: 3 }, { symbol: 'AAPL', timeframe: '1h' });
    const both = await show({ sharpe_ratio: 2, max_drawdown_pct: 20 }, { symbol: 'AAPL,BTCUSD' });
    const [coinId, shareId, bothId] = [coin, share, both].map(({ strategy_id }) => strategy_id);
    await rank(hub);
    const sharpe = (category: string, more = {}) => idsIn({ sort: 'sharpe', category, ...more });
    expect(await idsIn({ sort: 'sharpe' })).toEqual([shareId, bothId, coinId]);
    expect(await sharpe('crypto')).toEqual([coinId]);
    expect(await sharpe('multi')).toEqual([bothId]);
    expect(await sharpe('intraday')).toEqual([shareId, coinId]);
    expect(await sharpe('multi', { max_drawdown_pct: '20' })).toEqual([]);
    expect(await idsIn({ category: 'intraday' })).toEqual([shareId, coinId]);
  });

  test('takes two calls for a page, as the catalogue does, and writes nothing', async () => {
    await show({ sharpe_ratio: 1 });
    await show({ sharpe_ratio: 2 });
    await rank(hub);
    const callsOf = async (choice: Record<string, string>) => {
      hub.advance(60_000);
      hub.takeCalls();
      expect((await page(choice)).body.items).toHaveLength(1);
      return hub.takeCalls();
    };
    for (const number of ['1', '2']) {
      const one = { page: number, size: '1' };
      // A page that begins in a part of the catalogue with withdrawn strategies takes a third.
      expect((await callsOf(one)).length).toBeGreaterThanOrEqual(2);
      for (const sort of SORTS) {
        const ranked = await callsOf({ ...one, sort, category: 'equity', max_drawdown_pct: '20' });
        expect(ranked).toEqual(['BatchGetItem', 'BatchGetItem']);
      }
    }
  });

  test('has pages, and no page beyond its end', async () => {
    const ids = [];
    for (const sharpe_ratio of [5, 4, 3]) ids.push((await show({ sharpe_ratio })).strategy_id);
    await rank(hub);
    const { body } = await page({ sort: 'sharpe', page: '2', size: '2' });
    expect(body).toMatchObject({ total: 3, page: 2, size: 2, pages: 2 });
    expect(body.items).toHaveLength(1);
    expect(body.items[0].strategy_id).toBe(ids[2]);
    expect((await page({ sort: 'sharpe', page: '3', size: '2' })).body.items).toEqual([]);
  });

  test('leaves out at once what was withdrawn or does not belong into it any more', async () => {
    const [gone, worse, changed, stays] = [
      await show({ sharpe_ratio: 5 }),
      await show({ sharpe_ratio: 4 }),
      await show({ sharpe_ratio: 3 }),
      await show({ sharpe_ratio: 2 }),
    ];
    await rank(hub);
    await setState(hub, gone.user_id, gone.strategy_id, 0);
    // A listing again has another place, which the next round finds.
    await list(hub, gone.user_id, gone.strategy_id);
    await setPerformance(hub, gone.strategy_id, recordOf(hub.runtime, { sharpe_ratio: 5 }));
    await setPerformance(hub, worse.strategy_id, recordOf(hub.runtime, { max_drawdown_pct: 21 }));
    await setPerformance(hub, changed.strategy_id, recordOf(hub.runtime, { days: 1 }));
    const choice = { sort: 'sharpe', max_drawdown_pct: '20' };
    expect((await page(choice)).body.total).toBe(4);
    expect(await idsIn(choice)).toEqual([stays.strategy_id]);
    await rank(hub);
    expect((await page(choice)).body.total).toBe(2);
    expect(await idsIn(choice)).toEqual([gone.strategy_id, stays.strategy_id]);
  });

  test.each([
    [{ sort: 'likes' }, 'sort', 'newest'],
    [{ min_days: '30' }, 'min_days', '90'],
    [{ max_drawdown_pct: '25' }, 'max_drawdown_pct', '20'],
    [{ category: 'stocks' }, 'category', 'equity'],
  ])('of other values is refused with the allowed ones: %j', async (choice, name, allowed) => {
    const { status, body } = await page(choice);
    expect(status).toBe(422);
    expect(body.detail[0].loc).toEqual(['query', name]);
    expect(body.detail[0].msg).toContain(allowed);
  });

  test('that is damaged is empty until the next round', async () => {
    const { strategy_id } = await show({});
    await rank(hub);
    const key = rankingKey({ sort: 'return', category: undefined, isLow: false });
    await hub.runtime.store.transact([{ key, set: { places: 'nonsense' } }]);
    expect((await page({ sort: 'return' })).body).toMatchObject({ items: [], total: 0 });
    await rank(hub);
    expect(await idsIn({ sort: 'return' })).toEqual([strategy_id]);
  });

  test('of a viewer who is unknown is 404', async () => {
    expect((await explore(hub, 'u_nobody', { sort: 'sharpe' })).status).toBe(404);
  });
});

describe('the track record that the hub makes', () => {
  const YEAR_MS = 365 * DAY_MS;

  test('is ranked once it is 90 days long, and no more after other rules', async () => {
    const { store } = hub.runtime;
    const from = hub.runtime.clock().getTime();
    const thin = sessionBars(new Date(from - YEAR_MS).toISOString().slice(0, 10), 600);
    // A market in which the orders of a record are small.
    const bars = { ...thin, volume: thin.volume.map((volume) => 1e6 * volume) };
    const upTo = (at: number) => firstBarFrom(bars, at);
    await importBars(store, DAILY, sliceBars(bars, 0, upTo(from)));
    const { user_id, strategy_id } = await ruleTrader(hub, { rules: OFTEN });
    listed.push({ user_id, strategy_id });
    expect((await list(hub, user_id, strategy_id)).status).toBe(200);
    await workOffEvents(hub);

    const passDays = async (days: number) => {
      const before = hub.runtime.clock().getTime();
      hub.advance(days * DAY_MS);
      const after = hub.runtime.clock().getTime() - DAY_MS;
      await appendBars(store, DAILY, sliceBars(bars, upTo(before - DAY_MS), upTo(after)));
      await passTime(hub, 1);
      await rank(hub);
    };
    await passDays(80);
    expect(await idsIn({ sort: 'sharpe' })).toEqual([]);
    await passDays(40);
    const { items } = (await page({ sort: 'sharpe' })).body;
    expect(items).toHaveLength(1);
    const { performance, rank_figures } = items[0];
    expect(performance).toMatchObject({ source: 'record', status: 'running', sample_sufficient: true });
    expect(rank_figures.records_begun).toBe(RECORDS + 1);
    const years = (Date.parse(performance.as_of) - Date.parse(performance.since)) / YEAR_MS;
    const left = afterLuck({ ...performance, years }, RECORDS + 1);
    expect(rank_figures.sharpe_after_luck).toBeCloseTo(left.sharpe, 6);
    expect(rank_figures.return_after_luck_pct).toBeCloseTo(left.return_pct, 6);

    // Other rules begin another record, which is too short.
    await setRules(hub, { user_id, strategy_id }, crossRules(3, 9));
    expect(await idsIn({ sort: 'sharpe' })).toEqual([]);
    await workOffEvents(hub);
    await rank(hub);
    expect((await page({ sort: 'sharpe' })).body.total).toBe(0);
    await setRecordsBegun(hub, RECORDS);
  });
});

describe('nobody gets into a ranking', () => {
  const wonders = { sharpe_ratio: 90, cagr_pct: 9000, max_drawdown_pct: 0 };

  test.each<[string, RecordFigures]>([
    ['figures that the author reports', { source: 'reported' }],
    ['figures of own deployments', { source: undefined, mode: 'live' }],
    ['a record of less than 90 days', { days: 89 }],
    ['a record without new bars', { status: 'stale' }],
    ['a record that has ended', { status: 'ended' }],
    ['a record with orders above its market', { unranked: 'order_size' }],
    ['a record that never traded', { sharpe_ratio: null, volatility_pct: 0 }],
  ])('by %s', async (_, figures) => {
    await show({ ...wonders, ...figures });
    const honest = await show({});
    await rank(hub);
    for (const sort of SORTS) expect(await idsIn({ sort })).toEqual([honest.strategy_id]);
    expect(await idsIn({ min_days: '90' })).toEqual([honest.strategy_id]);
  });

  test('by the trades of own deployments', async () => {
    const { id, user_id, strategy_id } = await deployedTrader(hub, {}, 'AAPL');
    listed.push({ user_id, strategy_id });
    await list(hub, user_id, strategy_id);
    await report(hub, 'Deployment Started', id);
    for (let trade = 0; trade < 3; trade++) {
      await reportOrder(hub, id, { client_order_id: `in-${trade}`, quantity: '10' });
      hub.advance(40 * DAY_MS);
      const out = { client_order_id: `out-${trade}`, side: 'sell', quantity: '10', average_price: '400' };
      await reportOrder(hub, id, out);
    }
    await enterAll(hub);
    await rank(hub);
    // The card is in the catalogue, whatever it shows.
    expect(await idsIn({})).toEqual([strategy_id]);
    for (const sort of SORTS) expect(await idsIn({ sort })).toEqual([]);
    expect(await idsIn({ min_days: '90' })).toEqual([]);
  });

  test('by likes', async () => {
    const liked = await show({ sharpe_ratio: 1, cagr_pct: 10, max_drawdown_pct: 12 });
    const honest = await show({ sharpe_ratio: 1.1, cagr_pct: 11, max_drawdown_pct: 11 });
    for (let n = 0; n < 5; n++) await like(hub, (await person(hub)).user_id, liked.strategy_id);
    await rank(hub);
    for (const sort of SORTS) {
      expect(await idsIn({ sort })).toEqual([honest.strategy_id, liked.strategy_id]);
    }
  });

  test('by beginning many records: each lowers what is left of all, most of the short ones', async () => {
    const lucky = await show({ days: 100, sharpe_ratio: 6 });
    const steady = await show({ days: 1500, sharpe_ratio: 2 });
    const shown = async () => {
      await rank(hub);
      const { items } = (await page({ sort: 'sharpe' })).body;
      return items.map((one: { strategy_id: number; rank_figures: { sharpe_after_luck: number } }) => ({
        id: one.strategy_id,
        left: one.rank_figures.sharpe_after_luck,
      }));
    };
    await setRecordsBegun(hub, 2);
    const before = await shown();
    expect(before.map(({ id }: { id: number }) => id)).toEqual([lucky.strategy_id, steady.strategy_id]);
    await setRecordsBegun(hub, RECORDS + 2);
    const after = await shown();
    await setRecordsBegun(hub, RECORDS);
    expect(after.map(({ id }: { id: number }) => id)).toEqual([steady.strategy_id, lucky.strategy_id]);
    expect(after[1].left).toBeLessThan(0.2);
  });
});
