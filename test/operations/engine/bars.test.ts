import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EarlyBarError } from '../../../functions/engine/await-previous.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { readBars } from '../../../shared/data/candles/read-bars.ts';
import { closedUntil } from '../../../shared/data/candles/read-candles.ts';
import { findSeries, type Series } from '../../../shared/data/candles/series.ts';
import { findWaiting, keepWaiting, markTaken, wereTaken } from '../../../shared/data/candles/waiting-bars.ts';
import { seriesInUseWrite } from '../../../shared/data/engine/series-in-use.ts';
import { InstrumentMemory } from '../../../shared/data/instruments/instrument-memory.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { Store } from '../../../shared/data/table/store.ts';
import type { Condition, Key } from '../../../shared/data/table/writes.ts';
import { columnsOf } from '../../../shared/domain/candles/bars.ts';
import type { Timeframe } from '../../../shared/domain/strategies/strategies.ts';
import { takeFeedEvent } from '../../support/functions/engine.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { randomNumbers } from '../../support/random-bars.ts';
import { DAMAGES } from '../../support/series-in-use.ts';
import { SlowBus } from '../../support/slow-bus.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';

const SOURCE = 'acme.feed';
const ALL = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

let hub: TestHub;
let instruments: InstrumentMemory;
let advanced: (readonly [string, readonly Timeframe[]])[];
let sentAgain: { readonly detailType: string; readonly detail: object }[];

beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['SPY', 'BTCUSD', 'ETHUSD', 'BARC.L']);
  instruments = new InstrumentMemory();
});
afterAll(() => hub.close());
beforeEach(async () => {
  advanced = [];
  sentAgain = [];
  hub.log.length = 0;
  for (const timeframe of ['1m', '1h', '1d'] as const) {
    for (const symbol of ['SPY', 'BTCUSD', 'ETHUSD', 'BARC.L']) {
      await removeSeries(hub.runtime.store, { ...FACTS, symbol, timeframe });
    }
  }
});

const FACTS = {
  symbol: 'BTCUSD',
  timeframe: '1m',
  asset_class: 'crypto',
  calendar: 'always',
  source: SOURCE,
  adjustment: 'none',
} as const;

const HEAD = keys.series(FACTS.symbol, FACTS.timeframe);

const context = () => ({
  instruments,
  advance: async ({ symbol }: Series, timeframes: readonly Timeframe[]) => {
    advanced.push([symbol, timeframes]);
  },
  passSplit: async () => true,
  takeSplit: async () => undefined,
  scan: async () => undefined,
  pauses: [1, 25],
  graceMs: 1,
  sendAgain: async (detailType: string, detail: object) => {
    sentAgain.push({ detailType, detail });
  },
});

/** Takes an event; `age` milliseconds after the bus took it. */
const take = async (
  type: string,
  detail: object,
  { source = SOURCE, age = 0, by = hub, used = context() } = {},
): Promise<void> => {
  const time = hub.runtime.clock().toISOString();
  const event = { 'detail-type': type, source, time, detail: { version: 1, ...detail } };
  const clock = () => new Date(hub.runtime.clock().getTime() + age);
  await takeFeedEvent({ ...by.runtime, clock }, event, used);
};

/** Moment of a minute of 2 March 2026. */
const at = (clock: string): string => `2026-03-02T${clock}:00.000Z`;

const bar = (clock: string, open = 100, close = open) => ({
  start: at(clock),
  open,
  high: Math.max(open, close) + 1,
  low: Math.min(open, close) - 1,
  close,
  volume: 5,
});

const BTC = { symbol: 'BTCUSD', timeframe: '1m' };
const one = (clock: string, open?: number, more: object = {}) =>
  take('Bar Closed', { ...BTC, ...bar(clock, open), ...more });
const many = (bars: readonly unknown[], more: object = {}) => take('Bars Closed', { ...BTC, bars, ...more });

const head = async (symbol = 'BTCUSD', timeframe: Timeframe = '1m'): Promise<Series | undefined> =>
  (await findSeries(hub.runtime.store, symbol, [timeframe]))[0];

const stored = async (symbol?: string, timeframe?: Timeframe): Promise<string[]> => {
  const series = await head(symbol, timeframe);
  if (!series) return [];
  const { start } = await readBars(hub.runtime.store, series, ALL);
  return Array.from(start, (moment) => new Date(moment).toISOString().slice(11, 16));
};

const warnings = (): string[] => hub.log.map(({ message }) => message);

/** Store that lets another event be taken before the head of a series is written for the first time. */
class OvertakenStore extends Store {
  #other: (() => Promise<void>) | undefined;

  constructor(other: () => Promise<void>) {
    super(hub.runtime.store.client, hub.runtime.store.table);
    this.#other = other;
  }

  override async put(item: Item, condition?: Condition): Promise<void> {
    const other = item.entity === 'series' ? this.#other : undefined;
    if (other) this.#other = undefined;
    await other?.();
    await super.put(item, condition);
  }
}

/** Bars that are taken at once: each looks at the series once before each bar that is appended before it. */
class Burst {
  readonly #looks: number[];
  #appended = 0;
  #blocked: (() => void)[] = [];

  constructor(bars: number) {
    this.#looks = Array.from({ length: bars }, () => 0);
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#blocked.push(resolve));
  }

  #goOn(): void {
    for (const resolve of this.#blocked.splice(0)) resolve();
  }

  async look<T>(bar: number, read: () => Promise<T>): Promise<T> {
    await this.#until(() => this.#appended >= (this.#looks[bar] ?? 0));
    const found = await read();
    this.#looks[bar] = (this.#looks[bar] ?? 0) + 1;
    this.#goOn();
    return found;
  }

  async append(bar: number, write: () => Promise<void>): Promise<void> {
    await this.#until(() => this.#looks.slice(bar + 1).every((looks) => looks > bar));
    await write();
    this.#appended += 1;
    this.#goOn();
  }
}

const isLook = (wanted: readonly Key[]): boolean =>
  wanted.some(({ pk, sk }) => pk === HEAD.pk && sk === HEAD.sk);

/** Store that lets bars arrive before the series is looked at for the second time. */
class ArrivingStore extends Store {
  readonly #arrive: () => Promise<void>;
  #looks = 0;

  constructor(arrive: () => Promise<void>) {
    super(hub.runtime.store.client, hub.runtime.store.table);
    this.#arrive = arrive;
  }

  override async getMany(
    wanted: readonly Key[],
    options?: { consistent?: boolean },
  ): Promise<(Item | undefined)[]> {
    if (isLook(wanted)) {
      this.#looks += 1;
      if (this.#looks === 2) await this.#arrive();
    }
    return super.getMany(wanted, options);
  }
}

/** Store of a process that dies at one of its next writes. */
class DyingStore extends Store {
  #left: number;

  constructor(writes: number) {
    super(hub.runtime.store.client, hub.runtime.store.table);
    this.#left = writes;
  }

  #live(): void {
    this.#left -= 1;
    if (this.#left <= 0) throw new Error('the process died');
  }

  override async put(item: Item, condition?: Condition): Promise<void> {
    this.#live();
    await super.put(item, condition);
  }

  override async transact(...given: Parameters<Store['transact']>): Promise<void> {
    this.#live();
    await super.transact(...given);
  }

  override async batchWrite(...given: Parameters<Store['batchWrite']>): Promise<void> {
    this.#live();
    await super.batchWrite(...given);
  }
}

/** Store for a bar of a burst. */
class BurstStore extends Store {
  readonly #burst: Burst;
  readonly #bar: number;

  constructor(burst: Burst, number: number) {
    super(hub.runtime.store.client, hub.runtime.store.table);
    this.#burst = burst;
    this.#bar = number;
  }

  override getMany(
    wanted: readonly Key[],
    options?: { consistent?: boolean },
  ): Promise<(Item | undefined)[]> {
    const read = () => super.getMany(wanted, options);
    return isLook(wanted) ? this.#burst.look(this.#bar, read) : read();
  }

  override put(item: Item, condition?: Condition): Promise<void> {
    const write = () => super.put(item, condition);
    return item.entity === 'series' ? this.#burst.append(this.#bar, write) : write();
  }
}

describe('bars of a feed', () => {
  test('create the series of their instrument, and are appended with two writes', async () => {
    await one('09:00');
    expect(await head()).toMatchObject({ ...FACTS, count: 1 });
    hub.takeCalls();
    await one('09:01');
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'PutItem', 'UpdateItem']);
    await many([bar('09:02'), bar('09:03')]);
    expect(await stored()).toEqual(['09:00', '09:01', '09:02', '09:03']);
  });

  test('that repeat change nothing, and advance what a crash left', async () => {
    const bars = ['09:00', '09:01', '09:02', '09:03', '09:04', '09:05'].map((clock) => bar(clock));
    await many(bars);
    const before = await head();
    advanced = [];
    await many(bars);
    await one('09:04');
    expect(await head()).toEqual(before);
    expect(advanced).toEqual([
      ['BTCUSD', expect.arrayContaining(['1m', '5m'])],
      ['BTCUSD', ['1m', '5m']],
    ]);
  });

  test.each([
    ['a high below the close', { ...bar('09:00'), high: 99 }, 'the high is not the highest price'],
    ['a price that the table cannot store', { ...bar('09:00', 1), low: 1e-300 }, 'the low is too small'],
    ['a price that no report can have', { ...bar('09:00'), high: 2e15 }, 'the high is too large'],
    ['a price of zero', { ...bar('09:00'), low: 0 }, 'the low is not above zero'],
    ['a start off the grid', { ...bar('09:00'), start: '2026-03-02T09:00:07Z' }, /multiples of 1m/],
    ['a start in the future', bar('10:06'), 'the bar starts in the future'],
    [
      'a close in the future',
      { ...bar('00:00'), timeframe: '1d' },
      "the bar has not closed yet by the exchange's calendar",
    ],
    [
      'a close in the future, of an hour',
      { ...bar('10:00'), timeframe: '1h' },
      "the bar has not closed yet by the exchange's calendar",
    ],
    ['a text for a price', { ...bar('09:00'), open: '100' }, /open: value is not a valid number/],
    ['a start that is no time', { ...bar('09:00'), start: 'yesterday' }, /start: invalid datetime format/],
    ['another version', { ...bar('09:00'), version: 2 }, /version/],
    ['an unknown symbol', { ...bar('09:00'), symbol: 'NOPE' }, 'the symbol is not in the catalogue'],
    ['an unknown timeframe', { ...bar('09:00'), timeframe: '2m' }, /timeframe/],
    [
      'the feed field of the hub',
      { ...bar('09:00'), feed: 'alpaca' },
      'detail.feed: is for events of the hub',
    ],
  ])('with %s are refused with the reason', async (_what, detail, reason) => {
    await expect(take('Bar Closed', { ...BTC, ...detail })).rejects.toMatchObject({
      name: 'MalformedEventError',
      message: typeof reason === 'string' ? reason : expect.stringMatching(reason),
    });
    expect(await stored()).toEqual([]);
  });

  test('that are not plausible after the bar before are refused', async () => {
    await one('09:00');
    await expect(one('09:01', 6000)).rejects.toThrow('the factor is over 50');
    expect(await stored()).toEqual(['09:00']);
  });

  test('of a batch are kept when others of it are refused', async () => {
    await many([
      bar('09:00'),
      { ...bar('09:01'), high: 1 },
      'no bar',
      bar('09:02'),
      bar('09:02'),
      bar('09:01'),
    ]);
    expect(await stored()).toEqual(['09:00', '09:02']);
    expect(hub.log).toMatchObject([
      {
        message: 'bars of a feed are refused',
        extra: {
          symbol: 'BTCUSD',
          count: 4,
          bars: [
            { start: null, reason: 'value is not a valid dict' },
            { start: at('09:01'), reason: 'the high is not the highest price' },
            { start: at('09:02'), reason: 'the bar is not after the one before in the event' },
            { start: at('09:01'), reason: 'the bar is not after the one before in the event' },
          ],
        },
      },
    ]);
    await expect(many([{ ...bar('09:03'), high: 1 }, 'no bar'])).rejects.toThrow(/the high is not/);
  });

  test('that arrive late are corrections', async () => {
    await many([bar('09:00'), bar('09:02')]);
    advanced = [];
    await one('09:01');
    expect(await stored()).toEqual(['09:00', '09:01', '09:02']);
    expect(await head()).toMatchObject({ count: 2, late_bars: 1 });
    expect(warnings()).toEqual(['bars arrived late']);
    expect(advanced).toEqual([]);
  });

  test('that arrive late are judged by the bars around them, also across a break', async () => {
    const evening = '2026-02-27T23:59:00.000Z';
    await many([{ ...bar('00:00'), start: evening }, bar('00:01', 150), bar('00:02', 150)]);
    await one('00:00', 50);
    expect(await stored()).toEqual(['23:59', '00:01', '00:02']);
    await one('00:00', 150);
    expect(await stored()).toEqual(['23:59', '00:00', '00:01', '00:02']);
    expect(warnings()).toEqual(['held bars are dropped', 'bars arrived late']);
  });
});

describe('the anchor', () => {
  const hour = (clock: string, more: object = {}, symbol = 'SPY') =>
    take('Bar Closed', {
      ...{ ...bar('09:00'), start: `2026-02-27T${clock}:00Z`, symbol, timeframe: '1h' },
      ...more,
    });
  const session = { anchor: 'session' };

  test('that a feed declares begins a series, and later events may leave it out', async () => {
    await hour('14:30', session);
    expect(await head('SPY', '1h')).toMatchObject({ calendar: 'us@09:30', count: 1 });
    advanced = [];
    await hour('15:30');
    await hour('16:30', { ...session, session_open: '09:30' });
    await hour('17:30');
    expect(advanced.at(-1)).toEqual(['SPY', ['1h', '4h']]);
    await hour('20:30');
    expect(advanced.at(-1)).toEqual(['SPY', ['1h', '4h', '1d', '1w']]);
    await expect(hour('19:00')).rejects.toThrow(
      "bars of 1h start at multiples of 1h before and after the session's opening at 09:30",
    );
    expect(await stored('SPY', '1h')).toEqual(['14:30', '15:30', '16:30', '17:30', '20:30']);
  });

  test('is the clock without a declaration', async () => {
    await expect(hour('14:30')).rejects.toThrow('multiples of 1h after midnight');
    await hour('15:00', { anchor: 'clock' });
    expect(await head('SPY', '1h')).toMatchObject({ calendar: 'us' });
  });

  test('of another opening is named where sessions are not known', async () => {
    await expect(hour('08:15', session, 'BARC.L')).rejects.toThrow(
      'detail.anchor: the opening of the exchange is not known, and has to be named',
    );
    await hour('08:15', { ...session, session_open: '08:15' }, 'BARC.L');
    expect(await head('BARC.L', '1h')).toMatchObject({ calendar: 'weekdays:Europe/London@08:15' });
    await hour('09:15', session, 'BARC.L');
    await expect(hour('10:15', { ...session, session_open: '08:00' }, 'BARC.L')).rejects.toThrow(
      'the series BARC.L 1h has the anchor session (08:15), and the event declares session (08:00)',
    );
  });

  test('that contradicts the series is refused, also for a bar that waits', async () => {
    await hour('14:30', session);
    const clock = { anchor: 'clock' };
    const reason = 'the series SPY 1h has the anchor session (09:30), and the event declares clock';
    await expect(hour('15:30', clock)).rejects.toThrow(reason);
    await expect(hour('17:30', { ...clock, previous: '2026-02-27T16:30:00Z' })).rejects.toThrow(reason);
    expect(await stored('SPY', '1h')).toEqual(['14:30']);
  });

  test.each([
    ['of a market without sessions', session, 'BTCUSD', 'detail.anchor: the market has no daily session'],
    ['of days', { ...session, timeframe: '1d' }, 'SPY', 'detail.anchor: bars of 1d start at midnight'],
    [
      'with an opening that the exchange has not',
      { ...session, session_open: '10:00' },
      'SPY',
      'detail.anchor: sessions of the exchange open at 09:30, not at 10:00',
    ],
    [
      'with an opening only',
      { session_open: '09:30' },
      'SPY',
      'detail.session_open: needs the anchor session',
    ],
    [
      'with an opening that is no time',
      { ...session, session_open: '9:30' },
      'SPY',
      'session_open: value is not a multiple of five minutes',
    ],
    ['of another name', { anchor: 'sun' }, 'SPY', 'anchor'],
  ])('%s is refused with the reason', async (_, more, symbol, reason) => {
    await expect(hour('14:30', more, symbol)).rejects.toMatchObject({
      name: 'MalformedEventError',
      message: expect.stringContaining(reason),
    });
    expect(await head(symbol, '1h')).toBeUndefined();
  });

  test('of a series that deployments await with the clock is refused', async () => {
    const { store } = hub.runtime;
    await store.transact([seriesInUseWrite('SPY', '1h')]);
    await expect(hour('14:30', session)).rejects.toThrow(
      'deployments wait for bars of SPY 1h that start with the clock',
    );
    await store.transact([seriesInUseWrite('SPY', '1h', -1)]);
    await hour('14:30', session);
    expect(await head('SPY', '1h')).toMatchObject({ calendar: 'us@09:30' });
  });
});

describe('sources', () => {
  const feeds = [{ source: SOURCE, exchanges: ['NYSE Arca'], display: true }];

  test('price the exchanges only that the stage lists for them', async () => {
    const by = hub.with({ HUB_FEEDS: JSON.stringify(feeds) });
    const spy = { ...bar('05:00'), start: '2026-02-27T05:00:00.000Z', symbol: 'SPY', timeframe: '1d' };
    await take('Bar Closed', spy, { by });
    expect(await stored('SPY', '1d')).toEqual(['05:00']);
    const btc = { ...BTC, ...bar('09:00') };
    await expect(take('Bar Closed', btc, { by })).rejects.toThrow(
      /^the feed may not price instruments of the exchange/,
    );
    await expect(take('Bar Closed', spy, { by, source: 'other.feed' })).rejects.toThrow(
      'the source is not a feed of this stage',
    );
  });

  test('do not mix in a series', async () => {
    await one('09:00');
    await expect(take('Bar Closed', { ...BTC, ...bar('09:01') }, { source: 'other.feed' })).rejects.toThrow(
      'the series BTCUSD 1m takes bars of the source acme.feed only',
    );
    expect(await stored()).toEqual(['09:00']);
  });

  test('of the hub name the feed that they pulled from', async () => {
    const by = hub.with({ HUB_FEEDS: '[]' });
    await take('Bar Closed', { ...BTC, ...bar('09:00'), feed: 'binance' }, { by, source: 'strategy-hub' });
    expect(await head()).toMatchObject({ source: 'binance' });
  });
});

describe('a bar that opens beyond the jump limit', () => {
  test('is held until the next bar confirms it', async () => {
    await one('09:00');
    advanced = [];
    await one('09:01', 150);
    await one('09:01', 150);
    expect(await stored()).toEqual(['09:00']);
    expect(warnings()).toEqual(['a bar is held']);
    expect(advanced).toEqual([]);
    await one('09:02', 151, { previous: at('09:01') });
    expect(await stored()).toEqual(['09:00', '09:01', '09:02']);
    expect(advanced).toEqual([['BTCUSD', ['1m', '3m']]]);
    expect((await head())?.held).toBeUndefined();
  });

  test('is dropped if the next bar follows the one before', async () => {
    await one('09:00');
    await one('09:01', 130);
    await one('09:02', 101);
    expect(await stored()).toEqual(['09:00', '09:02']);
    expect(warnings()).toEqual(['a bar is held', 'held bars are dropped']);
  });

  test('that was dropped or refused stays so when its event is repeated after later bars', async () => {
    await many([bar('09:00'), bar('09:01')]);
    await one('09:02', 130);
    await one('09:03', 101);
    await expect(one('09:04', 6000)).rejects.toThrow('the factor is over 50');
    await one('09:05', 102);
    const expected = ['09:00', '09:01', '09:03', '09:05'];
    expect(await stored()).toEqual(expected);
    hub.log.length = 0;
    await one('09:02', 130);
    await expect(one('09:04', 6000)).rejects.toThrow('the factor is over 50');
    await many([bar('09:02', 130), bar('09:03', 101), bar('09:04', 6000)]);
    expect(await stored()).toEqual(expected);
    expect(await head()).toMatchObject({ late_bars: 0 });
    // The feed sends them with other prices.
    await many([bar('09:02', 102), bar('09:04', 103)]);
    expect(await stored()).toEqual(['09:00', '09:01', '09:02', '09:03', '09:04', '09:05']);
    expect(warnings()).toEqual([
      'held bars are dropped',
      'bars of a feed are refused',
      'bars of a feed are refused',
      'held bars are dropped',
      'bars arrived late',
    ]);
  });

  test('stays held when a refused bar comes before the one that confirms it', async () => {
    await many([bar('09:00'), bar('09:01')]);
    await one('09:02', 130);
    await expect(one('09:03', 10_000)).rejects.toThrow('the factor is over 50');
    expect((await head())?.held?.start).toEqual(Float64Array.of(Date.parse(at('09:02'))));
    await one('09:04', 131);
    await many([bar('09:05', 170), bar('09:06', 10_000), bar('09:07', 171)]);
    expect(await stored()).toEqual(['09:00', '09:01', '09:02', '09:04', '09:05', '09:07']);
    expect(warnings()).toEqual(['a bar is held', 'bars of a feed are refused']);
  });

  test('is judged again if the feed corrects it', async () => {
    await one('09:00');
    await one('09:01', 1000);
    await one('09:01', 100);
    expect(await stored()).toEqual(['09:00', '09:01']);
    expect((await head())?.held).toBeUndefined();
  });

  test('is confirmed by the next bar of the same batch', async () => {
    await many([bar('09:00'), bar('09:01', 50), bar('09:02', 51), bar('09:03', 90)]);
    expect(await stored()).toEqual(['09:00', '09:01', '09:02']);
    expect((await head())?.held?.start).toEqual(Float64Array.of(Date.parse(at('09:03'))));
  });
});

describe('a bar whose bar before is missing', () => {
  test('waits for it', async () => {
    await one('09:00');
    await expect(one('09:02', 100, { previous: at('09:01') })).rejects.toThrow(EarlyBarError);
    await one('09:01');
    await one('09:02', 100, { previous: at('09:01') });
    expect(await stored()).toEqual(['09:00', '09:01', '09:02']);
    expect(warnings()).toEqual([]);
  });

  /** Takes bars after 09:00 at once, the last one first. */
  const takeAtOnce = async (clocks: readonly string[], pauses: number[]): Promise<void> => {
    const burst = new Burst(clocks.length);
    const sent = clocks.map((clock, index) => () => {
      const by = { ...hub, runtime: { ...hub.runtime, store: new BurstStore(burst, index) } };
      const previous = at(clocks[index - 1] ?? '09:00');
      return take('Bar Closed', { ...BTC, ...bar(clock), previous }, { by, used: { ...context(), pauses } });
    });
    await Promise.all(sent.toReversed().map((send) => send()));
  };

  test('takes it as it arrives meanwhile', async () => {
    await one('09:00');
    await takeAtOnce(['09:01', '09:02'], [1, 25]);
    expect(await stored()).toEqual(['09:00', '09:01', '09:02']);
  });

  test('that another event takes while it is stored again stays taken', async () => {
    await one('09:00');
    const { client, table } = hub.runtime.store;
    const start = Date.parse(at('09:02'));
    const bars = columnsOf([{ start, open: 1, high: 1, low: 1, close: 1, volume: 1 }]);
    const own = { source: SOURCE, previous: Date.parse(at('09:01')), first: start, last: start, bars };
    const waiting = { ...own, at: start, kept_at: start };
    const place = { symbol: 'BTCUSD', timeframe: '1m' } as const;
    await keepWaiting(hub.runtime.store, place, waiting);
    class TakingStore extends Store {
      #puts = 0;

      override async put(item: Item, condition?: Condition): Promise<void> {
        this.#puts += 1;
        if (this.#puts === 2) {
          await markTaken(hub.runtime.store, place, [waiting], new Date(start + 60_000));
        }
        await super.put(item, condition);
      }
    }
    const kept = await keepWaiting(new TakingStore(client, table), place, waiting);
    expect(wereTaken(kept, start)).toBe(true);
    expect(wereTaken(await findWaiting(hub.runtime.store, place, own), start)).toBe(true);
  });

  test('is appended after three minutes', async () => {
    await one('09:00');
    const late = { ...BTC, ...bar('09:02'), previous: at('09:01') };
    for (const age of [0, 60_000]) {
      await expect(take('Bar Closed', late, { age })).rejects.toThrow(EarlyBarError);
    }
    await take('Bar Closed', late, { age: 180_000 });
    expect(await stored()).toEqual(['09:00', '09:02']);
    expect(warnings()).toEqual(['the bar before is missing']);
  });

  test('does not wait for one that was refused, but for one that had not closed yet', async () => {
    await one('09:00');
    await expect(one('09:01', 6000)).rejects.toThrow('the factor is over 50');
    await one('09:02', 100, { previous: at('09:01') });
    await many([bar('09:03'), { ...bar('09:04'), high: 1 }]);
    await one('09:05', 100, { previous: at('09:04') });
    expect(await stored()).toEqual(['09:00', '09:02', '09:03', '09:05']);
    expect(await head()).toMatchObject({ late_bars: 0 });
    await expect(one('10:06')).rejects.toThrow('the bar starts in the future');
    await expect(one('10:07', 100, { previous: at('10:06') })).rejects.toThrow(EarlyBarError);
  });

  test('waits while others of a burst are appended', async () => {
    await one('09:00');
    await takeAtOnce(['09:01', '09:02', '09:03', '09:04'], [1]);
    expect(await stored()).toEqual(['09:00', '09:01', '09:02', '09:03', '09:04']);
    expect(warnings()).toEqual([]);
  });

  const minute = (n: number): string => `09:${String(n).padStart(2, '0')}`;
  const waits = (n: number, more: object = {}, price = 100) =>
    take('Bar Closed', { ...BTC, ...bar(minute(n), price), previous: at(minute(n - 1)) }, more);

  test.each(['09:00', '06:00'])(
    'is taken in order with others that have waited in vain since %s, and keeps no run from other events',
    async (last) => {
      await one(last);
      const used = { ...context(), pauses: [40, 40, 40] };
      const numbers = Array.from({ length: 15 }, (_, index) => index + 2);
      for (const n of numbers.toReversed()) {
        await expect(waits(n)).rejects.toThrow(EarlyBarError);
      }
      await Promise.all(numbers.toReversed().map((n) => waits(n, { used, age: 180_000 })));
      expect(await stored()).toEqual([last, ...numbers.map(minute)]);
      expect(await head()).toMatchObject({ count: 16, late_bars: 0 });
      expect(warnings()).toEqual(['the bar before is missing']);
    },
  );

  test('waits for three pauses at an attempt, however long the gap is', async () => {
    await one('06:00');
    hub.takeCalls();
    await waits(2, { used: { ...context(), pauses: [1, 1, 1] }, age: 180_000 });
    expect(hub.takeCalls().filter((call) => call === 'BatchGetItem')).toHaveLength(4);
  });

  test('is taken with those that wait for it', async () => {
    await one('09:00');
    for (const n of [4, 3, 2]) await expect(waits(n)).rejects.toThrow(EarlyBarError);
    await one('09:01');
    await waits(5);
    expect(await head()).toMatchObject({ count: 6, late_bars: 0 });
    for (const n of [4, 3, 2]) await waits(n, { age: 60_000 });
    expect(await head()).toMatchObject({ count: 6, late_bars: 0 });
    expect(warnings()).toEqual([]);
  });

  test('is judged once, with the event that takes it', async () => {
    await one('09:00');
    for (const [n, price] of [
      [2, 6000],
      [3, 200],
      [4, 100],
      [5, 100],
    ] as const) {
      await expect(waits(n, {}, price)).rejects.toThrow(EarlyBarError);
    }
    await waits(5, { age: 180_000 });
    const expected = ['09:00', '09:04', '09:05'];
    expect(await stored()).toEqual(expected);
    for (const [n, price] of [
      [2, 6000],
      [3, 200],
    ] as const) {
      hub.advance(1000);
      await waits(n, { age: 180_000 }, price);
    }
    expect(await stored()).toEqual(expected);
    expect(warnings()).toEqual([
      'the bar before is missing',
      'bars of a feed are refused',
      'held bars are dropped',
    ]);
  });

  test('is judged once, although two events take it at one moment', async () => {
    await one('09:00');
    for (const [n, price] of [
      [2, 6000],
      [3, 200],
      [4, 100],
      [5, 100],
      [6, 100],
    ] as const) {
      await expect(waits(n, {}, price)).rejects.toThrow(EarlyBarError);
    }
    const other = () => waits(5, { age: 180_000 });
    const overtaken = { ...hub, runtime: { ...hub.runtime, store: new OvertakenStore(other) } };
    await waits(6, { age: 180_000, by: overtaken });
    expect(await stored()).toEqual(['09:00', '09:04', '09:05', '09:06']);
    expect(await head()).toMatchObject({ count: 4, late_bars: 0 });
  });

  test('is refused at its own event if the bars before are taken with it', async () => {
    await one('09:00');
    await expect(waits(2)).rejects.toThrow(EarlyBarError);
    await expect(waits(3, {}, 6000)).rejects.toThrow(EarlyBarError);
    await expect(waits(3, { age: 180_000 }, 6000)).rejects.toThrow('the factor is over 50');
    expect(await stored()).toEqual(['09:00', '09:02']);
  });

  test('is left to its own event while it is invalid, or with one that is', async () => {
    await one('09:00');
    for (const bars of [[bar('10:06')], [bar('09:03'), { ...bar('09:04'), high: 1 }]]) {
      await expect(many(bars, { previous: at('09:02') })).rejects.toThrow(EarlyBarError);
    }
    await expect(waits(2)).rejects.toThrow(EarlyBarError);
    await waits(2, { age: 180_000 });
    expect(await stored()).toEqual(['09:00', '09:02']);
    expect(warnings()).toEqual(['the bar before is missing']);
  });

  test('starts a new series', async () => {
    await one('09:02', 100, { previous: at('09:01') });
    expect(await stored()).toEqual(['09:02']);
  });
});

describe('bursts on a slow machine', () => {
  const BURST = 500;
  const PER_EVENT = 25;
  const FIRST = Date.parse(at('00:00')) - 86_400_000;
  const isoAt = (n: number): string => new Date(FIRST + n * 60_000).toISOString();
  const barNumber = (n: number) => ({ ...bar('00:00', 100 + (n % 7)), start: isoAt(n) });
  /** Builds the events of a burst whose first bar has a number, oldest first. */
  const burst = (first: number) =>
    Array.from({ length: BURST / PER_EVENT }, (_, index) => {
      const from = first + index * PER_EVENT;
      const bars = Array.from({ length: PER_EVENT }, (_one, number) => barNumber(from + number));
      const detail = { version: 1, ...BTC, previous: isoAt(from - 1), bars };
      return { 'detail-type': 'Bars Closed', source: SOURCE, detail };
    });
  type Events = ReturnType<typeof burst>;

  const shuffled = (events: Events): Events => {
    const draw = randomNumbers(11);
    return events
      .map((event) => ({ event, place: draw() }))
      .toSorted((one, other) => one.place - other.place)
      .map(({ event }) => event);
  };

  const ORDERS: readonly (readonly [string, (events: Events) => Events])[] = [
    ['in reverse', (events) => events.toReversed()],
    [
      'every second one first',
      (events) => [0, 1].flatMap((odd) => events.filter((_, index) => index % 2 !== odd)),
    ],
    ['shuffled', shuffled],
  ];

  let bus: SlowBus;
  beforeEach(async () => {
    bus = new SlowBus(hub.runtime.clock());
    await many([barNumber(0)]);
  });

  const used = () => ({
    ...context(),
    pauses: [1],
    sendAgain: async (detailType: string, detail: object) => {
      bus.put({ 'detail-type': detailType, source: 'strategy-hub', detail });
    },
  });
  const takeSlowly = (event: object, store: Store = hub.runtime.store) =>
    takeFeedEvent({ ...hub.runtime, store, clock: bus.clock }, event, used());
  const minutes = (): number => (bus.clock().getTime() - hub.runtime.clock().getTime()) / 60_000;

  test.each(ORDERS)('become not late, %s', async (_order, ordered) => {
    bus.put(...ordered(burst(1)), ...ordered(burst(1 + BURST)));
    await bus.drain((event) => takeSlowly(event), { workMs: 20_000, parallel: 2 });
    expect(bus.dead).toEqual([]);
    expect(await head()).toMatchObject({ count: 1 + 2 * BURST, late_bars: 0 });
    expect(warnings()).toEqual([]);
    // Longer than a bar waits for one that does not come.
    expect(minutes()).toBeGreaterThan(6);
  });

  test.each(ORDERS)('become not late through crashes, %s', async (_order, ordered) => {
    bus.put(...ordered(burst(1)), ...ordered(burst(1 + BURST)));
    let attempts = 0;
    const crashing = async (event: object, attempt: number): Promise<void> => {
      attempts += 1;
      // The third attempt of an event is the last one.
      const isKilled = attempt === 1 && attempts % 3 === 0;
      await takeSlowly(event, isKilled ? new DyingStore(1 + (attempts % 4)) : undefined);
    };
    await bus.drain(crashing, { workMs: 4000, parallel: 2 });
    expect(bus.dead).toEqual([]);
    expect(await head()).toMatchObject({ count: 1 + 2 * BURST, late_bars: 0 });
    expect(warnings()).toEqual([]);
  });

  test('go on without an event that never comes', async () => {
    const lost = 8;
    bus.put(...shuffled(burst(1).toSpliced(lost, 1)), ...shuffled(burst(1 + BURST)));
    await bus.drain((event) => takeSlowly(event), { workMs: 2000, parallel: 4 });
    expect(bus.dead).toEqual([]);
    expect(await head()).toMatchObject({ count: 1 + 2 * BURST - PER_EVENT, late_bars: 0 });
    expect(warnings()).toEqual(['the bar before is missing']);
    expect(minutes()).toBeLessThan(10);
  });

  test('with bars that are refused become not late', async () => {
    const events = burst(1);
    const [, , refused] = events;
    refused?.detail.bars.splice(5, 1, { ...barNumber(1 + 2 * PER_EVENT + 5), high: 1 });
    bus.put(...events.toReversed());
    await bus.drain((event) => takeSlowly(event), { workMs: 4000, parallel: 1 });
    expect(bus.dead).toEqual([]);
    expect(await head()).toMatchObject({ count: BURST, late_bars: 0 });
    expect(warnings()).toEqual(['bars of a feed are refused']);
  });

  test('are not overtaken by a watermark', async () => {
    const [first, ...later] = burst(1);
    const through = isoAt(1 + BURST);
    const detail = { version: 1, timeframe: '1m', through, symbols: ['BTCUSD'] };
    if (!first) throw new Error('no event');
    bus.put(...later.toReversed(), { 'detail-type': 'Bars Complete', source: SOURCE, detail }, first);
    await bus.drain((event) => takeSlowly(event), { workMs: 6000, parallel: 1 });
    expect(bus.dead).toEqual([]);
    expect(await head()).toMatchObject({ count: 1 + BURST, late_bars: 0 });
  });

  test('that go on without end do not make a bar wait forever', async () => {
    const [event] = burst(2 * BURST);
    let waited = 0;
    for (; waited < 60 && (await head())?.count === 1; waited += 1) {
      const age = waited * 60_000;
      // Bars from before it go on to arrive, and none closes the gap.
      const number = BURST - 2 * waited;
      const older = { ...BTC, ...barNumber(number), previous: isoAt(number - 1) };
      for (const [type, detail] of [
        ['Bar Closed', older],
        ['Bars Closed', event?.detail ?? {}],
      ] as const) {
        await take(type, detail, { age, used: used() }).catch((error: unknown) => {
          if (!(error instanceof EarlyBarError)) throw error;
        });
      }
    }
    expect(waited).toBeGreaterThan(10);
    expect(waited).toBeLessThan(40);
    expect(await head()).toMatchObject({ late_bars: 0 });
  });
});

describe('timeframes derived from a series', () => {
  test('are advanced when one of their bars closes', async () => {
    await one('09:00');
    advanced = [];
    for (const clock of ['09:01', '09:02', '09:03', '09:04', '09:06']) await one(clock);
    // 09:02 closes three minutes, 09:04 five, and 09:06 those that lack 09:05.
    expect(advanced.map(([, timeframes]) => timeframes)).toEqual([
      ['1m'],
      ['1m', '3m'],
      ['1m'],
      ['1m', '5m'],
      ['1m', '3m'],
    ]);
  });

  test('are advanced once for a batch', async () => {
    await one('08:58');
    advanced = [];
    await many([bar('08:59'), bar('09:00'), bar('09:01')]);
    expect(advanced).toEqual([['BTCUSD', ['1m', '3m', '5m', '15m', '30m', '1h']]]);
  });
});

describe('a watermark', () => {
  const complete = (through: string, more: object = {}, used = context()) =>
    take('Bars Complete', { timeframe: '1m', through: at(through), ...more }, { used });

  test('closes derived bars that lack their last bar', async () => {
    await many([bar('09:00'), bar('09:03')]);
    advanced = [];
    const symbols = ['BTCUSD', 'ETHUSD', 'SPY'];
    await complete('09:04', { symbols });
    expect(advanced).toEqual([]);
    expect((await head())?.through).toBeUndefined();
    await complete('09:05', { symbols });
    expect(advanced).toEqual([['BTCUSD', ['5m']]]);
    const series = await head();
    if (!series) throw new Error('the series does not exist');
    expect(closedUntil(series, '5m')).toBe(series.last + 1);
    expect(closedUntil(series, '15m')).toBe(Date.parse(at('09:00')));
    await complete('09:06', { symbols });
    expect(advanced).toEqual([
      ['BTCUSD', ['5m']],
      ['BTCUSD', ['3m']],
    ]);
    // Repeats advance again, after a crash.
    advanced = [];
    await complete('09:05', { symbols });
    await complete('09:06', { symbols });
    expect(advanced).toEqual([
      ['BTCUSD', ['5m']],
      ['BTCUSD', ['3m', '5m']],
    ]);
    expect((await head())?.through).toBe(Date.parse(at('09:06')));
  });

  test('makes bars before it late', async () => {
    await many([bar('09:00'), bar('09:03')]);
    await complete('09:05', { symbols: ['BTCUSD'] });
    await one('09:04');
    await one('09:04');
    await one('09:05');
    const series = await head();
    if (!series) throw new Error('the series does not exist');
    expect(series).toMatchObject({ late_bars: 1, count: 3 });
    expect(await stored()).toEqual(['09:00', '09:03', '09:04', '09:05']);
    const appended = await readBars(hub.runtime.store, series, ALL, { asAppended: true });
    expect(appended.start).toHaveLength(3);
  });

  test('without symbols is for the series of the feed that programs use', async () => {
    for (const symbol of ['BTCUSD', 'ETHUSD']) await one('09:03', 100, { symbol });
    advanced = [];
    const { store } = hub.runtime;
    await store.transact([seriesInUseWrite('ETHUSD', '1m'), seriesInUseWrite('BTCUSD', '1d')]);
    await complete('09:05');
    await take('Bars Complete', { timeframe: '1m', through: at('09:05') }, { source: 'other.feed' });
    expect(advanced).toEqual([['ETHUSD', ['5m']]]);
  });

  test.each(DAMAGES)(
    'passes by a series whose head is damaged, %s, and names it',
    async (_name, damage, problem) => {
      const { store } = hub.runtime;
      for (const symbol of ['BTCUSD', 'ETHUSD']) await one('09:03', 100, { symbol });
      const key = keys.series('BTCUSD', '1m');
      const [item] = await store.getMany([key]);
      await store.put({ ...item, ...key, ...damage });
      advanced = [];
      hub.log.length = 0;
      await complete('09:05', { symbols: ['BTCUSD', 'ETHUSD'] });
      expect(advanced).toEqual([['ETHUSD', ['5m']]]);
      expect(hub.log.map(({ level, message, extra }) => [level, message, extra])).toEqual([
        [
          'error',
          'a record cannot be read',
          { operation: 'engine', record: `the item SERIES#BTCUSD#1m, TAIL cannot be read: ${problem}` },
        ],
      ]);
      await store.put({ ...item, ...key });
      await complete('09:06', { symbols: ['BTCUSD', 'ETHUSD'] });
      expect(advanced).toContainEqual(['BTCUSD', ['3m', '5m']]);
    },
  );

  test('passes by an entry of a series in use that is damaged', async () => {
    const { store } = hub.runtime;
    for (const symbol of ['BTCUSD', 'ETHUSD']) await one('09:03', 100, { symbol });
    await store.transact([seriesInUseWrite('ETHUSD', '1m')]);
    await store.put({ ...keys.seriesInUse('BTCUSD', '1m'), symbol: 'BTCUSD' });
    advanced = [];
    await complete('09:05');
    await store.delete(keys.seriesInUse('BTCUSD', '1m'));
    expect(advanced).toEqual([['ETHUSD', ['5m']]]);
  });

  test('of a missing bar is stored, and no older one', async () => {
    await one('09:00');
    await complete('09:01', { symbols: ['BTCUSD'] });
    expect((await head())?.through).toBeUndefined();
    for (const clock of ['09:02', '09:01']) await complete(clock, { symbols: ['BTCUSD'] });
    expect((await head())?.through).toBe(Date.parse(at('09:02')));
  });

  test('lets bars pass that were sent before it', async () => {
    await one('09:03');
    const store = new ArrivingStore(async () => {
      await one('09:04');
      await one('09:05');
    });
    const by = { ...hub, runtime: { ...hub.runtime, store } };
    await take('Bars Complete', { timeframe: '1m', through: at('09:06'), symbols: ['BTCUSD'] }, { by });
    expect(await head()).toMatchObject({ count: 3, late_bars: 0 });
    expect((await head())?.through).toBeUndefined();
  });

  test('does not pass a held bar', async () => {
    await one('09:00');
    await one('09:03', 200);
    await complete('09:05', { symbols: ['BTCUSD'] });
    expect((await head())?.through).toBe(Date.parse(at('09:03')));
    await one('09:06', 201);
    expect(await stored()).toEqual(['09:00', '09:03', '09:06']);
    expect(await head()).toMatchObject({ late_bars: 0 });
  });

  test('whose event has a time of the future waits no longer than others', async () => {
    await many([bar('09:00'), bar('09:03')]);
    advanced = [];
    const detail = { timeframe: '1m', through: at('09:05'), symbols: ['BTCUSD'] };
    await take('Bars Complete', detail, { age: -20 * 60_000 });
    expect(advanced).toEqual([['BTCUSD', ['5m']]]);
  });

  test('of the future is refused', async () => {
    await expect(complete('10:30')).rejects.toThrow('detail.through: lies in the future');
  });

  test('is kept for the others when one series fails', async () => {
    for (const symbol of ['BTCUSD', 'ETHUSD']) await one('09:03', 100, { symbol });
    const used = context();
    const failing = {
      ...used,
      advance: async (series: Series, timeframes: readonly Timeframe[]) => {
        if (series.symbol === 'BTCUSD') throw new Error('no program');
        await used.advance(series, timeframes);
      },
    };
    advanced = [];
    const symbols = ['BTCUSD', 'ETHUSD'];
    await expect(complete('09:05', { symbols }, failing)).rejects.toThrow('no program');
    expect(advanced).toEqual([['ETHUSD', ['5m']]]);
  });
});
