import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getB2cBrokers } from '../../../functions/strategies/get-b2c-brokers.ts';
import { getBrokerSpecificTickers } from '../../../functions/strategies/get-broker-specific-tickers.ts';
import { getConnectedBrokerDetails } from '../../../functions/strategies/get-connected-broker-details.ts';
import { getInstrumentSuggestions } from '../../../functions/strategies/get-instrument-suggestions.ts';
import { userAccessOperations } from '../../../functions/user-access/operations.ts';
import { loadCatalogue, readCatalogue } from '../../../infra/catalogue/load.ts';
import { changeHead } from '../../../shared/data/candles/change-head.ts';
import { importBars } from '../../../shared/data/candles/import-bars.ts';
import { saveFeedState } from '../../../shared/data/candles/pulled-feeds.ts';
import { factsOf, findSeries } from '../../../shared/data/candles/series.ts';
import { findInstruments, findUniverse } from '../../../shared/data/instruments/instruments.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { columnsOf } from '../../../shared/domain/candles/bars.ts';
import { timeframeLength } from '../../../shared/domain/deployments/engines.ts';
import type { Timeframe } from '../../../shared/domain/strategies/strategies.ts';
import type { Response, TestHub } from '../../support/hub.ts';
import { startHub } from '../../support/hub.ts';
import { BROKER, freshEmail, furnish, PASSWORD, register } from '../../support/people.ts';

let hub: TestHub;
let userId: string;

beforeAll(async () => {
  hub = await startHub([
    ...userAccessOperations,
    getInstrumentSuggestions,
    getBrokerSpecificTickers,
    getB2cBrokers,
    getConnectedBrokerDetails,
  ]);
  await furnish(hub);
  const catalogue = readCatalogue();
  expect(await loadCatalogue(hub.runtime.store, catalogue)).toBe(catalogue.instruments.length);
  userId = (await register(hub)).body.user_id;
});
afterAll(() => hub.close());

const get = (path: string, query: Readonly<Record<string, string>> = {}): Promise<Response> =>
  hub.call(`GET ${path}`, { query: { user_id: userId, ...query } });

const suggest = (instrument: string, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
  get('/get_instrument_suggestions_v2', { instrument, ...more });

const symbolsOf = ({ body }: Response): string[] => body.map((one: { symbol: string }) => one.symbol);

describe('suggestions', () => {
  test('put symbols before names, the exact one first', async () => {
    expect(symbolsOf(await suggest('c'))[0]).toBe('C');
    const found = symbolsOf(await suggest('app'));
    expect(found).toEqual(['AAPL', 'AMAT']);
    expect(symbolsOf(await suggest('ms'))).toEqual(['MS', 'MSFT', 'EEM']);
  });

  test.each([
    ['APPLE', {}, 'AAPL'],
    ['nestle', {}, 'NESN.SW'],
    ['NESTLE\u0301', {}, 'NESN.SW'],
    ['moller - maersk', {}, 'MAERSK-B.CO'],
    ["l'ore", {}, 'OR.PA'],
    ['s&p 5', {}, 'SPY'],
    ['brk b', {}, 'BRK.B'],
    ['brk.b', {}, 'BRK.B'],
    ['goldman sa', {}, 'GS'],
    ['sachs', {}, 'GS'],
    ['btc/usd', { type: 'crypto' }, 'BTCUSD'],
    ['yen', { type: 'forex' }, 'AUDJPY'],
    ['dax', { type: 'index' }, 'GER40'],
    ['brent', { type: 'commodity' }, 'BRENT'],
  ])('find %j in %j', async (text, more, symbol) => {
    expect(symbolsOf(await suggest(text, more))[0]).toBe(symbol);
  });

  test('have the fields that a client needs to place an order', async () => {
    const { status, body } = await suggest('eurusd', { type: 'forex' });
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        symbol: 'EURUSD',
        broker_symbol: null,
        name: 'Euro / US Dollar',
        exchange: 'OTC',
        asset_class: 'forex',
        base_currency: 'EUR',
        quote_currency: 'USD',
        tick_size: 0.00001,
        digits: 5,
        contract_size: 100_000,
        min_volume: 0.01,
        max_volume: 200,
        volume_step: 0.01,
        swap_long: expect.any(Number),
        swap_short: expect.any(Number),
        swap_calculation: 'pips',
        triple_swap_weekday: 'wednesday',
        tradable: true,
      },
    ]);
  });

  test('are of the requested type, equity by default', async () => {
    expect(symbolsOf(await suggest('xau'))).toEqual([]);
    expect(symbolsOf(await suggest('xau', { type: 'commodity' }))).toEqual(['XAUUSD', 'XAUEUR'].toSorted());
    const { status, body } = await suggest('a', { type: 'bond' });
    expect(status).toBe(422);
    expect(body.detail).toEqual([
      {
        loc: ['query', 'type'],
        msg: "value is not a valid enumeration member; permitted: 'equity', 'index', 'forex', 'commodity', 'crypto'",
        type: 'type_error.enum',
        ctx: { enum_values: ['equity', 'index', 'forex', 'commodity', 'crypto'] },
      },
    ]);
  });

  test('are at most 20, each once', async () => {
    for (const text of ['a', 'c', 's', 'i', 't']) {
      const found = symbolsOf(await suggest(text));
      expect(found.length).toBeLessThanOrEqual(20);
      expect(new Set(found).size).toBe(found.length);
    }
    expect(symbolsOf(await suggest('u', { type: 'forex' }))).toHaveLength(20);
    expect(symbolsOf(await suggest('i'))).toHaveLength(20);
  });

  test('are empty for a text without matches', async () => {
    for (const text of ['', ' ', '&', '😀', 'zzzz', 'x'.repeat(3000), '\u0000', '0#a']) {
      expect(await suggest(text)).toMatchObject({ status: 200, body: [] });
    }
  });

  test('can be limited to the offer of a broker, under its own tickers', async () => {
    const { body } = await suggest('gold', { type: 'commodity', broker_id: '102' });
    expect(body).toMatchObject([{ symbol: 'XAUUSD', broker_symbol: 'GOLD' }]);
    expect(symbolsOf(await suggest('aapl', { broker_id: '102' }))).toEqual([]);
    expect((await suggest('aapl', { broker_id: '103' })).body).toMatchObject([{ broker_symbol: 'AAPL.US' }]);
    for (const unknown of ['999', '-1', '99999999999999999999999']) {
      expect(await suggest('aapl', { broker_id: unknown })).toMatchObject({ status: 200, body: [] });
    }
  });

  test('can be limited to the offer of a server', async () => {
    const on = (server: string, more = {}) => suggest('ethbtc', { type: 'crypto', server, ...more });
    expect(symbolsOf(await on('partnera-live'))).toEqual(['ETHBTC']);
    expect(symbolsOf(await on('PartnerA-Live', { broker_id: '101' }))).toEqual(['ETHBTC']);
    expect(symbolsOf(await on('partnera-live', { broker_id: '102' }))).toEqual([]);
    expect(symbolsOf(await on('partnera-demo'))).toEqual([]);
    expect(symbolsOf(await on('nowhere'))).toEqual([]);
    expect(symbolsOf(await on('x'.repeat(5000)))).toEqual([]);
    expect(symbolsOf(await on(''))).toEqual(['ETHBTC']);
  });
});

describe("a broker's tickers", () => {
  test('are listed by slug or id', async () => {
    const { status, body } = await get('/get_broker_specific_tickers', { broker: 'partnerb' });
    expect(status).toBe(200);
    expect(body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ symbol: 'EURUSD', broker_symbol: 'EURUSD.m', digits: 5 }),
        expect.objectContaining({ symbol: 'XAUUSD', broker_symbol: 'GOLD', contract_size: 100 }),
      ]),
    );
    expect((await get('/get_broker_specific_tickers', { broker: '102' })).body).toEqual(body);
    expect((await get('/get_broker_specific_tickers', { broker: 'PartnerB' })).body).toEqual(body);
  });

  test('are empty for a white-label broker without a list', async () => {
    const linked = await register(hub, { broker_domain: BROKER.subdomain });
    const query = { user_id: linked.body.user_id, broker: BROKER.subdomain };
    const own = await hub.call('GET /get_broker_specific_tickers', { query });
    // With `user_id=me` the address is the same for the next user of the browser.
    expect(own.headers['cache-control']).toBe('private, no-cache');
    expect(own).toMatchObject({ status: 200, body: [] });
    expect((await get('/get_broker_specific_tickers', { broker: BROKER.subdomain })).status).toBe(404);
  });

  test.each(['nobody', '', '0', 'x'.repeat(5000)])('of %j are unknown', async (broker) => {
    const { status, body } = await get('/get_broker_specific_tickers', { broker });
    expect([status, body.code]).toEqual([404, 'broker_unknown']);
  });
});

describe('a copy of an instrument', () => {
  const isOf = (symbol: string, item: Item) => JSON.parse(String(item.instrument)).symbol === symbol;

  test.each([
    ['that is no JSON', () => '{', 1],
    ['that is no instrument', () => '{}', 1],
    [
      'of a newer version',
      (text: string) => JSON.stringify({ ...JSON.parse(text), asset_class: 'newer' }),
      0,
    ],
  ])('%s hides only itself', async (_, change, named) => {
    const { store } = hub.runtime;
    const pages = [
      {
        key: keys.instrumentSearch('all', 'equity', { rank: 0, text: 'm' }, ''),
        symbol: 'MSFT',
        read: () => suggest('ms'),
      },
      {
        key: keys.brokerTicker('partnerb', ''),
        symbol: 'EURUSD',
        read: () => get('/get_broker_specific_tickers', { broker: 'partnerb' }),
      },
    ];
    for (const { key, symbol, read } of pages) {
      const whole = symbolsOf(await read());
      const copies = await store.queryItems({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': key.pk },
      });
      const own = copies.filter((item) => isOf(symbol, item));
      expect(own.length).toBeGreaterThan(0);
      for (const item of own) await store.put({ ...item, instrument: change(String(item.instrument)) });
      hub.log.length = 0;
      const { status, body } = await read();
      for (const item of own) await store.put(item);
      expect(status).toBe(200);
      expect(body.map((one: { symbol: string }) => one.symbol)).toEqual(
        whole.filter((one) => one !== symbol),
      );
      const messages = hub.log.filter(({ message }) => message === 'a record cannot be read');
      expect(messages.length > 0 ? 1 : 0).toBe(named);
    }
  });
});

describe('the retail brokers', () => {
  test('are marked if the user has connected them', async () => {
    const { status, body } = await get('/get_b2c_brokers');
    expect(status).toBe(200);
    expect(body.map((one: { slug: string }) => one.slug)).toEqual([
      'paper',
      'partnera',
      'partnerb',
      'partnerc',
    ]);
    expect(body[3]).toEqual({
      broker_id: 103,
      name: 'Partner C',
      slug: 'partnerc',
      logo_url: null,
      asset_classes: ['equity'],
      regions: ['US', 'EU', 'GB', 'IN'],
      connection: 'oauth',
      servers: [],
      connected: false,
      connected_at: null,
    });
    const { user_id: id } = (await register(hub)).body;
    const connectedAt = '2026-03-01T00:00:00.000Z';
    await hub.runtime.store.transact([
      {
        key: keys.user(id),
        update: 'SET brokers.partnerc = :link',
        condition: 'attribute_exists(pk)',
        values: {
          ':link': { broker_id: 103, name: 'Partner C', connected: true, connected_at: connectedAt },
        },
      },
    ]);
    const after = await hub.call('GET /get_b2c_brokers', { query: { user_id: id } });
    expect(after.body[3]).toMatchObject({ connected: true, connected_at: connectedAt });
    expect(after.body[2]).toMatchObject({ connected: false, connected_at: null });
  });
});

describe('what can be tested and traded', () => {
  const searched = async (text: string, more: Readonly<Record<string, string>> = {}) =>
    suggest(text, { any_type: 'true', with_candles: 'true', ...more });
  const COINS = [
    { name: 'coins', provider: 'binance', asset_classes: ['crypto'], exchanges: ['OTC'], display: true },
  ];
  const pricesOf = async (symbol: string): Promise<readonly string[]> => {
    const { body } = await hub
      .with({ HUB_MARKET_DATA: JSON.stringify(COINS) })
      .call('GET /get_instrument_suggestions_v2', {
        query: { user_id: userId, instrument: symbol, any_type: 'true', with_candles: 'true' },
      });
    const found = body.find((one: { symbol: string }) => one.symbol === symbol);
    return found.candles.map(
      (one: { timeframe: string; prices: string }) => `${one.timeframe} ${one.prices}`,
    );
  };
  const importSeries = async (symbol: string, timeframe: Timeframe, last: number, source = 'file') => {
    const [instrument] = await findInstruments(hub.runtime.store, [symbol]);
    if (!instrument) throw new Error('there is no such instrument');
    const facts = factsOf(instrument, { symbol, timeframe, source, adjustment: 'none' });
    const bar = { open: 10, high: 12, low: 9, close: 11, volume: 5 };
    const starts = [last - timeframeLength(timeframe), last];
    await importBars(hub.runtime.store, facts, columnsOf(starts.map((start) => ({ start, ...bar }))));
    const [series] = await findSeries(hub.runtime.store, symbol, [timeframe]);
    if (!series) throw new Error('the series is not stored');
    return series;
  };
  const now = () => hub.runtime.clock().getTime();
  const MINUTE = 60_000;

  test('is found in all markets at once, each with its share', async () => {
    const { body } = await searched('b');
    expect(new Set(body.map((one: { asset_class: string }) => one.asset_class)).size).toBeGreaterThan(2);
    expect(symbolsOf(await searched('btcusdt'))).toContain('BTCUSDT');
  });

  test('says from when to when candles are stored, and costs five calls beyond the search', async () => {
    const last = Date.parse('2021-03-31T04:00:00Z');
    await importSeries('AAPL', '1d', last);
    hub.takeCalls();
    const { body } = await searched('AAPL', { any_type: 'false' });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(5);
    expect(body[0].candles).toEqual([
      { timeframe: '1d', from: '2021-03-30T04:00:00.000Z', to: '2021-03-31T04:00:00.000Z', prices: 'ended' },
    ]);
    const [tesla] = (await searched('TSLA', { any_type: 'false' })).body;
    expect(tesla.candles).toEqual([]);
    expect((await suggest('AAPL')).body[0].candles).toBeUndefined();
  });

  test('tells prices of the present from old ones', async () => {
    const minute = Math.floor(now() / MINUTE) * MINUTE;
    await importSeries('BTCUSDT', '1m', minute - 2 * MINUTE);
    await importSeries('ETHUSDT', '1m', minute - 60 * MINUTE);
    expect(await pricesOf('BTCUSDT')).toEqual(['1m live']);
    expect(await pricesOf('ETHUSDT')).toEqual(['1m ended']);
  });

  test('tells bars of a past time that arrive now', async () => {
    const series = await importSeries('IBM', '1d', Date.parse('2020-03-31T04:00:00Z'));
    await changeHead(hub.runtime.store, series, (one) => ({ ...one, moved_at: now() }));
    expect(await pricesOf('IBM')).toEqual(['1d replay']);
  });

  test('counts a feed that the hub pulls as arriving while its provider answers', async () => {
    await importSeries('SOLUSD', '1m', Date.parse('2024-03-31T04:00:00Z'), 'hub-feed.coins');
    expect(await pricesOf('SOLUSD')).toEqual(['1m live']);
    const down = { failures: 1, retry_at: now(), since: now(), reason: 'status 451' };
    await saveFeedState(hub.runtime.store, 'coins', { down, series_failures: {} });
    expect(await pricesOf('SOLUSD')).toEqual(['1m ended']);
  });
});

describe('the link to a broker', () => {
  test('is shown with the account number masked', async () => {
    const email = freshEmail();
    const form = {
      email,
      password: PASSWORD,
      broker_domain: BROKER.subdomain,
      account_id: '12345678',
      server_id: '4',
    };
    const { body } = await hub.call('POST /register_user_broker', { form });
    const query = { user_id: body.user_id, broker_id: String(BROKER.broker_id) };
    const link = await hub.call('GET /get_connected_broker_details_v2', { query });
    expect(link.status).toBe(200);
    expect(link.body).toEqual({
      broker_id: BROKER.broker_id,
      name: BROKER.name,
      account_id: '****5678',
      server_id: 4,
      status: 'connected',
      connected_at: hub.runtime.clock().toISOString(),
      token_expires_at: null,
      permissions: [],
    });
    expect(link.text).not.toContain('12345678');
  });

  test.each([String(BROKER.broker_id), '101', '99999999999999999999'])(
    '%s that the user lacks is unknown',
    async (id) => {
      const { status, body } = await get('/get_connected_broker_details_v2', { broker_id: id });
      expect([status, body.code]).toEqual([404, 'broker_unknown']);
    },
  );
});

test.each([
  ['/get_instrument_suggestions_v2', { instrument: 'a' }],
  ['/get_broker_specific_tickers', { broker: 'partnera' }],
  ['/get_b2c_brokers', {}],
  ['/get_connected_broker_details_v2', { broker_id: '77' }],
])('%s answers 404 to unknown users, and takes at most three calls', async (path, query) => {
  const { status, body } = await hub.call(`GET ${path}`, { query: { user_id: 'nobody', ...query } });
  expect([status, body.code]).toEqual([404, 'user_unknown']);
  hub.takeCalls();
  await get(path, query);
  expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
});

describe('the instruments of strategies', () => {
  test('are read by their symbols in one call', async () => {
    hub.takeCalls();
    const found = await findInstruments(hub.runtime.store, ['eurusd', 'NOBODY', 'AAPL', 'EURUSD', 'a#b', '']);
    expect(found.map((one) => one?.symbol)).toEqual([
      'EURUSD',
      undefined,
      'AAPL',
      'EURUSD',
      undefined,
      undefined,
    ]);
    expect(hub.takeCalls()).toEqual(['BatchGetItem']);
    expect(await findInstruments(hub.runtime.store, ['', '#'])).toEqual([undefined, undefined]);
    expect(hub.takeCalls()).toEqual([]);
  });

  test('of a universe are read in one call', async () => {
    hub.takeCalls();
    expect(await findUniverse(hub.runtime.store, 'dow-30')).toMatchObject({ name: 'Dow 30' });
    expect(hub.takeCalls()).toEqual(['GetItem']);
    expect(await findUniverse(hub.runtime.store, 'dow-31')).toBeUndefined();
  });
});

test('are not written again by a second load of the catalogue', async () => {
  expect(await loadCatalogue(hub.runtime.store)).toBe(0);
});
