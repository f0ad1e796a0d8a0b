import fc from 'fast-check';
import { type BarColumns, barCount } from '../../../../shared/domain/candles/bars.ts';
import { randomBars } from '../../../support/random-bars.ts';
import { conditionSeries, operandSeries } from '../../../support/rule-series.ts';
import { barsAt, closeIs, smallBacktest } from '../../../support/small-backtests.ts';
import { soakable } from '../../../support/soak.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const numRuns = soakable(20, 400);

interface Candle {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

const candlesOf = (bars: BarColumns): Candle[] =>
  Array.from({ length: barCount(bars) }, (_, index) => ({
    open: bars.open[index] ?? Number.NaN,
    high: bars.high[index] ?? Number.NaN,
    low: bars.low[index] ?? Number.NaN,
    close: bars.close[index] ?? Number.NaN,
  }));

/** Computes Heikin-Ashi candles from their definition. */
const heikinAshiOf = (candles: readonly Candle[]): Candle[] => {
  const made: Candle[] = [];
  for (const { open, high, low, close } of candles) {
    const before = made.at(-1);
    const mean = (open + high + low + close) / 4;
    const begin = before ? (before.open + before.close) / 2 : (open + close) / 2;
    made.push({
      open: begin,
      high: Math.max(high, begin, mean),
      low: Math.min(low, begin, mean),
      close: mean,
    });
  }
  return made;
};

/** Joins bars of hours to days. The list of a bar holds the days that are closed at its close. */
const closedDays = (bars: BarColumns): Candle[][] => {
  const candles = candlesOf(bars);
  const closed: Candle[] = [];
  let open: { day: number; candle: Candle } | undefined;
  return candles.map((candle, index) => {
    const start = bars.start[index] ?? Number.NaN;
    const day = Math.floor(start / DAY_MS);
    if (open && open.day !== day) {
      closed.push(open.candle);
      open = undefined;
    }
    const { candle: before } = open ?? { candle };
    open = {
      day,
      candle: {
        open: before.open,
        high: Math.max(before.high, candle.high),
        low: Math.min(before.low, candle.low),
        close: candle.close,
      },
    };
    if (start % DAY_MS === 23 * HOUR_MS) {
      closed.push(open.candle);
      open = undefined;
    }
    return [...closed];
  });
};

const prices = fc.constantFrom('open', 'high', 'low', 'close');
const seeds = fc.nat();

const expectNear = (actual: readonly number[], expected: readonly number[]): void => {
  const wrong = actual.flatMap((value, index) => {
    const other = expected[index] ?? Number.NaN;
    return Object.is(value, other) || Math.abs(value - other) <= 1e-9 * Math.abs(other)
      ? []
      : [{ index, value, other }];
  });
  expect(wrong).toEqual([]);
};

test('a price of a higher timeframe is that of its last closed bar', () => {
  fc.assert(
    fc.property(seeds, prices, fc.nat(3), (seed, price, ago) => {
      const bars = randomBars(seed, 200, '1h');
      const operand = { price, timeframe: '1d', ago };
      expectNear(
        operandSeries(operand, bars, { timeframe: '1h' }),
        closedDays(bars).map((days) => days.at(-1 - ago)?.[price] ?? Number.NaN),
      );
    }),
    { numRuns },
  );
});

test('Heikin-Ashi prices are those of the definition, also of a higher timeframe', () => {
  const mean = ({ high, low, close, open }: Candle) => ({
    hl2: (high + low) / 2,
    hlc3: (high + low + close) / 3,
    ohlc4: (open + high + low + close) / 4,
  });
  fc.assert(
    fc.property(
      seeds,
      fc.constantFrom('open', 'high', 'low', 'close', 'hl2', 'hlc3', 'ohlc4'),
      fc.nat(3),
      (seed, price, ago) => {
        const bars = randomBars(seed, 120, '1h');
        const priceOf = (candle: Candle | undefined) =>
          candle ? { ...candle, ...mean(candle) }[price] : Number.NaN;
        const operand = { price, candles: 'heikin_ashi', ago };
        const own = heikinAshiOf(candlesOf(bars));
        expectNear(
          operandSeries(operand, bars, { timeframe: '1h' }),
          own.map((_, index) => priceOf(own[index - ago])),
        );
        expectNear(
          operandSeries({ ...operand, timeframe: '1d' }, bars, { timeframe: '1h' }),
          closedDays(bars).map((days) => priceOf(heikinAshiOf(days).at(-1 - ago))),
        );
      },
    ),
    { numRuns },
  );
});

/** Counts the values in a row up to the last one that moved in a direction. */
const movesOf = (values: readonly number[], sign: number): number => {
  let count = 0;
  for (let index = values.length - 1; index > 0; index -= 1) {
    if (!(sign * ((values[index] ?? 0) - (values[index - 1] ?? 0)) > 0)) break;
    count += 1;
  }
  return count;
};

test('rising and falling count the bars of the operand’s own timeframe', () => {
  fc.assert(
    fc.property(
      seeds,
      fc.constantFrom(['rising', 1] as const, ['falling', -1] as const),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(2),
      (seed, [name, sign], bars, ago) => {
        const given = randomBars(seed, 200, '1h', 0);
        const closes = [...given.close];
        const shifted = (values: readonly number[]) => values.slice(0, values.length - ago);
        const holds = conditionSeries({ [name]: { price: 'close', ago }, bars }, given, { timeframe: '1h' });
        for (const [index, value] of holds.entries()) {
          if (value === undefined) continue;
          expect(value).toBe(movesOf(shifted(closes.slice(0, index + 1)), sign) >= bars);
        }
        const days = closedDays(given).map((each) => each.map(({ close }) => close));
        const daily = { [name]: { price: 'close', timeframe: '1d', ago }, bars };
        const held = conditionSeries(daily, given, { timeframe: '1h' });
        for (const [index, value] of held.entries()) {
          if (value === undefined) continue;
          expect(value).toBe(movesOf(shifted(days[index] ?? []), sign) >= bars);
        }
      },
    ),
    { numRuns },
  );
});

test('between holds from one bound to the other, both included; crosses in either direction', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const bars = randomBars(seed, 120, '1d', 0);
      const within = conditionSeries(
        {
          value: { price: 'close' },
          between: [
            { price: 'low', ago: 1 },
            { price: 'high', ago: 1 },
          ],
        },
        bars,
      );
      const crossed = conditionSeries(
        { left: { price: 'close' }, op: 'crosses', right: { price: 'open', ago: 1 } },
        bars,
      );
      const at = (column: Float64Array, index: number) => column[index] ?? Number.NaN;
      for (let index = 2; index < 120; index += 1) {
        const close = at(bars.close, index);
        expect(within[index]).toBe(close >= at(bars.low, index - 1) && close <= at(bars.high, index - 1));
        const now = Math.sign(close - at(bars.open, index - 1));
        const before = Math.sign(at(bars.close, index - 1) - at(bars.open, index - 2));
        expect(crossed[index]).toBe(now * before === -1);
      }
    }),
    { numRuns },
  );
});

const UNITS = { type: 'units', units: 10 };
const exitsOf = (rules: object, bars: BarColumns, account = {}) =>
  smallBacktest(rules, bars, { account }).trades.map(({ exit_bar, exit_price }) => [exit_bar, exit_price]);
const percentIs = (op: string, right: number) => ({ left: { trade: 'percent_from_entry' }, op, right });

test('percent_from_entry is the profit in percent of the entry price, for both sides', () => {
  const rules = (side: string, op: string, percent: number) => ({
    entries: [{ side, when: closeIs(100), size: UNITS }],
    exits: [{ side, when: percentIs(op, percent) }],
  });
  // Bought at the open of 102.
  const bars = barsAt([99, 100, [102, 103, 101, 101], 104, 110, 111]);
  expect(exitsOf(rules('long', 'gte', (8 / 102) * 100), bars)).toEqual([[5, 111]]);
  expect(exitsOf(rules('short', 'lte', (-8 / 102) * 100), bars)).toEqual([[5, 111]]);
  expect(exitsOf(rules('long', 'lt', 0), bars)).toEqual([[3, 104]]);
  expect(exitsOf(rules('short', 'gt', 0), bars)).toEqual([[3, 104]]);
  // With slippage, the entry price is that of the fill.
  expect(exitsOf(rules('long', 'gt', 1), bars, { slippage_rate: 0.02 })).toEqual([[5, 111 * 0.98]]);
});

test('the extremes since the entry count whole bars after an entry at the open, else the entry and the close', () => {
  const falls = {
    left: { price: 'close' },
    op: 'lt',
    right: { subtract: [{ trade: 'highest_since_entry' }, 5] },
  };
  const market = {
    entries: [{ side: 'long', when: closeIs(100), size: UNITS }],
    exits: [{ side: 'long', when: falls }],
  };
  // The entry bar's high of 108 counts.
  expect(exitsOf(market, barsAt([99, 100, [100, 108, 100, 104], 103, 102, 101]))).toEqual([[5, 101]]);
  const limit = { ...market, entries: [{ ...market.entries[0], limit: { percent: -2 } }] };
  // It may have been before the fill at 98.
  expect(exitsOf(limit, barsAt([99, 100, [100, 108, 98, 101], 97, 96, 95, 94]))).toEqual([[6, 94]]);
  const rises = { left: { price: 'close' }, op: 'gt', right: { add: [{ trade: 'lowest_since_entry' }, 5] } };
  const short = {
    entries: [{ side: 'short', when: closeIs(100), size: UNITS }],
    exits: [{ side: 'short', when: rises }],
  };
  expect(exitsOf(short, barsAt([99, 100, [100, 100, 92, 96], 97, 98, 99]))).toEqual([[5, 99]]);
});

test('values of the trade are those of the oldest one of the side', () => {
  const rules = {
    pyramid: true,
    max_trades: 2,
    entries: [{ side: 'long', when: { value: { price: 'close' }, between: [100, 101] }, size: UNITS }],
    exits: [
      {
        side: 'long',
        when: { left: { price: 'close' }, op: 'gt', right: { add: [{ trade: 'entry_price' }, 4] } },
      },
    ],
  };
  // Bought at 101 and 103.
  expect(exitsOf(rules, barsAt([99, 100, 101, 103, 105, 106, 107]))).toEqual([
    [6, 107],
    [6, 107],
  ]);
});

interface PlainTrade {
  readonly entry: number;
  readonly exit: number;
}

/** Trades by hand: buys after a rise, and sells after a fall from the highest price or beyond bounds of the result. */
const tradesByHand = (bars: BarColumns, trail: number, loss: number, gain: number): PlainTrade[] => {
  const candles = candlesOf(bars);
  const trades: PlainTrade[] = [];
  let held: { bar: number; price: number; highest: number } | undefined;
  let order: 'buy' | 'sell' | undefined;
  for (const [index, { open, high, close }] of candles.entries()) {
    if (order === 'buy') held = { bar: index, price: open, highest: high };
    else if (order === 'sell' && held) {
      trades.push({ entry: held.bar, exit: index });
      held = undefined;
    }
    order = undefined;
    if (held) held.highest = Math.max(held.highest, high);
    if (index < 1) continue;
    if (held) {
      const percent = ((close - held.price) * 100) / held.price;
      const isOver = close < held.highest * trail || !(percent >= loss && percent <= gain);
      if (isOver) order = 'sell';
    } else if (close > (candles[index - 1]?.close ?? Number.NaN)) order = 'buy';
  }
  return trades;
};

test('random trades end where a loop by hand ends them', () => {
  const ends = { left: { price: 'close' }, op: 'lt' };
  let count = 0;
  fc.assert(
    fc.property(seeds, fc.constantFrom(0.94, 0.97), fc.constantFrom(-2, -4), (seed, trail, loss) => {
      const bars = randomBars(seed, 300);
      const rules = {
        entries: [
          { side: 'long', when: { rising: { price: 'close' }, bars: 1 }, size: { type: 'units', units: 1 } },
        ],
        exits: [
          {
            side: 'long',
            when: {
              any: [
                { ...ends, right: { multiply: [{ trade: 'highest_since_entry' }, trail] } },
                { not: { value: { trade: 'percent_from_entry' }, between: [loss, 6] } },
              ],
            },
          },
        ],
      };
      const { trades } = smallBacktest(rules, bars, {
        account: { starting_capital: 1e6, entry_bar: 'worst' },
      });
      count += trades.length;
      expect(trades.map(({ entry_bar, exit_bar }) => [entry_bar, exit_bar])).toEqual(
        tradesByHand(bars, trail, loss, 6).map(({ entry, exit }) => [entry, exit]),
      );
    }),
    { numRuns },
  );
  expect(count).toBeGreaterThan(0);
});
