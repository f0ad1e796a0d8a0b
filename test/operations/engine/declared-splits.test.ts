import { beforeEach, describe, expect, test } from '@jest/globals';
import { SplitPendingError } from '../../../functions/engine/split/split-pending.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { changeHead } from '../../../shared/data/candles/change-head.ts';
import { readDayCloses } from '../../../shared/data/candles/day-closes.ts';
import { heldBar, settleHeldBar } from '../../../shared/data/candles/held-bars.ts';
import { importSpan, removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { readBars } from '../../../shared/data/candles/read-bars.ts';
import { findSeries, headItem, type Series, type SeriesFacts } from '../../../shared/data/candles/series.ts';
import { seriesInUseWrite } from '../../../shared/data/engine/series-in-use.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import {
  type Bar,
  type BarColumns,
  columnsOf,
  listBars,
  sliceBars,
} from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { deriveBars } from '../../../shared/domain/candles/derive.ts';
import { tradingDaysOf } from '../../../shared/domain/candles/trading-days.ts';
import { dayOf } from '../../../shared/domain/periods.ts';
import { splitBars } from '../../../shared/domain/splits/split-bars.ts';
import { TIMEFRAMES, type Timeframe } from '../../../shared/domain/strategies/strategies.ts';
import { withdrawSplit } from '../../../shared/lifecycle/declare-split.ts';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { runBacktest } from '../../support/backtests.ts';
import { takeEngineEvent } from '../../support/functions/engine.ts';
import { BITCOIN } from '../../support/hub-deployments.ts';
import { startEngine, type Worker, worker } from '../../support/hub-engine.ts';
import { openHub } from '../../support/open-hub.ts';
import { randomBars } from '../../support/random-bars.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules } from '../../support/rules.ts';
import { furnishWithInstruments, person } from '../../support/strategies.ts';
import { deployTrading } from '../../support/trading.ts';

const ALL = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
const DAY_MS = 86_400_000;
const FACTS = BITCOIN;
/** Bars in new units: exact in old ones, too. */
const ADJUSTED = randomBars(3, 120, '1d');
const SPLIT = 80;
const AT = ADJUSTED.start[SPLIT] ?? 0;
const FOUR = { at: AT, units: 4, of: 1 };
/** As a source has them that adjusts nothing: from the split on a quarter of the price. */
const BARS = splitBars(ADJUSTED, [{ at: AT, units: 1, of: 4 }]);

const hub = await openHub((own) => furnishWithInstruments(own, ['BTCUSD', 'ETHUSD', 'SPY', 'EURUSD']));
const { store } = hub.runtime;
let one: Worker;

beforeEach(async () => {
  one = worker(hub);
  hub.log.length = 0;
  for (const symbol of ['BTCUSD', 'SPY', 'EURUSD']) {
    for (const timeframe of TIMEFRAMES) {
      await removeSeries(store, { ...FACTS, symbol, timeframe });
      await store.delete(keys.seriesInUse(symbol, timeframe));
    }
  }
});

/** More than 60 days after the time of the hub. */
const FAR = Math.ceil(hub.runtime.clock().getTime() / DAY_MS + 61) * DAY_MS;

const isoOf = (at: number): string => new Date(at).toISOString();

const take = (
  type: string,
  detail: object,
  { on = one, source = FACTS.source, at = hub.runtime.clock().getTime() - 60_000 } = {},
): Promise<void> =>
  takeEngineEvent(on.engine, {
    'detail-type': type,
    source,
    time: isoOf(at),
    detail: { version: 1, ...detail },
  });

const declare = (more: object = {}, options: object = {}): Promise<void> =>
  take('Split Declared', { symbol: FACTS.symbol, ratio: '4:1', at: isoOf(AT), ...more }, options);

const send = (bars: readonly Bar[], options: Parameters<typeof take>[2] = {}): Promise<void> =>
  take(
    'Bars Closed',
    {
      symbol: FACTS.symbol,
      timeframe: '1d',
      bars: bars.map((bar) => ({ ...bar, start: isoOf(bar.start) })),
    },
    options,
  );

const given = (from: number, to: number): Bar[] => listBars(sliceBars(BARS, from, to));

const begin = (to = SPLIT, facts: SeriesFacts = FACTS) => appendBars(store, facts, sliceBars(BARS, 0, to));

const head = async (symbol = FACTS.symbol, timeframe: Timeframe = '1d'): Promise<Series> => {
  const [series] = await findSeries(store, symbol, [timeframe]);
  if (!series) throw new Error('no series');
  return series;
};

const stored = async (): Promise<Bar[]> => listBars(await readBars(store, await head(), ALL));

const shown = async (query: Readonly<Record<string, string>> = {}): Promise<Bar[]> => {
  const { body } = await hub.call('GET /get_candles', {
    query: { symbol: FACTS.symbol, timeframe: '1d', ...query },
  });
  return body.candles.map(
    ({ start, complete: _, ...bar }: Omit<Bar, 'start'> & { start: string; complete: boolean }) => ({
      ...bar,
      start: Date.parse(start),
    }),
  );
};

const rawHead = async () => (await store.getMany([keys.series(FACTS.symbol, '1d')]))[0];

const warnings = (): string[] =>
  hub.log.filter(({ level }) => level === 'warn').map(({ message }) => message);

/** A day's bar in a market without breaks. */
const barOf = (start: number, price: number): Bar => ({
  start,
  open: price,
  high: price,
  low: price,
  close: price,
  volume: 8,
});

describe('a split', () => {
  test('is declared once, however often its event comes', async () => {
    await begin();
    await declare();
    const first = await head();
    expect(first.split).toEqual(FOUR);
    await declare();
    expect(await head()).toEqual(first);
    await send(given(SPLIT, SPLIT + 1));
    const done = await head();
    expect(done).toMatchObject({ splits: [FOUR], through: AT, last: AT });
    expect(done.split).toBeUndefined();
    await declare();
    expect(await head()).toEqual(done);
  });

  test('is declared for all series of its source, or the one that it names', async () => {
    const hours = { ...FACTS, timeframe: '1h' } as const;
    await begin();
    await appendBars(store, hours, columnsOf([barOf(AT - DAY_MS, 100)]));
    await declare({ timeframe: '1h' });
    expect((await head()).split).toBeUndefined();
    expect((await head(FACTS.symbol, '1h')).split).toEqual(FOUR);
    await declare();
    expect((await head()).split).toEqual(FOUR);
  });

  test('keeps what only the next version knows of it', async () => {
    await begin();
    await declare();
    const item = await rawHead();
    await store.put({
      ...item,
      ...keys.series(FACTS.symbol, '1d'),
      split: { ...FOUR, next_version: 'kept' },
    });
    await send(given(SPLIT, SPLIT + 1));
    expect(await rawHead()).toMatchObject({ splits: [{ ...FOUR, next_version: 'kept' }] });
  });

  test.each([
    ['with another ratio pending', { ratio: '2:1' }, 'a split of 4:1 at'],
    ['at another time', { at: isoOf(AT + 9 * DAY_MS) }, 'a split of 4:1 at'],
    ['without a ratio', { ratio: '1:1' }, 'detail.ratio: value is not a ratio such as 4:1'],
    ['of an unknown symbol', { symbol: 'NOPE' }, 'the symbol is not in the catalogue'],
    ['of a series that is not there', { timeframe: '1m' }, 'the source has no such series'],
    ['of another version', { version: 2 }, 'version'],
  ])('is refused %s', async (_what, detail, reason) => {
    await begin();
    await declare();
    const before = await head();
    await expect(declare(detail)).rejects.toMatchObject({
      name: 'MalformedEventError',
      message: expect.stringContaining(reason),
    });
    expect(await head()).toEqual(before);
  });

  test.each([
    ['whose time has passed', AT - DAY_MS, 'BTCUSD 1d: bars from then on were taken'],
    ['off the grid', AT + DAY_MS + 3_600_000, 'BTCUSD 1d: no bar of 1d starts at'],
    ['too far ahead', FAR, 'BTCUSD 1d: the time is more than 60 days ahead'],
  ])('%s is refused', async (_what, at, reason) => {
    await begin();
    await expect(declare({ at: isoOf(at) })).rejects.toThrow(reason);
    expect((await head()).split).toBeUndefined();
  });

  test('before a watermark is refused, at it declared', async () => {
    await begin();
    const through = AT + 2 * DAY_MS;
    await take('Bars Complete', { timeframe: '1d', through: isoOf(through), symbols: [FACTS.symbol] });
    await expect(declare()).rejects.toThrow('BTCUSD 1d: bars from then on were taken');
    await declare({ at: isoOf(through) });
    expect((await head()).split).toEqual({ ...FOUR, at: through });
  });

  test('by another source, of currencies, and with two series in use is refused', async () => {
    await begin();
    await expect(declare({}, { source: 'other' })).rejects.toThrow('the source has no such series');
    const euro = { ...FACTS, symbol: 'EURUSD', asset_class: 'forex', calendar: 'forex' } as const;
    await appendBars(store, euro, columnsOf([barOf(AT - 3 * DAY_MS, 1.2)]));
    await expect(declare({ symbol: 'EURUSD' })).rejects.toThrow('currencies have no splits');
    await appendBars(store, { ...FACTS, timeframe: '1h' }, columnsOf([barOf(AT - DAY_MS, 100)]));
    await store.transact([seriesInUseWrite(FACTS.symbol, '1d')]);
    await expect(declare()).rejects.toThrow(
      'several series of BTCUSD get bars (1h, 1d), and programs use one',
    );
    expect((await head()).split).toBeUndefined();
  });

  test('at the time of one that is done is refused, after it declared', async () => {
    await begin();
    await declare();
    // The source has not split: its bar is held.
    const bar = barOf(AT, Number(((BARS.close[SPLIT - 1] ?? 0) * 1.01).toFixed(4)));
    await send([bar]);
    expect(await head()).toMatchObject({ splits: [FOUR], last: AT - DAY_MS });
    await expect(declare({ ratio: '1:4' })).rejects.toThrow('BTCUSD 1d: a split of 4:1 at');
    expect((await head()).split).toBeUndefined();
    const back = { at: AT + DAY_MS, units: 1, of: 4 };
    await declare({ ratio: '1:4', at: isoOf(back.at) });
    await send([{ ...bar, start: back.at }]);
    expect((await head()).splits).toEqual([FOUR, back]);
    expect((await shown()).slice(-2)).toEqual([...given(SPLIT - 1, SPLIT), { ...bar, start: back.at }]);
  });

  test('is withdrawn until it has begun', async () => {
    await begin();
    await declare();
    expect(await withdrawSplit(store, await head())).toEqual(FOUR);
    expect(await withdrawSplit(store, await head())).toBeUndefined();
    await declare({ ratio: '2:1' });
    await changeHead(
      store,
      await head(),
      (series) => series.split && { ...series, split: { ...series.split, started: true } },
    );
    await expect(withdrawSplit(store, await head())).rejects.toThrow('the split has begun');
  });
});

describe('bars at a split', () => {
  test('of both units in one event are stored as they are, and shown in new units', async () => {
    await begin(60);
    await declare();
    await send(given(58, 100));
    expect(await stored()).toEqual(given(0, 100));
    expect(await shown()).toEqual(listBars(sliceBars(splitBars(BARS, [FOUR]), 0, 100)));
    expect(warnings()).toEqual([]);
    // A repeat changes nothing.
    const before = await head();
    await send(given(58, 100));
    expect(await head()).toEqual(before);
  });

  test('that open 75 % lower are not held, nor those of 1 for 100 refused', async () => {
    const start = (day: number) => AT + day * DAY_MS;
    await appendBars(store, FACTS, columnsOf([barOf(start(-1), 100)]));
    await declare();
    await send([barOf(start(0), 25.5), barOf(start(1), 25)]);
    await declare({ ratio: '1:100', at: isoOf(start(2)) });
    await send([barOf(start(2), 2510), barOf(start(3), 2490)]);
    expect((await stored()).map(({ close }) => close)).toEqual([100, 25.5, 25, 2510, 2490]);
    expect((await shown()).map(({ close }) => close)).toEqual([2500, 2550, 2500, 2510, 2490]);
    expect((await shown()).map(({ volume }) => volume)).toEqual([0.32, 0.08, 0.08, 8, 8]);
    expect(warnings()).toEqual([]);
    // A jump of new units is held as ever.
    await send([barOf(start(4), 9000)]);
    expect(heldBar(await head())).toMatchObject({ close: 9000 });
  });

  test('that were held before the split was declared are judged again', async () => {
    const start = (day: number) => AT + day * DAY_MS;
    await appendBars(store, FACTS, columnsOf([barOf(start(-1), 100)]));
    await send([barOf(start(0), 25.5)]);
    expect(heldBar(await head())).toMatchObject({ start: start(0) });
    await declare();
    expect(await settleHeldBar(store, await head(), barOf(start(0), 25.5), 'confirm')).toBe(false);
    await send([barOf(start(1), 25)]);
    expect((await stored()).map(({ close }) => close)).toEqual([100, 25.5, 25]);
    expect((await head()).held).toBeUndefined();
  });

  test('drop a bar in old units that is held', async () => {
    const start = (day: number) => AT + day * DAY_MS;
    await appendBars(store, FACTS, columnsOf([barOf(start(-2), 100)]));
    await send([barOf(start(-1), 10)]);
    await declare();
    await send([barOf(start(0), 25)]);
    expect((await stored()).map(({ close }) => close)).toEqual([100, 25]);
    expect((await head()).held).toBeUndefined();
    expect(warnings()).toEqual(['a bar is held', 'held bars are dropped']);
  });

  test('wait for it: a watermark does not pass a declared split', async () => {
    await begin();
    await declare();
    const through = isoOf(AT + 5 * DAY_MS);
    await store.transact([seriesInUseWrite(FACTS.symbol, '1d')]);
    await take('Bars Complete', { timeframe: '1d', through, symbols: [FACTS.symbol] });
    expect((await head()).through ?? 0).toBeLessThanOrEqual(AT);
    await send(given(SPLIT, SPLIT + 1));
    expect((await stored()).at(-1)).toEqual(given(SPLIT, SPLIT + 1)[0]);
  });

  test('that are invalid do not begin it', async () => {
    await begin(SPLIT - 1);
    await declare();
    const before = await head();
    const [bar] = given(SPLIT, SPLIT + 1);
    if (!bar) throw new Error('no bar');
    await expect(send([{ ...bar, high: bar.low / 2 }])).rejects.toMatchObject({
      name: 'MalformedEventError',
      message: 'the high is not the highest price',
    });
    expect(await head()).toMatchObject({ split: FOUR, last: before.last, refused: AT });
    await send([...given(SPLIT - 1, SPLIT), { ...bar, high: bar.low / 2 }]);
    expect(await head()).toMatchObject({ split: FOUR, last: AT - DAY_MS, late_bars: 0 });
    await send([bar]);
    expect(await stored()).toEqual(given(0, SPLIT + 1));
    expect((await head()).splits).toEqual([FOUR]);
  });

  test('that arrive late are corrections in the units of their time', async () => {
    await appendBars(store, FACTS, columnsOf(given(0, SPLIT).filter((_, index) => index !== 70)));
    await declare();
    await send(given(SPLIT, SPLIT + 2));
    await send(given(70, 71));
    expect(await stored()).toEqual(given(0, SPLIT + 2));
    // New units, as of a source that adjusts: a jump between the bars around it.
    await send(listBars(splitBars(BARS, [FOUR])).slice(60, 61));
    expect(await stored()).toEqual(given(0, SPLIT + 2));
    expect(warnings()).toEqual(['bars arrived late', 'held bars are dropped']);
  });

  test('from before it, of a source that adjusts them, are stored in old units', async () => {
    const facts = { ...FACTS, adjustment: 'splits' } as const;
    await appendBars(store, facts, columnsOf(given(0, SPLIT).filter((_, index) => index !== 70)));
    await declare();
    const adjusted = listBars(splitBars(BARS, [FOUR]));
    const late = (index: number) => adjusted.slice(index, index + 1);
    // Before the split, its source cannot have applied it.
    await send(given(79, 80), { at: AT - 1 });
    await send(adjusted.slice(78, 84), { at: AT + DAY_MS });
    await send(late(70), { at: AT + DAY_MS });
    expect(await stored()).toEqual(given(0, 84));
    expect(await shown()).toEqual(adjusted.slice(0, 84));
    expect((await head()).late_bars).toBe(1);
  });

  test('of the file of an import are refused if they would mix units', async () => {
    await begin();
    await declare();
    await expect(importSpan(store, FACTS, sliceBars(BARS, SPLIT, SPLIT + 1))).rejects.toThrow(
      'a split of 4:1 is declared, and a feed sends the bars from it on',
    );
    await send(given(SPLIT, SPLIT + 1));
    expect(await importSpan(store, FACTS, sliceBars(BARS, 20, 40))).toEqual({ added: 0, replaced: 0 });
    await store.put(headItem({ ...(await head()), adjustment: 'splits' }));
    await expect(
      importSpan(store, { ...FACTS, adjustment: 'splits' }, sliceBars(BARS, 20, 40)),
    ).rejects.toThrow('the bar is before a split of the series, which keeps it unadjusted');
  });
});

describe('reads over a split', () => {
  const weeksOf = (bars: BarColumns) => deriveBars(bars, calendarById('always'), '1d', '1w').bars;

  test('make larger candles of bars in new units', async () => {
    await begin();
    await declare();
    await send(given(SPLIT, 120));
    expect(await shown({ timeframe: '1w' })).toEqual(listBars(weeksOf(splitBars(BARS, [FOUR]))));
  });

  test('close days in the units of each day', async () => {
    await begin();
    await declare();
    await send(given(SPLIT, SPLIT + 2));
    const symbols = [{ series: await head(), timeframe: '1d' }] as const;
    const days = [SPLIT - 1, SPLIT].map((bar) => dayOf(BARS.start[bar] ?? 0));
    const span = { days: tradingDaysOf(['us']), from: days[0] ?? '', through: days[1] ?? '' };
    const closes = await readDayCloses(store, symbols, span);
    expect(closes.map(({ price }) => Number(price))).toEqual(
      Array.from(BARS.close.slice(SPLIT - 1, SPLIT + 1)),
    );
  });

  test('make the backtest of adjusted candles, with its hash', async () => {
    const { user_id } = await person(hub);
    const body = { symbol: 'BTCUSD', rules: crossRules(2, 5), timeframe: '1d' };
    const run = async () => {
      const answer = await runBacktest(hub, user_id, body);
      const { backtest_id: _, created_at: _at, finished_at: _end, ...rest } = answer.body;
      expect(rest).toMatchObject({ status: 'done' });
      return rest;
    };
    await begin();
    await declare();
    await send(given(SPLIT, 120));
    const split = await run();
    await removeSeries(store, FACTS);
    await appendBars(store, FACTS, splitBars(BARS, [FOUR]));
    expect(split).toEqual(await run());
  });
});

describe('a worker', () => {
  /** Returns what a split has to leave behind, whatever happened on the way. */
  const outcome = async () => {
    const { rev: _, refused: _refused, ...series } = await head();
    return { series, stored: await stored() };
  };

  const whole = async () => {
    await removeSeries(store, FACTS);
    await begin();
    await declare();
    await send(given(SPLIT - 1, SPLIT + 3));
    return outcome();
  };

  test.each([false, true])(
    'that dies at any write leaves nothing half done (after the write: %p)',
    async (isAfter) => {
      const expected = await whole();
      let died = 0;
      for (let writes = 1; ; writes++) {
        await removeSeries(store, FACTS);
        await begin();
        await declare();
        const dying = worker(hub, { store: new DyingStore(store, writes, isAfter, 'all') });
        const error = await send(given(SPLIT - 1, SPLIT + 3), { on: dying }).catch(
          (thrown: unknown) => thrown,
        );
        await send(given(SPLIT - 1, SPLIT + 3));
        expect(await outcome()).toEqual(expected);
        if (error === undefined) break;
        died += 1;
      }
      // The watermark, the begin and the end of the split, and the bars.
      expect(died).toBeGreaterThanOrEqual(4);
    },
  );

  test('and another one at the same time split a series once', async () => {
    const expected = await whole();
    for (let round = 0; round < 4; round++) {
      await removeSeries(store, FACTS);
      await begin();
      await declare();
      const workers = [one, worker(hub), worker(hub)];
      await Promise.all(workers.map((on, at) => send(given(SPLIT - 1, SPLIT + 1 + at), { on })));
      expect(await outcome()).toEqual(expected);
    }
  });

  test('goes on with a split that has begun, and lets all else wait', async () => {
    const { keygen } = await ruleTrader(hub, { symbol: 'BTCUSD', timeframe: '1d', rules: crossRules(2, 5) });
    const { body } = await deployTrading(hub, keygen);
    await begin();
    await declare();
    await changeHead(
      store,
      await head(),
      (series) => series.split && { ...series, through: AT, split: { ...series.split, started: true } },
    );
    await expect(startEngine(one, body.deployment_id)).rejects.toThrow(SplitPendingError);
    await takeEngineEvent(one.engine, {
      'detail-type': 'Engine Series Unsettled',
      detail: { version: 1, symbol: FACTS.symbol, timeframe: '1d' },
    });
    expect((await head()).splits).toEqual([FOUR]);
    await startEngine(one, body.deployment_id);
  });
});
