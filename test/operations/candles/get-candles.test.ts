import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { candlesOperations } from '../../../functions/candles/operations.ts';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import { budgetOf } from '../../../shared/data/table/budgets.ts';
import { type Bar, columnsOf } from '../../../shared/domain/candles/bars.ts';
import { DAILY, sessionBars } from '../../support/candles.ts';
import { type Response, startHub, type TestHub } from '../../support/hub.ts';

const BARS = sessionBars('2000-01-03', 5100);
const LAST = new Date(BARS.start.at(-1) ?? 0).toISOString();

let hub: TestHub;

beforeAll(async () => {
  hub = await startHub(candlesOperations);
  await importBars(hub.runtime.store, DAILY, BARS);
});
afterAll(() => hub.close());

const get = (query: Readonly<Record<string, string>> = {}): Promise<Response> =>
  hub.call('GET /get_candles', { query: { symbol: 'SPY', timeframe: '1d', ...query } });

const startsOf = ({ body }: Response): string[] => body.candles.map(({ start }: { start: string }) => start);

describe('candles', () => {
  test('are the newest 1,000 by default, oldest first', async () => {
    hub.takeCalls();
    const answer = await get({ symbol: ' spy ' });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect(answer.status).toBe(200);
    const { candles, ...facts } = answer.body;
    expect(facts).toEqual({
      symbol: 'SPY',
      timeframe: '1d',
      source: 'test',
      adjustment: 'splits_dividends',
      time_zone: 'America/New_York',
      anchor: 'clock',
      session_open: null,
      derived_from: null,
    });
    expect(candles).toHaveLength(1000);
    expect(startsOf(answer)).toEqual(startsOf(answer).toSorted());
    expect(candles.at(-1)).toEqual({
      start: LAST,
      open: BARS.open.at(-1),
      high: BARS.high.at(-1),
      low: BARS.low.at(-1),
      close: BARS.close.at(-1),
      volume: BARS.volume.at(-1),
      complete: true,
    });
  });

  test('of hours that start with the session name their anchor, and derived ones follow it', async () => {
    const hours = ['13:30', '14:30', '15:30', '16:30', '17:30', '18:30', '19:30'];
    const facts = { ...DAILY, symbol: 'QQQ', timeframe: '1h', calendar: 'us@09:30' } as const;
    const bars = hours.map((hour, index) => ({
      start: Date.parse(`2025-06-02T${hour}Z`),
      ...{ open: 100 + index, high: 102 + index, low: 99 + index, close: 101 + index, volume: 1 },
    }));
    await importBars(hub.runtime.store, facts, columnsOf(bars));
    const own = { anchor: 'session', session_open: '09:30' };
    expect((await get({ symbol: 'QQQ', timeframe: '1h' })).body).toMatchObject(own);
    const { body } = await get({ symbol: 'QQQ', timeframe: '4h' });
    expect(body).toMatchObject({ ...own, derived_from: '1h' });
    expect(body.candles).toMatchObject([
      { start: '2025-06-02T13:30:00.000Z', open: 100, close: 104, volume: 4, complete: true },
      { start: '2025-06-02T17:30:00.000Z', open: 104, close: 107, volume: 3, complete: true },
    ]);
    expect((await get({ symbol: 'QQQ', timeframe: '1d' })).body.candles).toMatchObject([
      { start: '2025-06-02T04:00:00.000Z', open: 100, close: 107, volume: 7, complete: true },
    ]);
  });

  test('of a range begin at from and end before to', async () => {
    expect(startsOf(await get({ from: '2010-03-01', to: '2010-03-05' }))).toEqual([
      '2010-03-01T05:00:00.000Z',
      '2010-03-02T05:00:00.000Z',
      '2010-03-03T05:00:00.000Z',
      '2010-03-04T05:00:00.000Z',
    ]);
    const zoned = { from: '2010-03-01T00:00:00-05:00', to: '2010-03-02T00:00:00-05:00' };
    expect(startsOf(await get(zoned))).toEqual(['2010-03-01T05:00:00.000Z']);
    expect(startsOf(await get({ to: '2010-03-03', limit: '2' }))).toEqual([
      '2010-03-01T05:00:00.000Z',
      '2010-03-02T05:00:00.000Z',
    ]);
  });

  test('of a range without bars are an empty list', async () => {
    for (const range of [
      { from: '2050-01-01' },
      { to: '1990-01-01' },
      { from: '2010-03-05', to: '2010-03-01' },
    ]) {
      expect(await get(range)).toMatchObject({ status: 200, body: { candles: [] } });
    }
  });

  test('are at most 5,000', async () => {
    expect(startsOf(await get({ limit: '5000' }))).toHaveLength(5000);
    expect((await get({ limit: '5001' })).status).toBe(422);
    expect((await get({ limit: '0' })).status).toBe(422);
  });

  test('of weeks are derived from days, and flagged while the week is open', async () => {
    const { body } = await get({ timeframe: '1w', to: '2010-03-13', limit: '2' });
    expect(body.derived_from).toBe('1d');
    const [february] = (await get({ timeframe: '1w', from: '2010-02-15', to: '2010-02-16' })).body.candles;
    expect(body.candles).toMatchObject([
      { start: '2010-03-01T05:00:00.000Z', complete: true },
      { start: '2010-03-08T05:00:00.000Z', complete: true },
    ]);
    // Washington's birthday is no missing bar.
    expect(february).toMatchObject({ start: '2010-02-15T05:00:00.000Z', complete: true });
    const days = (await get({ from: '2010-03-08', to: '2010-03-13' })).body.candles;
    expect(days).toHaveLength(5);
    expect(body.candles[1]).toMatchObject({
      open: days[0].open,
      high: Math.max(...days.map(({ high }: { high: number }) => high)),
      close: days[4].close,
    });
  });

  test('of unknown symbols and smaller timeframes do not exist', async () => {
    for (const query of [{ symbol: 'NOPE' }, { symbol: '%%' }, { timeframe: '1h' }]) {
      expect(await get(query)).toMatchObject({ status: 404, body: { code: 'candles_unknown' } });
    }
  });

  test.each([
    [{ timeframe: '2d' }, 'timeframe'],
    [{ from: 'yesterday' }, 'from'],
    [{ to: '2010-13-01' }, 'to'],
    [{ from: '2010-03-01T00:00:00' }, 'from'],
  ])('are refused for %j', async (query, name) => {
    const { status, body } = await get(query);
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ['query', name] }]);
  });

  test('have one answer for every limit', async () => {
    const all = startsOf(await get({ limit: '5000' }));
    for (const limit of [1, 7, 2500]) {
      expect(startsOf(await get({ limit: String(limit) }))).toEqual(all.slice(-limit));
    }
  });
});

test('candles of a source whose licence forbids showing them are refused, those of others are not', async () => {
  const feed = { provider: 'alpaca', asset_classes: ['equity'], exchanges: ['NASDAQ'] };
  const feeds = [
    { ...feed, name: 'closed', display: false },
    { ...feed, name: 'open', display: true },
  ];
  const others = [
    { source: 'acme.closed', exchanges: ['NASDAQ'], display: false },
    { source: 'acme.open', exchanges: ['NASDAQ'], display: true },
  ];
  const shown = hub.with({ HUB_MARKET_DATA: JSON.stringify(feeds), HUB_FEEDS: JSON.stringify(others) });
  for (const source of ['hub-feed.closed', 'hub-feed.open', 'acme.closed', 'acme.open']) {
    const facts = { ...DAILY, symbol: source.toUpperCase(), source };
    await importBars(hub.runtime.store, facts, sessionBars('2020-01-02', 10));
  }
  const ask = (symbol: string, timeframe: string) =>
    shown.call('GET /get_candles', { query: { symbol, timeframe } });
  for (const timeframe of ['1d', '1w']) {
    for (const feed of ['HUB-FEED', 'ACME']) {
      const refused = await ask(`${feed}.CLOSED`, timeframe);
      expect(refused).toMatchObject({ status: 403, body: { code: 'candles_hidden' } });
      expect(await ask(`${feed}.OPEN`, timeframe)).toMatchObject({ status: 200 });
    }
  }
  expect((await ask('SPY', '1d')).status).toBe(200);
});

describe('large spans of candles', () => {
  const MINUTES = 60_000;
  const sourceIp = '198.51.100.9';
  const ask = (query: Readonly<Record<string, string>>, from = sourceIp) =>
    hub.call('GET /get_candles', { query: { symbol: 'MINUTES', timeframe: '1h', ...query }, sourceIp: from });

  test('count for the network of the caller, and others do not', async () => {
    const { store, keyRing, clock } = hub.runtime;
    const facts = {
      ...DAILY,
      symbol: 'MINUTES',
      timeframe: '1m',
      asset_class: 'crypto',
      calendar: 'always',
    } as const;
    const bars = Array.from({ length: MINUTES }, (_, index): Bar => {
      const start = Date.UTC(2024, 0, 1) + index * 60_000;
      return { start, open: 1, high: 1, low: 1, close: 1, volume: 1 };
    });
    await importBars(store, facts, columnsOf(bars));
    const { key, max } = budgetOf(await keyRing(), 'candles_network', ['198.51.100.0/24'], clock());
    expect((await ask({ limit: '100' })).status).toBe(200);
    expect(await store.getMany([key])).toEqual([undefined]);
    expect((await ask({ limit: '1000' })).body.candles).toHaveLength(1000);
    expect((await store.getMany([key]))[0]).toMatchObject({ used: expect.closeTo(MINUTES, -1) });
    await store.put({ ...key, used: max - 1000 });
    expect(await ask({ limit: '1000' })).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect((await ask({ limit: '1000', from: '2024-02-10' })).status).toBe(200);
    expect((await ask({ limit: '1000' }, '203.0.113.9')).status).toBe(200);
  });
});
