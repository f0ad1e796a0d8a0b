import fc from 'fast-check';
import {
  type Bar,
  type BarColumns,
  barCount,
  columnsOf,
  concatBars,
  firstBarFrom,
  sliceBars,
} from '../../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../../shared/domain/candles/calendar.ts';
import { coveringBars } from '../../../../shared/domain/candles/covering.ts';
import { deriveBars } from '../../../../shared/domain/candles/derive.ts';
import type { SourceTimeframe } from '../../../../shared/domain/candles/timeframes.ts';
import { tradingDaysOf } from '../../../../shared/domain/candles/trading-days.ts';
import { plainSettings } from '../../../../shared/domain/engine/account/settings.ts';
import { advanceBacktest, supplySmaller } from '../../../../shared/domain/engine/backtest/advance.ts';
import { runBacktest } from '../../../../shared/domain/engine/backtest/backtest.ts';
import { finishBacktest } from '../../../../shared/domain/engine/backtest/result.ts';
import {
  type BacktestInput,
  type BacktestTrade,
  startBacktest,
  takeTrades,
} from '../../../../shared/domain/engine/backtest/run.ts';
import { restoreBacktest, saveBacktest } from '../../../../shared/domain/engine/backtest/saved-run.ts';
import { marketTimeOf } from '../../../../shared/domain/engine/market-time.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';
import {
  type PlainEntry,
  type PlainRules,
  type PlainTerms,
  plainMinutes,
  rowsOf,
} from '../../../support/plain-minutes.ts';
import { calendar, QUARTER_MS, quarters, quartersOf } from '../../../support/quarters.ts';
import { plainRules } from '../../../support/rules.ts';
import { soakable } from '../../../support/soak.ts';

const HOUR_MS = 4 * QUARTER_MS;

const percent = (value: number | undefined) => value && { type: 'percent', percent: value };

const jsonOf = ({ entries, exit_after, cooldown, ...rules }: PlainRules) => ({
  schema: 'hub.rules/1',
  entries: entries.map(({ side, kind, length, offset, valid_bars, size, stop, target, trailing }) => ({
    side: side === 1 ? 'long' : 'short',
    when: {
      left: { price: 'close' },
      op: side === 1 ? 'crosses_above' : 'crosses_below',
      right: { indicator: 'sma', length },
    },
    ...(kind !== 'market' && { [kind]: { percent: offset }, valid_bars }),
    size:
      size.type === 'units'
        ? { type: 'units', units: size.amount }
        : { type: 'equity_percent', percent: size.amount },
    ...(stop !== undefined && { stop_loss: percent(stop) }),
    ...(target !== undefined && { take_profit: percent(target) }),
    ...(trailing !== undefined && { trailing_stop: percent(trailing) }),
  })),
  exits: ['long', 'short'].map((side) => ({ side, when: { bars_in_trade: exit_after } })),
  cooldown_bars: cooldown,
  ...rules,
});

const inputOf = (rules: PlainRules, terms: PlainTerms): BacktestInput => ({
  rules: plainRules(jsonOf(rules)),
  timeframe: '1h',
  account: {
    ...plainSettings(terms.capital),
    commission_rate: terms.fee,
    slippage_rate: terms.slippage,
    spread_rate: terms.spread,
    margin: terms.margin,
    maintenance: terms.maintenance,
    fill_at: terms.fill_at,
  },
  currency: 'USD',
  days: tradingDaysOf(['always']),
  curve: 'every_bar',
  legs: [
    {
      symbol: 'X',
      share: 1,
      time: marketTimeOf(calendar),
      size_step: terms.step,
      contract_size: 1,
      direction: 'both',
      hasSmaller: true,
    },
  ],
});

const distance = fc.option(fc.constantFrom(0.4, 1, 2, 4), { nil: undefined });

const entry: fc.Arbitrary<PlainEntry> = fc
  .record({
    side: fc.constantFrom(1 as const, -1 as const),
    kind: fc.constantFrom('market' as const, 'limit' as const, 'stop' as const),
    length: fc.constantFrom(2, 3, 5),
    offset: fc.constantFrom(0.3, 1),
    valid_bars: fc.constantFrom(1, 3),
    size: fc.constantFrom(
      { type: 'units' as const, amount: 10 },
      { type: 'equity_percent' as const, amount: 40 },
      { type: 'equity_percent' as const, amount: 100 },
    ),
    stop: distance,
    target: distance,
    trailing: distance,
  })
  .map((one) => ({
    ...one,
    offset: one.kind === 'limit' ? -one.offset : one.offset,
    valid_bars: one.kind === 'market' ? Number.POSITIVE_INFINITY : one.valid_bars,
  }));

const rules: fc.Arbitrary<PlainRules> = fc.record({
  entries: fc.array(entry, { minLength: 1, maxLength: 3 }),
  exit_after: fc.constantFrom(2, 5, 30),
  reverse: fc.boolean(),
  pyramid: fc.boolean(),
  max_trades: fc.constantFrom(1, 3),
  cooldown: fc.constantFrom(0, 2),
});

const terms: fc.Arbitrary<PlainTerms> = fc.record({
  capital: fc.constant(10_000),
  fee: fc.constantFrom(0, 0.001),
  slippage: fc.constantFrom(0, 0.001),
  spread: fc.constantFrom(0, 0.0005),
  margin: fc.constantFrom(1, 0.2, 0.03),
  maintenance: fc.constantFrom(0, 0.01),
  step: fc.constantFrom(1, 0.001),
  fill_at: fc.constantFrom('next_open' as const, 'signal_close' as const),
});

test('hours with their smaller bars stored trade as a plain reference that fills minute by minute', () => {
  let fills = 0;
  const reasons = new Set<string>();
  fc.assert(
    fc.property(rules, terms, fc.nat(), (own, account, seed) => {
      const minutes = quarters(seed, 4 * 60);
      const { bars: hours } = deriveBars(minutes, calendar, '15m', '1h');
      const result = runBacktest(inputOf(own, account), [hours], quartersOf(minutes));
      const plain = plainMinutes(own, account, hours, (hour) => {
        const start = hours.start[hour] ?? 0;
        return rowsOf(minutes, firstBarFrom(minutes, start), firstBarFrom(minutes, start + HOUR_MS));
      });
      expect(
        result.trades.map(({ side, quantity, entry_at, entry_price, exit_at, exit_price, exit_reason }) => ({
          side,
          quantity: expect.closeTo(quantity, 6),
          entry_at,
          entry_price: expect.closeTo(entry_price, 6),
          exit_at,
          exit_price: expect.closeTo(exit_price, 6),
          exit_reason,
        })),
      ).toEqual(plain.closed);
      expect(result.open_trades).toHaveLength(plain.open);
      for (const [index, equity] of plain.equity.entries()) {
        expect(Math.abs((result.equity[index]?.equity ?? 0) - equity)).toBeLessThan(1e-5);
      }
      fills += plain.closed.length;
      for (const { exit_reason } of plain.closed) reasons.add(exit_reason);
    }),
    { numRuns: soakable(150, 5000) },
  );
  expect(fills).toBeGreaterThan(500);
  expect(reasons).toEqual(
    new Set(['stop_loss', 'take_profit', 'trailing_stop', 'liquidated', 'exit', 'reverse']),
  );
});

const cases = fc.record({ own: rules, account: terms, seed: fc.nat() });

/** Returns hours, with the quarters that make them up. */
const marketOf = (seed: number, count = 60) => {
  const minutes = quarters(seed, 4 * count);
  return { minutes, hours: deriveBars(minutes, calendar, '15m', '1h').bars };
};

test('later bars and smaller bars never change an earlier result', () => {
  fc.assert(
    fc.property(cases, fc.integer({ min: 1, max: 59 }), ({ own, account, seed }, cut) => {
      const { minutes, hours } = marketOf(seed);
      const others = marketOf(seed + 1);
      const join = (early: BarColumns, late: BarColumns, at: number) =>
        concatBars([sliceBars(early, 0, at), sliceBars(late, at)]);
      const changed = join(minutes, others.minutes, 4 * cut);
      const input = inputOf(own, account);
      const one = runBacktest(input, [hours], quartersOf(minutes));
      const other = runBacktest(input, [join(hours, others.hours, cut)], quartersOf(changed));
      const end = hours.start[cut] ?? 0;
      const before = ({ equity, trades }: typeof one) => ({
        equity: equity.filter(({ at }) => at < end - HOUR_MS),
        trades: trades.filter(({ exit_at }) => exit_at < end - HOUR_MS),
      });
      expect(before(one)).toEqual(before(other));
    }),
    { numRuns: soakable(30, 500) },
  );
});

test('a run that is saved and restored before each bar that asks for smaller ones has the same result', () => {
  let asks = 0;
  fc.assert(
    fc.property(cases, ({ own, account, seed }) => {
      const { minutes, hours } = marketOf(seed);
      const input = inputOf(own, account);
      const smallerOf = quartersOf(minutes);
      let run = startBacktest(input);
      const trades: BacktestTrade[] = [];
      for (;;) {
        const asked = advanceBacktest(run, [hours]);
        trades.push(...takeTrades(run));
        if (!asked) break;
        asks += 1;
        run = restoreBacktest(input, saveBacktest(run));
        supplySmaller(run, asked, smallerOf(asked));
      }
      const result = finishBacktest(run);
      expect(JSON.stringify({ ...result, trades: [...trades, ...result.trades] })).toBe(
        JSON.stringify(runBacktest(input, [hours], smallerOf)),
      );
    }),
    { numRuns: soakable(20, 300) },
  );
  expect(asks).toBeGreaterThan(20);
});

test('several symbols with smaller bars trade as each does alone with its share of the capital', () => {
  let resolved = 0;
  fc.assert(
    fc.property(cases, ({ own, account, seed }) => {
      const markets = { A: marketOf(seed), B: marketOf(seed + 1) };
      const input = inputOf(own, account);
      const [leg] = input.legs;
      if (!leg) throw new Error('there is no leg');
      const symbols = ['A', 'B'] as const;
      const legs = symbols.map((symbol) => ({ ...leg, symbol, share: 0.5 }));
      const together = runBacktest(
        { ...input, legs },
        symbols.map((symbol) => markets[symbol].hours),
        ({ leg: index, bar }) => quartersOf(markets[symbols[index] ?? 'A'].minutes)({ bar }),
      );
      resolved += together.statistics?.resolved_bars ?? 0;
      const half = { ...input, account: { ...input.account, starting_capital: account.capital / 2 } };
      for (const symbol of symbols) {
        const { hours, minutes } = markets[symbol];
        const alone = runBacktest(half, [hours], quartersOf(minutes));
        const unnumbered = (trades: readonly BacktestTrade[]) =>
          trades.map(({ number: _, symbol: __, ...trade }) => trade);
        expect(unnumbered(together.trades.filter((trade) => trade.symbol === symbol))).toEqual(
          unnumbered(alone.trades),
        );
      }
    }),
    { numRuns: soakable(30, 500) },
  );
  expect(resolved).toBeGreaterThan(0);
});

const ONE: PlainRules = {
  entries: [
    {
      side: 1,
      kind: 'stop',
      length: 2,
      offset: 1,
      valid_bars: 1,
      size: { type: 'units', amount: 10 },
      stop: 1,
      target: 5,
    },
  ],
  exit_after: 30,
  reverse: false,
  pyramid: false,
  max_trades: 1,
  cooldown: 0,
};
const PLAIN: PlainTerms = {
  capital: 10_000,
  fee: 0,
  slippage: 0,
  spread: 0,
  margin: 1,
  maintenance: 0,
  step: 1,
  fill_at: 'next_open',
};

const row = (index: number, [open, high, low, close]: readonly [number, number, number, number]): Bar => ({
  start: Date.UTC(2024, 0, 1) + index * QUARTER_MS,
  open,
  high,
  low,
  close,
  volume: 1,
});

/** Hours at 99, 98 and 100, then one in which the price falls before it rises: the entry at 101 comes last. */
const FALL_FIRST = columnsOf([
  ...[99, 98, 100].flatMap((price, hour) =>
    [0, 1, 2, 3].map((quarter) => row(4 * hour + quarter, [price, price, price, price])),
  ),
  row(12, [100, 100, 97, 98]),
  row(13, [98, 100, 98, 100]),
  row(14, [100, 102, 100, 102]),
  row(15, [102, 102, 101, 101]),
]);

test('smaller bars decide a fill that the bar leaves open, at the time of the smaller bar, and the case is counted', () => {
  const { bars: hours } = deriveBars(FALL_FIRST, calendar, '15m', '1h');
  const input = inputOf(ONE, PLAIN);
  const without = runBacktest(input, [hours]);
  expect(without.trades).toMatchObject([{ entry_price: 101, exit_reason: 'stop_loss' }]);
  expect(without.statistics).toMatchObject({ ambiguous_bars: 1, resolved_bars: 0 });
  expect(without.warnings).toContainEqual(expect.objectContaining({ code: 'ambiguous_bars', count: 1 }));
  const decided = runBacktest(input, [hours], quartersOf(FALL_FIRST));
  expect(decided.trades).toEqual([]);
  expect(decided.open_trades).toMatchObject([{ entry_at: FALL_FIRST.start[14], entry_price: 101 }]);
  expect(decided.statistics).toMatchObject({ ambiguous_bars: 0, resolved_bars: 1 });
});

test('smaller bars that lack one, or have other prices, decide nothing', () => {
  const { bars: hours } = deriveBars(FALL_FIRST, calendar, '15m', '1h');
  const bar = Float64Array.of(hours.start[3] ?? 0, 100, 102, 97, 101, 4);
  const covered = { calendar, timeframe: '1h' as const, bar };
  expect(coveringBars(covered, { calendar, timeframe: '15m', bars: FALL_FIRST })?.start).toEqual(
    FALL_FIRST.start.slice(12),
  );
  const without = concatBars([sliceBars(FALL_FIRST, 0, 13), sliceBars(FALL_FIRST, 14)]);
  expect(coveringBars(covered, { calendar, timeframe: '15m', bars: without })).toBeUndefined();
  for (const place of [1, 2, 3, 4]) {
    const other = bar.slice();
    other[place] = (other[place] ?? 0) + 0.5;
    expect(
      coveringBars({ ...covered, bar: other }, { calendar, timeframe: '15m', bars: FALL_FIRST }),
    ).toBeUndefined();
  }
});

test('smaller bars of an exchange whose sessions are not known decide if none is missing between them', () => {
  const { bars: hours } = deriveBars(FALL_FIRST, calendar, '15m', '1h');
  const unknown = calendarById('weekdays:UTC');
  const bar = Float64Array.of(hours.start[3] ?? 0, 100, 102, 97, 101, 4);
  const covered = { calendar: unknown, timeframe: '1h' as const, bar };
  expect(coveringBars(covered, { calendar: unknown, timeframe: '15m', bars: FALL_FIRST })?.start).toEqual(
    FALL_FIRST.start.slice(12),
  );
  const without = concatBars([sliceBars(FALL_FIRST, 0, 13), sliceBars(FALL_FIRST, 14)]);
  expect(coveringBars(covered, { calendar: unknown, timeframe: '15m', bars: without })).toBeUndefined();
  const DAY_MS = 24 * HOUR_MS;
  const days = columnsOf(
    [0, 1, 2, 3, 4].map((day) => ({ ...row(0, [5, 6, 4, 5]), start: day * DAY_MS + (hours.start[0] ?? 0) })),
  );
  const week = Float64Array.of(days.start[0] ?? 0, 5, 6, 4, 5, 5);
  const inWeek = { calendar: unknown, timeframe: '1w' as const, bar: week };
  expect(coveringBars(inWeek, { calendar: unknown, timeframe: '1d', bars: days })?.start).toEqual(days.start);
  const fewer = concatBars([sliceBars(days, 0, 2), sliceBars(days, 3)]);
  expect(coveringBars(inWeek, { calendar: unknown, timeframe: '1d', bars: fewer })).toBeUndefined();
});

test('smaller bars of another anchor decide if they start on the grid of the bar, or the bar is of a day', () => {
  const open = Date.parse('2025-11-26T14:30Z');
  const bars = (from: number, count: number, step: number) =>
    columnsOf(
      Array.from({ length: count }, (_, index) => ({
        ...row(0, [index, index + 1, index, index + 1]),
        start: from + index * step,
      })),
    );
  const covers = (
    covered: readonly [calendar: string, timeframe: Timeframe, start: number, close: number],
    smaller: readonly [calendar: string, timeframe: SourceTimeframe, bars: BarColumns],
  ): number | undefined => {
    const [id, timeframe, start, close] = covered;
    const bar = Float64Array.of(start, 0, close, 0, close, 1);
    const found = coveringBars(
      { calendar: calendarById(id), timeframe, bar },
      { calendar: calendarById(smaller[0]), timeframe: smaller[1], bars: smaller[2] },
    );
    return found && barCount(found);
  };
  const midnight = Date.parse('2025-11-26T05:00Z');
  const halfHours = bars(open, 13, HOUR_MS / 2);
  expect(covers(['us@09:30', '1h', open, 2], ['us', '30m', halfHours])).toBe(2);
  const clockHours = bars(open - HOUR_MS / 2, 7, HOUR_MS);
  const sessionHours = bars(open, 7, HOUR_MS);
  expect(covers(['us@09:30', '4h', open, 5], ['us', '1h', clockHours])).toBeUndefined();
  expect(covers(['us', '4h', midnight + 8 * HOUR_MS, 3], ['us@09:30', '1h', sessionHours])).toBeUndefined();
  expect(covers(['us@09:30', '4h', open, 4], ['us@09:30', '1h', sessionHours])).toBe(4);
  expect(covers(['us@09:30', '1d', midnight, 7], ['us', '1h', clockHours])).toBe(7);
  expect(covers(['us', '1d', midnight, 7], ['us@09:30', '1h', sessionHours])).toBe(7);
  const kolkata = 'weekdays:Asia/Kolkata';
  const indian = bars(Date.parse('2025-11-26T03:45Z'), 7, HOUR_MS);
  expect(
    covers([kolkata, '1d', Date.parse('2025-11-25T18:30Z'), 7], [`${kolkata}@09:15`, '1h', indian]),
  ).toBe(7);
});
