import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { candlesOperations } from '../../../functions/candles/operations.ts';
import { userAccessOperations } from '../../../functions/user-access/operations.ts';
import { readBars } from '../../../shared/data/candles/read-bars.ts';
import { findSeries, headItem, type SeriesFacts } from '../../../shared/data/candles/series.ts';
import { SCANNERS_DUE } from '../../../shared/data/engine/events.ts';
import { seriesInUseWrite } from '../../../shared/data/engine/series-in-use.ts';
import { InstrumentMemory } from '../../../shared/data/instruments/instrument-memory.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { type Bar, columnsOf } from '../../../shared/domain/candles/bars.ts';
import type { PulledFeed } from '../../../shared/settings.ts';
import { takeFeedEvent } from '../../support/functions/engine.ts';
import { SECRETS, startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { type FakeProvider, fakeAlpaca, fakeBinance, minutesFrom } from '../../support/market-data.ts';
import { bearer, furnish, signUp } from '../../support/people.ts';
import { DAMAGES } from '../../support/series-in-use.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface PutEvent {
  readonly Source: string;
  readonly DetailType: string;
  readonly detail: ReturnType<typeof JSON.parse>;
}

const environment = { ...process.env };
let hub: TestHub;
let alpaca: FakeProvider;
let binance: FakeProvider;
let bus: Upstream;
let events: PutEvent[];
const scannersDue: PutEvent[] = [];

const feeds = (): Partial<PulledFeed>[] => [
  {
    name: 'shares',
    provider: 'alpaca',
    url: alpaca.url,
    asset_classes: ['equity'],
    exchanges: ['NYSE', 'NASDAQ', 'NYSE Arca'],
    display: false,
  },
  {
    name: 'coins',
    provider: 'binance',
    url: binance.url,
    asset_classes: ['crypto'],
    exchanges: ['OTC'],
    display: true,
  },
  {
    name: 'crypto',
    provider: 'binance',
    url: binance.url,
    asset_classes: ['crypto'],
    exchanges: ['OTC'],
    display: true,
    switched: true,
    follow: [
      { symbol: 'SOLUSDT', timeframe: '1m' },
      { symbol: 'XRPUSDT', timeframe: '1m' },
    ],
  },
];

const started = async (): Promise<TestHub> => {
  const one = await startHub([...userAccessOperations, ...candlesOperations]);
  return one.with({ HUB_MARKET_DATA: JSON.stringify(feeds()) });
};

beforeAll(async () => {
  alpaca = await fakeAlpaca({ id: SECRETS.alpacaKeyId, secret: SECRETS.alpacaSecretKey });
  binance = await fakeBinance();
  bus = await startUpstream(({ body }, response) => {
    const { Entries } = JSON.parse(body);
    for (const entry of Entries) {
      const to = entry.DetailType === SCANNERS_DUE ? scannersDue : events;
      to.push({ ...entry, detail: JSON.parse(entry.Detail) });
    }
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify({ FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: 'e' })) }));
  });
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
  });
});
beforeEach(async () => {
  events = [];
  hub = await started();
});
afterEach(async () => {
  await hub.close();
  for (const one of [alpaca, binance]) {
    one.bars.clear();
    one.received.splice(0);
    one.intercept = () => false;
  }
});
afterAll(async () => {
  process.env = environment;
  await Promise.all([alpaca, binance, bus].map((one) => one.close()));
});

const SHARE = {
  asset_class: 'equity',
  calendar: 'us',
  source: 'hub-feed.shares',
  adjustment: 'none',
} as const;
const COIN = {
  asset_class: 'crypto',
  calendar: 'always',
  source: 'hub-feed.coins',
  adjustment: 'none',
} as const;

/** Stores the series of a program with one bar. */
const use = async (facts: SeriesFacts, start: number, price = 100): Promise<void> => {
  const bar: Bar = { start, open: price, high: price, low: price, close: price, volume: 1 };
  const { store } = hub.runtime;
  await store.put(
    headItem({
      ...facts,
      rev: 1,
      first: start,
      last: start,
      count: 1,
      bars: columnsOf([bar]),
      flushed: start,
      late_bars: 0,
    }),
  );
  const isCoin = facts.asset_class === 'crypto';
  await store.transact([seriesInUseWrite(facts.symbol, facts.timeframe)]);
  await store.put({
    ...keys.instrument(facts.symbol),
    entity: 'instrument',
    symbol: facts.symbol,
    name: facts.symbol,
    exchange: isCoin ? 'OTC' : 'NASDAQ',
    asset_class: facts.asset_class,
    ...(isCoin && { base_currency: facts.symbol.replace(/USDT$/, '') }),
    quote_currency: isCoin ? 'USDT' : 'USD',
    tick_size: 0.01,
    digits: 2,
    contract_size: 1,
    min_volume: 1,
    volume_step: 1,
    tradable: true,
  });
};

const setClock = (text: string): void => hub.advance(Date.parse(text) - hub.runtime.clock().getTime());
const pull = () => runJob(hub.runtime, { job: 'pull-candles' });
const barsOf = (symbol: string) =>
  events
    .filter(({ DetailType, detail }) => DetailType === 'Bars Closed' && detail.symbol === symbol)
    .flatMap(({ detail }) => detail.bars);
const warnings = () => hub.log.filter(({ level }) => level === 'warn').map(({ message }) => message);

/** Stores a series of minutes that lacks five, and the provider's bars. */
const useMinutes = async (symbol: string): Promise<void> => {
  const start = Date.parse('2026-03-02T14:54Z');
  await use({ ...COIN, symbol, timeframe: '1m' }, start);
  binance.bars.set(`${symbol} 1m`, minutesFrom(start, 7));
};

/** Runs the job, which must fail. @returns the names of the records that its log says cannot be read. */
const pullDamaged = async (): Promise<unknown[]> => {
  hub.log.length = 0;
  await expect(pull()).rejects.toThrow('0 feeds failed, and 1 records cannot be read');
  return hub.log.flatMap((line) => (line.message === 'a record cannot be read' ? [line.extra] : []));
};

describe('a record that cannot be read stops its own series only, and is named:', () => {
  beforeEach(async () => {
    setClock('2026-03-02T15:00:10Z');
    await useMinutes('BTCUSDT');
    await useMinutes('ETHUSDT');
  });

  const stopsBitcoin = async (record: unknown): Promise<void> => {
    expect(await pullDamaged()).toEqual([{ operation: 'pull-candles', record }]);
    expect([barsOf('BTCUSDT'), barsOf('ETHUSDT').length]).toEqual([[], 5]);
  };

  test.each(DAMAGES)('a head %s', async (_name, damage, problem) => {
    const { store } = hub.runtime;
    const key = keys.series('BTCUSDT', '1m');
    const [item] = await store.getMany([key]);
    await store.put({ ...item, ...key, ...damage });
    await stopsBitcoin(`the item SERIES#BTCUSDT#1m, TAIL cannot be read: ${problem}`);
  });

  test('the entry of a series in use', async () => {
    await hub.runtime.store.put({ ...keys.seriesInUse('BTCUSDT', '1m'), timeframe: '1m', programs: 1 });
    await stopsBitcoin('the item SERIES_IN_USE, BTCUSDT#1m cannot be read: symbol: field required');
  });

  test('an instrument', async () => {
    await hub.runtime.store.put({ ...keys.instrument('BTCUSDT'), symbol: 'BTCUSDT' });
    await stopsBitcoin(
      expect.stringMatching(/^the item INSTRUMENT#BTCUSDT, INSTRUMENT cannot be read: name: field required/),
    );
  });
});

test('puts closed bars of the session on the bus, not those before it and not the running one', async () => {
  setClock('2026-03-02T14:35:50Z');
  const open = Date.parse('2026-03-02T14:30Z');
  await use({ ...SHARE, symbol: 'AAPL', timeframe: '1m' }, Date.parse('2026-02-27T20:59Z'));
  // Trades before the session from 14:00, and the running minute at 14:35.
  alpaca.bars.set('AAPL 1Min', minutesFrom(open - 30 * MINUTE_MS, 36));
  expect(await pull()).toEqual({ done: 1, more: false });
  expect(events).toEqual([
    expect.objectContaining({
      Source: 'strategy-hub',
      DetailType: 'Bars Closed',
      detail: {
        version: 1,
        feed: 'hub-feed.shares',
        symbol: 'AAPL',
        timeframe: '1m',
        previous: '2026-02-27T20:59:00.000Z',
        bars: expect.any(Array),
      },
    }),
  ]);
  // 14:34 closes at 14:35, and is final 35 seconds later.
  expect(barsOf('AAPL').map(({ start }) => start.slice(11, 16))).toEqual([
    '14:30',
    '14:31',
    '14:32',
    '14:33',
    '14:34',
  ]);
  const [{ url } = { url: new URL('http://x') }] = alpaca.received;
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    timeframe: '1Min',
    feed: 'iex',
    adjustment: 'raw',
    start: '2026-02-27T21:00:00.000Z',
  });
});

test.each([
  ['us@09:30', '1h', '30Min', '2026-03-02T14:30Z', ['14:30', '15:30', '16:30', '17:30']],
  ['us@09:30', '4h', '30Min', '2026-03-02T14:30Z', ['14:30']],
  ['weekdays:Europe/London@08:15', '30m', '15Min', '2026-03-02T16:15Z', ['16:15', '16:45', '17:15', '17:45']],
] as const)(
  'bars of the calendar %s and %s are made of bars of %s',
  async (calendar, timeframe, asked, from, starts) => {
    setClock('2026-03-02T18:30:50Z');
    const start = Date.parse(from);
    const before = timeframe === '30m' ? start - HOUR_MS / 2 : Date.parse('2026-02-27T20:30Z');
    await use({ ...SHARE, calendar, symbol: 'AAPL', timeframe }, before);
    const step = asked === '30Min' ? HOUR_MS / 2 : HOUR_MS / 4;
    alpaca.bars.set(
      `AAPL ${asked}`,
      minutesFrom(start - HOUR_MS, 22, step).filter((bar) => bar.start >= start - 2 * step),
    );
    expect(await pull()).toEqual({ done: 1, more: false });
    expect(barsOf('AAPL').map((bar) => bar.start.slice(11, 16))).toEqual(starts);
    expect(alpaca.received.map(({ url }) => url.searchParams.get('timeframe'))).toEqual([asked]);
  },
);

test.each([
  ['none', 'of both units', (minute: number) => (minute < 2 ? 1 : 100)],
  ['splits', 'in new units', () => 100],
] as const)(
  'bars with the adjustment %s at a declared split are pulled %s',
  async (adjustment, _how, factor) => {
    setClock('2026-03-02T15:00:10Z');
    const start = Date.parse('2026-03-02T14:54Z');
    const facts = { ...COIN, symbol: 'BTCUSDT', timeframe: '1m', adjustment } as const;
    const { store } = hub.runtime;
    await use(facts, start, 100);
    // 1:100, more than the change of a close that is plausible.
    const split = { at: start + 2 * MINUTE_MS, units: 1, of: 100 };
    await store.transact([{ key: keys.series('BTCUSDT', '1m'), set: { split } }]);
    const bars = minutesFrom(start, 7).map((bar, minute) => ({
      ...{ ...bar, open: 100 * factor(minute), high: 100 * factor(minute) },
      ...{ low: 100 * factor(minute), close: 100 * factor(minute) },
    }));
    binance.bars.set('BTCUSDT 1m', bars);
    expect(await pull()).toEqual({ done: 1, more: false });
    expect(barsOf('BTCUSDT').map(({ close }) => close)).toEqual(bars.slice(1, 6).map(({ close }) => close));
    expect(warnings()).toEqual([]);
  },
);

test('calls nothing if no bar has closed, and reads nothing if no feed is configured', async () => {
  setClock('2026-03-02T09:00Z');
  await use({ ...SHARE, symbol: 'AAPL', timeframe: '1m' }, Date.parse('2026-02-27T20:59Z'));
  expect(await pull()).toEqual({ done: 0, more: false });
  expect(alpaca.received).toEqual([]);
  hub.takeCalls();
  const idle = hub.with({ HUB_MARKET_DATA: '[]' });
  expect(await runJob(idle.runtime, { job: 'pull-candles' })).toEqual({ done: 0, more: false });
  expect(hub.takeCalls()).toEqual([]);
});

test('ignores series of other sources, of other exchanges and without programs', async () => {
  setClock('2026-03-02T14:40Z');
  const before = Date.parse('2026-02-27T20:59Z');
  await use({ ...SHARE, symbol: 'AAPL', timeframe: '1m', source: 'import' }, before);
  await use(
    { ...SHARE, symbol: 'ETHUSDT', timeframe: '1m', source: 'hub-feed.shares', asset_class: 'crypto' },
    before,
  );
  expect(await pull()).toEqual({ done: 0, more: false });
  expect([...alpaca.received, ...binance.received]).toEqual([]);
});

test('refills a gap in order, 500 bars a run', async () => {
  setClock('2026-03-02T12:00:30Z');
  const from = Date.parse('2026-03-01T12:00Z');
  await use({ ...COIN, symbol: 'BTCUSDT', timeframe: '1m' }, from);
  binance.bars.set('BTCUSDT 1m', minutesFrom(from, 1441));
  const taken: string[] = [];
  for (const more of [true, true, false]) {
    expect(await pull()).toEqual({ done: 1, more });
    const bars = barsOf('BTCUSDT');
    expect(events.map(({ DetailType }) => DetailType)).toEqual(['Bars Closed']);
    taken.push(...bars.map(({ start }) => start));
    const last = bars.at(-1);
    events = [];
    await use({ ...COIN, symbol: 'BTCUSDT', timeframe: '1m' }, Date.parse(last.start), last.close);
  }
  expect(taken).toEqual(
    Array.from({ length: 1439 }, (_, index) => new Date(from + (index + 1) * MINUTE_MS).toISOString()),
  );
});

test('pages of all symbols of a request are read', async () => {
  setClock('2026-03-02T20:59:50Z');
  const open = Date.parse('2026-03-02T14:30Z');
  const symbols = Array.from({ length: 30 }, (_, index) => `S${index}`);
  for (const symbol of symbols) {
    await use({ ...SHARE, symbol, timeframe: '1m' }, open);
    alpaca.bars.set(`${symbol} 1Min`, minutesFrom(open, 389));
  }
  // The stand-in gives smaller pages, as the provider may.
  alpaca.intercept = ({ url }) => {
    url.searchParams.set('limit', '700');
    return false;
  };
  expect(await pull()).toEqual({ done: 30, more: false });
  for (const symbol of symbols) expect([symbol, barsOf(symbol).length]).toEqual([symbol, 388]);
  expect(alpaca.received.some(({ url }) => url.searchParams.has('page_token'))).toBe(true);
});

test('bars of a provider that fails now and then are stored whole and once', async () => {
  const open = Date.parse('2026-03-02T14:30Z');
  setClock('2026-03-02T14:30:50Z');
  await use({ ...SHARE, symbol: 'AAPL', timeframe: '1m' }, open - MINUTE_MS);
  // Every fifth minute had no trade.
  const traded = minutesFrom(open, 40).filter((_, minute) => minute % 5 !== 3);
  alpaca.bars.set('AAPL 1Min', traded);
  const instruments = new InstrumentMemory();
  const advance = async () => undefined;
  let minute = 0;
  alpaca.intercept = (_request, response) => {
    if (minute % 7 !== 2 && minute % 11 !== 4) return false;
    response.writeHead(minute % 2 === 0 ? 503 : 429, { 'retry-after': '60' }).end();
    return true;
  };
  for (; minute < 42; minute++) {
    hub.advance(MINUTE_MS);
    events = [];
    await pull();
    // The bus may deliver an event twice, and a watermark before the bars of its run.
    for (const { DetailType, Source, detail } of [...events.toReversed(), ...events]) {
      const time = hub.runtime.clock().toISOString();
      const raw = { 'detail-type': DetailType, source: Source, time, detail };
      await takeFeedEvent(hub.runtime, raw, {
        instruments,
        advance,
        passSplit: async () => true,
        takeSplit: async () => undefined,
        scan: advance,
        sendAgain: async () => undefined,
        graceMs: 0,
        pauses: [],
      });
    }
  }
  const [series] = await findSeries(hub.runtime.store, 'AAPL', ['1m']);
  if (!series) throw new Error('there is no series');
  const stored = await readBars(hub.runtime.store, series, { from: open, to: Number.POSITIVE_INFINITY });
  expect([...stored.start]).toEqual(traded.map(({ start }) => start));
  expect([...stored.close]).toEqual(traded.map(({ close }) => close));
  expect(series.late_bars).toBe(0);
});

test('derives bars that the provider cuts differently', async () => {
  setClock('2026-03-02T17:01:00Z');
  const open = Date.parse('2026-03-02T14:30Z');
  await use({ ...SHARE, symbol: 'AAPL', timeframe: '1h' }, Date.parse('2026-02-27T20:00Z'));
  alpaca.bars.set('AAPL 30Min', minutesFrom(open - 3 * HOUR_MS, 11, 30 * MINUTE_MS));
  await pull();
  // The first hour holds the half hour of the session only.
  expect(barsOf('AAPL').map(({ start, volume }) => [start.slice(11, 16), volume])).toEqual([
    ['14:00', 16],
    ['15:00', 17 + 18],
    ['16:00', 19 + 20],
  ]);
});

test('a derived bar whose smaller bars are on a page that was not read waits for the next run', async () => {
  setClock('2026-03-02T19:01:00Z');
  const open = Date.parse('2026-03-02T14:30Z');
  await use({ ...SHARE, symbol: 'AAPL', timeframe: '1h' }, Date.parse('2026-02-27T20:00Z'));
  alpaca.bars.set('AAPL 30Min', minutesFrom(open, 9, 30 * MINUTE_MS));
  // The time of the run ends after one page, with half of the second hour.
  alpaca.intercept = ({ url }) => {
    url.searchParams.set('limit', '2');
    return false;
  };
  const remainingMs = () => (alpaca.received.length === 0 ? 60_000 : 0);
  expect(await runJob(hub.runtime, { job: 'pull-candles' }, remainingMs)).toEqual({ done: 1, more: true });
  expect(barsOf('AAPL').map(({ start }) => start.slice(11, 16))).toEqual(['14:00']);
});

test('takes the daily bar after the official close', async () => {
  const day = Date.parse('2026-03-02T05:00Z');
  await use({ ...SHARE, symbol: 'AAPL', timeframe: '1d' }, Date.parse('2026-02-27T05:00Z'));
  alpaca.bars.set('AAPL 1Day', minutesFrom(day, 1));
  setClock('2026-03-02T21:19Z');
  expect(await pull()).toEqual({ done: 0, more: false });
  expect(alpaca.received).toEqual([]);
  setClock('2026-03-02T21:20Z');
  expect(await pull()).toEqual({ done: 1, more: false });
  expect(barsOf('AAPL').map(({ start }) => start)).toEqual(['2026-03-02T05:00:00.000Z']);
});

test('tells when a provider has no more bars, before which bars are on the way', async () => {
  setClock('2026-03-02T14:40:50Z');
  const open = Date.parse('2026-03-02T14:30Z');
  await use({ ...SHARE, symbol: 'IDLE', timeframe: '1m' }, open);
  await use({ ...SHARE, symbol: 'RARE', timeframe: '1m' }, open);
  alpaca.bars.set('RARE 1Min', minutesFrom(open + 5 * MINUTE_MS, 1));
  await pull();
  expect(
    events.filter(({ DetailType }) => DetailType === 'Bars Complete').map(({ detail }) => detail),
  ).toEqual([
    {
      version: 1,
      feed: 'hub-feed.shares',
      timeframe: '1m',
      through: '2026-03-02T14:40:00.000Z',
      symbols: ['IDLE'],
    },
    {
      version: 1,
      feed: 'hub-feed.shares',
      timeframe: '1m',
      through: '2026-03-02T14:35:00.000Z',
      symbols: ['RARE'],
    },
  ]);
  // Scanners wait for bars that are on the way.
  expect(scannersDue.at(-1)).toMatchObject({
    detail: { feed: 'hub-feed.shares', timeframe: '1m', through: '2026-03-02T14:40:00.000Z' },
  });
});

describe('a provider that', () => {
  const open = Date.parse('2026-03-02T14:30Z');
  beforeEach(async () => {
    setClock('2026-03-02T14:40:50Z');
    await use({ ...SHARE, symbol: 'AAPL', timeframe: '1m' }, open);
    await use({ ...COIN, symbol: 'BTCUSDT', timeframe: '1m' }, open);
    alpaca.bars.set('AAPL 1Min', minutesFrom(open, 60));
    binance.bars.set('BTCUSDT 1m', minutesFrom(open, 60));
  });

  test('limits requests is asked again after the time that it names; the others go on; the gap is filled', async () => {
    binance.intercept = (_request, response) => {
      response.writeHead(429, { 'retry-after': '120' }).end('{"code":-1003,"msg":"Too many requests."}');
      return true;
    };
    expect(await pull()).toEqual({ done: 1, more: false });
    expect(barsOf('AAPL')).toHaveLength(9);
    expect(warnings()).toEqual(['a provider of market data is down']);
    binance.intercept = () => false;
    hub.advance(MINUTE_MS);
    await pull();
    expect(binance.received).toHaveLength(1);
    expect(barsOf('BTCUSDT')).toEqual([]);
    hub.advance(MINUTE_MS);
    await pull();
    expect(barsOf('BTCUSDT')).toHaveLength(11);
    expect(hub.log.map(({ message }) => message)).toContain('a provider of market data answers again');
  });

  test.each([
    ['bans the caller', 418, { 'retry-after': '7200' }, 7_200_000],
    ['refuses the key', 403, {}, 60_000],
    ['is down', 503, {}, 60_000],
  ])('%s waits, longer each time, and is told', async (_name, status, headers, waits) => {
    alpaca.intercept = (_request, response) => {
      response.writeHead(status, headers).end('{"message":"forbidden."}');
      return true;
    };
    await pull();
    const [line] = hub.log.filter(({ level }) => level === 'warn');
    expect(line).toMatchObject({
      message: 'a provider of market data is down',
      extra: { feed: 'shares', reason: `status ${status}`, failures: 1 },
    });
    const now = hub.runtime.clock().getTime();
    expect(Date.parse(String(line?.extra.retry_at)) - now).toBe(waits);
    hub.advance(waits - 1);
    await pull();
    expect(alpaca.received).toHaveLength(1);
    hub.advance(1);
    await pull();
    expect(alpaca.received).toHaveLength(2);
    expect(hub.log.at(-2)?.extra).toMatchObject({ failures: 2 });
    expect(JSON.stringify(hub.log)).not.toMatch(/alpaca-(key|secret)|apca/);
  });

  test('waits is asked at once by hand', async () => {
    alpaca.intercept = (_request, response) => {
      response.writeHead(429, { 'retry-after': '86400' }).end();
      return true;
    };
    await pull();
    alpaca.intercept = () => false;
    hub.advance(MINUTE_MS);
    await runJob(hub.runtime, { job: 'pull-candles', by_hand: true });
    expect(barsOf('AAPL')).toHaveLength(10);
    hub.advance(MINUTE_MS);
    await pull();
    expect(alpaca.received).toHaveLength(3);
  });

  test('sends pages without end is refused, symbol by symbol', async () => {
    await use({ ...SHARE, symbol: 'MSFT', timeframe: '1m' }, open);
    alpaca.intercept = (_request, response) => {
      response.writeHead(200).end('{"bars":{},"next_page_token":"again"}');
      return true;
    };
    expect(await pull()).toEqual({ done: 1, more: false });
    expect(warnings()).toEqual(Array(2).fill('market data of a series is refused'));
    expect(alpaca.received).toHaveLength(60);
  });

  test.each([
    ['sends no JSON', 'no', 'the answer is not JSON'],
    ['sends another form', '{"bars":[]}', 'the answer has another form (bars: invalid_type)'],
    [
      'sends a bar of another form',
      '{"bars":{"AAPL":[{"t":"2026-03-02T14:31:00Z","o":"1"}]},"next_page_token":null}',
      'a bar has another form (0.o: invalid_type)',
    ],
  ])('%s is refused with the reason, and asked again later', async (_name, body, reason) => {
    alpaca.intercept = (_request, response) => {
      response.writeHead(200).end(body);
      return true;
    };
    await pull();
    expect(hub.log.filter(({ level }) => level === 'warn')).toEqual([
      expect.objectContaining({
        message: 'market data of a series is refused',
        extra: { feed: 'shares', symbol: 'AAPL', timeframe: '1m', reason },
      }),
    ]);
    alpaca.intercept = () => false;
    await pull();
    expect(alpaca.received).toHaveLength(1);
    hub.advance(MINUTE_MS);
    await pull();
    expect(barsOf('AAPL')).toHaveLength(10);
  });

  test('lies about one bar, or does not know one symbol, delivers the rest', async () => {
    await use({ ...SHARE, symbol: 'BAD1', timeframe: '1m' }, open);
    await use({ ...SHARE, symbol: 'MSFT', timeframe: '1m' }, open);
    const [first, second, ...rest] = minutesFrom(open + MINUTE_MS, 9);
    if (!first || !second) throw new Error('no bars');
    alpaca.bars.set('MSFT 1Min', [first, { ...second, high: 1 }, ...rest]);
    expect(await pull()).toMatchObject({ done: 3 });
    expect(barsOf('AAPL')).toHaveLength(9);
    expect(barsOf('MSFT')).toHaveLength(8);
    expect(hub.log.filter(({ level }) => level === 'warn').map(({ extra }) => extra)).toEqual(
      expect.arrayContaining([
        { feed: 'shares', symbol: 'BAD1', timeframe: '1m', reason: 'status 400' },
        expect.objectContaining({ symbol: 'MSFT', count: 1, reason: 'the high is not the highest price' }),
      ]),
    );
  });

  test('nears its limit is not asked for the rest in this minute', async () => {
    for (const coin of ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']) {
      await use({ ...COIN, symbol: `${coin}USDT`, timeframe: '1m' }, open);
      binance.bars.set(`${coin}USDT 1m`, minutesFrom(open, 60));
    }
    binance.intercept = (_request, response) => {
      response.writeHead(200, { 'x-mbx-used-weight-1m': '4800' }).end('[]');
      return true;
    };
    expect(await pull()).toMatchObject({ more: true });
    expect(binance.received.length).toBeLessThan(9);
  });
});

describe('public prices that a user switches on', () => {
  const NOON = Date.parse('2026-03-02T12:00Z');
  const list = (name: string, symbol: string): Promise<void> =>
    hub.runtime.store.put({
      ...keys.instrument(symbol),
      entity: 'instrument',
      symbol,
      name,
      exchange: 'OTC',
      asset_class: 'crypto',
      base_currency: symbol.replace('USDT', ''),
      quote_currency: 'USDT',
      tick_size: 0.01,
      digits: 2,
      contract_size: 1,
      min_volume: 1,
      volume_step: 1,
      tradable: true,
    });
  interface Person {
    readonly user_id: string;
    readonly access_token: string;
  }
  const feedsOf = ({ user_id }: Person) => hub.call('GET /get_price_feeds', { query: { user_id } });
  const turn = ({ user_id, access_token }: Person, on: boolean, feed = 'crypto') =>
    hub.call('POST /switch_price_feed', {
      query: { user_id },
      headers: bearer(access_token),
      form: { feed, on: String(on) },
    });
  const takeAll = async (): Promise<void> => {
    const instruments = new InstrumentMemory();
    for (const { Source, DetailType, detail } of events.splice(0)) {
      if (DetailType !== 'Bars Closed') continue;
      const time = hub.runtime.clock().toISOString();
      await takeFeedEvent(
        hub.runtime,
        { 'detail-type': DetailType, source: Source, time, detail },
        {
          instruments,
          advance: async () => undefined,
          passSplit: async () => true,
          takeSplit: async () => undefined,
          scan: async () => undefined,
          pauses: [1],
          graceMs: 1,
          sendAgain: async () => undefined,
        },
      );
    }
  };

  let ada: Person;
  beforeEach(async () => {
    setClock('2026-03-02T12:00:10Z');
    await furnish(hub);
    ada = (await signUp(hub)).body;
    await list('Solana', 'SOLUSDT');
    await list('XRP', 'XRPUSDT');
    for (const symbol of ['SOLUSDT', 'XRPUSDT']) {
      binance.bars.set(`${symbol} 1m`, minutesFrom(NOON - 1200 * MINUTE_MS, 1201));
    }
  });

  test('call nobody before, and bring recent bars and then each new one without a program that uses them', async () => {
    await pull();
    expect(binance.received).toHaveLength(0);
    expect((await feedsOf(ada)).body.feeds).toEqual([
      {
        name: 'crypto',
        provider: 'binance',
        address: binance.url,
        symbols: ['SOLUSDT', 'XRPUSDT'],
        is_on: false,
        down: null,
        series_refused: [],
      },
    ]);

    expect((await turn(ada, true)).body.feeds[0].is_on).toBe(true);
    expect(await pull()).toMatchObject({ done: 2 });
    expect(binance.received.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined]);
    await takeAll();
    const [series] = await findSeries(hub.runtime.store, 'SOLUSDT', ['1m']);
    expect(series).toMatchObject({ source: 'hub-feed.crypto', count: 999, last: NOON - MINUTE_MS });
    expect(series?.late_bars).toBe(0);

    hub.advance(MINUTE_MS);
    await pull();
    expect(barsOf('SOLUSDT')).toHaveLength(1);
    await takeAll();
    binance.received.splice(0);

    await turn(ada, false);
    hub.advance(MINUTE_MS);
    await pull();
    expect(binance.received).toHaveLength(0);
  });

  test.each([451, 418, 429, 503])(
    'say that the provider answers %i, wait, and go on when it works',
    async (status) => {
      await turn(ada, true);
      binance.intercept = (_request, response) => {
        response.writeHead(status, { 'retry-after': '120' }).end('{}');
        return true;
      };
      await pull();
      const [feed] = (await feedsOf(ada)).body.feeds;
      expect(feed.down).toMatchObject({ reason: `status ${status}` });
      expect(Date.parse(feed.down.retry_at)).toBeGreaterThan(hub.runtime.clock().getTime());
      const asked = binance.received.length;
      await pull();
      expect(binance.received).toHaveLength(asked);

      binance.intercept = () => false;
      hub.advance(Date.parse(feed.down.retry_at) - hub.runtime.clock().getTime() + 1);
      expect(await pull()).toMatchObject({ done: 2 });
      const [again] = (await feedsOf(ada)).body.feeds;
      expect([again.is_on, again.down]).toEqual([true, null]);
    },
  );

  test('leave out a pair that the provider does not know, and name it', async () => {
    binance.bars.delete('XRPUSDT 1m');
    await turn(ada, true);
    expect(await pull()).toMatchObject({ done: 1 });
    expect((await feedsOf(ada)).body.feeds[0].series_refused).toEqual([
      { symbol: 'XRPUSDT#1m', reason: 'status 400' },
    ]);
  });

  test('are switched by a session alone, as they are those of all users of the machine', async () => {
    const { status, body } = await hub.call('POST /switch_price_feed', {
      query: { user_id: ada.user_id },
      form: { feed: 'crypto', on: 'true' },
    });
    expect([status, body.code]).toEqual([401, 'session_required']);
    expect((await feedsOf(ada)).body.feeds[0].is_on).toBe(false);
  });

  test('cannot be switched under another name', async () => {
    const { status, body } = await turn(ada, true, 'coins');
    expect([status, body.code]).toEqual([404, 'feed_unknown']);
  });
});
