import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import * as talib from 'talib-web';
import * as signals from 'trading-signals';
import { type BarColumns, barCount } from '../../../../shared/domain/candles/bars.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';
import { indicatorSeries } from '../../../support/indicator-series.ts';
import { randomBars } from '../../../support/random-bars.ts';
import { operandSeries } from '../../../support/rule-series.ts';
import { soakable } from '../../../support/soak.ts';

const BARS = 420;
const FADED = 300;
const numRuns = soakable(6, 120);
const seeds = fc.nat();

beforeAll(async () => {
  // The library fetches its code, and fetch reads no files.
  const file = createRequire(import.meta.url).resolve('talib-web/lib/talib.wasm');
  const code = await readFile(file);
  await talib.init(`data:application/wasm;base64,${code.toString('base64')}`);
});

interface Candle {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

const candlesOf = (bars: BarColumns): Candle[] =>
  Array.from({ length: barCount(bars) }, (_, index) => ({
    open: bars.open[index] ?? Number.NaN,
    high: bars.high[index] ?? Number.NaN,
    low: bars.low[index] ?? Number.NaN,
    close: bars.close[index] ?? Number.NaN,
    volume: bars.volume[index] ?? Number.NaN,
  }));

/** Expects equal values, also of those that are missing. */
const expectSeries = (
  actual: readonly number[],
  expected: readonly number[],
  { from = 0, tolerance = 1e-9, scale = 1 }: { from?: number; tolerance?: number; scale?: number } = {},
): void => {
  const wrong = actual.flatMap((value, index) => {
    const other = expected[index] ?? Number.NaN;
    const isEqual =
      index < from ||
      (Number.isNaN(value) && Number.isNaN(other)) ||
      Math.abs(value - other) <= tolerance * Math.max(scale, Math.abs(other));
    return isEqual ? [] : [{ index, value, other }];
  });
  expect(wrong.slice(0, 3)).toEqual([]);
};

// The formulas as they are published, over whole lists.
const max = (values: readonly number[]): number => Math.max(...values);
const min = (values: readonly number[]): number => Math.min(...values);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const windows = <T>(values: readonly T[], length: number, of: (window: readonly T[]) => number): number[] =>
  values.map((_, index) =>
    index < length - 1 ? Number.NaN : of(values.slice(index - length + 1, index + 1)),
  );
const emaOf = (values: readonly number[], length: number, weight = 2 / (length + 1)): number[] => {
  const begin = values.findIndex((value) => !Number.isNaN(value));
  let last = Number.NaN;
  return values.map((value, index) => {
    const seed = begin + length - 1;
    if (index < seed) return Number.NaN;
    last = index === seed ? sum(values.slice(begin, index + 1)) / length : last + (value - last) * weight;
    return last;
  });
};
const rangesOf = (candles: readonly Candle[]): number[] =>
  candles.map(({ high, low }, index) => {
    const close = candles[index - 1]?.close;
    return close === undefined
      ? high - low
      : max([high - low, Math.abs(high - close), Math.abs(low - close)]);
  });
const atrOf = (candles: readonly Candle[], length: number): number[] =>
  emaOf(rangesOf(candles), length, 1 / length);
const flowOf = ({ high, low, close, volume }: Candle): number =>
  high === low ? 0 : ((close - low - (high - close)) / (high - low)) * volume;
const flowsSoFar = (candles: readonly Candle[]): number[] => {
  let total = 0;
  return candles.map((candle) => {
    total += flowOf(candle);
    return total;
  });
};
const middles = (candles: readonly Candle[], length: number): number[] =>
  windows(
    candles,
    length,
    (window) => (max(window.map(({ high }) => high)) + min(window.map(({ low }) => low))) / 2,
  );
const join = (
  left: readonly number[],
  right: readonly number[],
  of: (a: number, b: number) => number,
): number[] => left.map((value, index) => of(value, right[index] ?? Number.NaN));
const later = (values: readonly number[], bars: number): number[] =>
  values.map((_, index) => values[index - bars] ?? Number.NaN);
const closesOf = (candles: readonly Candle[]): number[] => candles.map(({ close }) => close);

interface Feed<R> {
  update: (candle: Candle, replace: boolean) => R | null;
}
/** Feeds a library of streams. */
const fed = <R>(candles: readonly Candle[], feed: Feed<R>, of: (result: R) => number): number[] =>
  candles.map((candle) => {
    const result = feed.update(candle, false);
    return result === null ? Number.NaN : of(result);
  });
/** Places the values of TA-Lib, whose list begins with the first one. */
const listed = (values: readonly number[], begin: number): number[] => [
  ...Array.from({ length: begin }, () => Number.NaN),
  ...values,
];
const lists = (candles: readonly Candle[]) => ({
  high: candles.map(({ high }) => high),
  low: candles.map(({ low }) => low),
  close: closesOf(candles),
  volume: candles.map(({ volume }) => volume),
});

interface Case {
  readonly name: string;
  readonly operand: (length: number) => object;
  /** Formula, equal from the first value on. */
  readonly plain: (candles: readonly Candle[], length: number) => number[];
  /** Libraries; `from` is the first bar to compare, after seeds have faded. */
  readonly others?: readonly {
    readonly of: (candles: readonly Candle[], length: number) => number[];
    readonly from?: number;
  }[];
}

const number = (value: number): number => value;

const CASES: readonly Case[] = [
  ...(['upper', 'middle', 'lower'] as const).map(
    (output): Case => ({
      name: `donchian ${output}`,
      operand: (length) => ({ indicator: 'donchian', length, output }),
      plain: (candles, length) =>
        output === 'middle'
          ? middles(candles, length)
          : windows(candles, length, (window) =>
              output === 'upper' ? max(window.map(({ high }) => high)) : min(window.map(({ low }) => low)),
            ),
      others: [{ of: (candles, n) => fed(candles, new signals.DonchianChannels(n), (each) => each[output]) }],
    }),
  ),
  ...(['upper', 'middle', 'lower'] as const).map(
    (output): Case => ({
      name: `keltner ${output}`,
      operand: (length) => ({ indicator: 'keltner', length, atr_length: length + 3, multiple: 1.5, output }),
      plain: (candles, length) => {
        const middle = emaOf(closesOf(candles), length);
        const factor = { upper: 1.5, middle: 0, lower: -1.5 }[output];
        return factor === 0 ? middle : join(middle, atrOf(candles, length + 3), (a, b) => a + factor * b);
      },
      others: [
        {
          from: FADED,
          of: (candles, n) =>
            fed(
              candles,
              new signals.KeltnerChannels({ emaInterval: n, atrInterval: n + 3, multiplier: 1.5 }),
              (each) => each[output],
            ),
        },
      ],
    }),
  ),
  ...(['conversion', 'base', 'span_a', 'span_b', 'lagging'] as const).map(
    (output): Case => ({
      name: `ichimoku ${output}`,
      operand: (n) => ({
        indicator: 'ichimoku',
        conversion: n,
        base: n + 9,
        span: 2 * n + 9,
        displacement: n + 2,
        output,
      }),
      plain: (candles, n) => {
        const [conversion, base] = [middles(candles, n), middles(candles, n + 9)];
        switch (output) {
          case 'conversion':
            return conversion;
          case 'base':
            return base;
          case 'span_a':
            return later(
              join(conversion, base, (a, b) => (a + b) / 2),
              n + 2,
            );
          case 'span_b':
            return later(middles(candles, 2 * n + 9), n + 2);
          case 'lagging':
            return later(closesOf(candles), n + 2);
        }
      },
      ...(output !== 'lagging' && {
        others: [
          {
            from: 150,
            of: (candles: readonly Candle[], n: number) => {
              const field = {
                conversion: 'conversion',
                base: 'base',
                span_a: 'spanA',
                span_b: 'spanB',
              } as const;
              const values = fed(
                candles,
                new signals.IchimokuCloud({
                  conversionInterval: n,
                  baseInterval: n + 9,
                  spanBInterval: 2 * n + 9,
                }),
                (each) => each[field[output]],
              );
              return output.startsWith('span') ? later(values, n + 2) : values;
            },
          },
        ],
      }),
    }),
  ),
  ...(['long', 'short'] as const).map(
    (output): Case => ({
      name: `chandelier ${output}`,
      operand: (length) => ({ indicator: 'chandelier', length, multiple: 2.5, output }),
      plain: (candles, length) => {
        const edge = windows(candles, length, (window) =>
          output === 'long' ? max(window.map(({ high }) => high)) : min(window.map(({ low }) => low)),
        );
        return join(edge, atrOf(candles, length), (a, b) => (output === 'long' ? a - 2.5 * b : a + 2.5 * b));
      },
      others: [
        {
          of: (candles, interval) =>
            fed(candles, new signals.ChandelierExit({ interval, multiplier: 2.5 }), (each) => each[output]),
        },
      ],
    }),
  ),
  {
    name: 'natr',
    operand: (length) => ({ indicator: 'natr', length }),
    plain: (candles, length) =>
      join(atrOf(candles, length), closesOf(candles), (range, close) => (range / close) * 100),
    others: [
      { of: (candles, n) => fed(candles, new signals.NATR(n), number) },
      {
        from: FADED,
        of: (candles, timePeriod) => listed(talib.NATR({ ...lists(candles), timePeriod }).output, timePeriod),
      },
    ],
  },
  {
    name: 'true_range',
    operand: () => ({ indicator: 'true_range' }),
    plain: rangesOf,
    others: [
      { of: (candles) => fed(candles, new signals.TR(), number) },
      { from: 1, of: (candles) => listed(talib.TRANGE(lists(candles)).output, 1) },
    ],
  },
  {
    name: 'chaikin_money_flow',
    operand: (length) => ({ indicator: 'chaikin_money_flow', length }),
    plain: (candles, length) =>
      windows(candles, length, (window) => sum(window.map(flowOf)) / sum(window.map(({ volume }) => volume))),
    others: [{ of: (candles, n) => fed(candles, new signals.CMF(n), number) }],
  },
  {
    name: 'accumulation_distribution',
    operand: () => ({ indicator: 'accumulation_distribution' }),
    plain: flowsSoFar,
    others: [
      { of: (candles) => fed(candles, new signals.AD(), number) },
      { of: (candles) => listed(talib.AD(lists(candles)).output, 0) },
    ],
  },
  {
    name: 'chaikin_oscillator',
    operand: (length) => ({ indicator: 'chaikin_oscillator', fast: length, slow: length + 7 }),
    plain: (candles, length) =>
      join(
        emaOf(flowsSoFar(candles), length),
        emaOf(flowsSoFar(candles), length + 7),
        (fast, slow) => fast - slow,
      ),
    others: [
      {
        from: FADED,
        of: (candles, n) => fed(candles, new signals.ADOSC({ fastPeriod: n, slowPeriod: n + 7 }), number),
      },
      {
        from: FADED,
        of: (candles, n) =>
          listed(talib.ADOSC({ ...lists(candles), fastPeriod: n, slowPeriod: n + 7 }).output, n + 6),
      },
    ],
  },
  {
    name: 'force_index',
    operand: (length) => ({ indicator: 'force_index', length }),
    plain: (candles, length) =>
      emaOf(
        candles.map(
          ({ close, volume }, index) => (close - (candles[index - 1]?.close ?? Number.NaN)) * volume,
        ),
        length,
      ),
    others: [{ from: FADED, of: (candles, n) => fed(candles, new signals.ForceIndex(n), number) }],
  },
  {
    name: 'ease_of_movement',
    operand: (length) => ({ indicator: 'ease_of_movement', length, divisor: 1e8 }),
    plain: (candles, length) => {
      const ease = candles.map(({ high, low, volume }, index) => {
        const last = candles[index - 1];
        if (!last) return Number.NaN;
        const move = (high + low) / 2 - (last.high + last.low) / 2;
        return volume === 0 ? 0 : (move * (high - low) * 1e8) / volume;
      });
      return windows(ease, length, (window) => sum(window) / length);
    },
    others: [{ of: (candles, n) => fed(candles, new signals.EMV(n), number) }],
  },
  ...(['bull', 'bear'] as const).map(
    (output): Case => ({
      name: `elder_ray ${output}`,
      operand: (length) => ({ indicator: 'elder_ray', length, output }),
      plain: (candles, length) =>
        join(
          candles.map(({ high, low }) => (output === 'bull' ? high : low)),
          emaOf(closesOf(candles), length),
          (price, average) => price - average,
        ),
      others: [
        {
          from: FADED,
          of: (candles, n) => fed(candles, new signals.ElderRay(n), (each) => each[`${output}Power`]),
        },
      ],
    }),
  ),
];

const lengths = fc.integer({ min: 5, max: 14 });

test.each(CASES)('$name equals its formula and other libraries', ({ operand, plain, others = [] }) => {
  fc.assert(
    fc.property(seeds, lengths, (seed, length) => {
      const bars = randomBars(seed, BARS);
      const candles = candlesOf(bars);
      const actual = indicatorSeries(operand(length), bars);
      const expected = plain(candles, length);
      // Differences of large sums lose digits.
      const scale = max(expected.filter((value) => !Number.isNaN(value)).map(Math.abs));
      expectSeries(actual, expected, { scale, tolerance: 1e-11 });
      for (const { of, from = 0 } of others) {
        expectSeries(actual, of(candles, length), { from, scale, tolerance: 1e-8 });
      }
    }),
    { numRuns },
  );
});

/** A bar with the names of its session, week and month; undefined outside of sessions. */
interface Placed extends Candle {
  readonly minute: number;
  readonly day: string | undefined;
  readonly week: string | undefined;
  readonly month: string | undefined;
}

const DAY_MS = 86_400_000;
const HOLIDAYS: readonly string[] = ['2020-01-01', '2020-01-20', '2020-02-17', '2020-04-10', '2020-05-25'];
const newYork = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Names the Monday of a date's week. */
const mondayOf = (date: string): string => {
  const day = Date.parse(date);
  const since = (new Date(day).getUTCDay() + 6) % 7;
  return new Date(day - since * DAY_MS).toISOString().slice(0, 10);
};

const placed = (bars: BarColumns, calendar: 'always' | 'us'): Placed[] =>
  candlesOf(bars).map((candle, index) => {
    const start = new Date(bars.start[index] ?? Number.NaN);
    const text = calendar === 'always' ? start.toISOString().replace('T', ', ') : newYork.format(start);
    const [date = '', time = ''] = text.split(', ');
    const minute = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
    const weekday = new Date(Date.parse(date)).getUTCDay();
    const isOutside =
      calendar === 'us' &&
      (weekday === 0 || weekday === 6 || HOLIDAYS.includes(date) || minute < 570 || minute >= 960);
    return {
      ...candle,
      minute,
      day: isOutside ? undefined : date,
      week: isOutside ? undefined : mondayOf(date),
      month: isOutside ? undefined : date.slice(0, 7),
    };
  });

type PeriodName = 'day' | 'week' | 'month';

/** Returns the bars of the period of each bar so far, and all of the period before; those outside show the last ones. */
const periodsOf = (bars: readonly Placed[], period: PeriodName) => {
  let now: Placed[] = [];
  let before: Placed[] = [];
  return bars.map((bar) => {
    if (bar[period] !== undefined) {
      if (now[0]?.[period] === bar[period]) now = [...now, bar];
      else [before, now] = [now, [bar]];
    }
    return { now, before };
  });
};

const whole = (bars: readonly Placed[]) => ({
  open: bars[0]?.open ?? Number.NaN,
  high: bars.length === 0 ? Number.NaN : max(bars.map(({ high }) => high)),
  low: bars.length === 0 ? Number.NaN : min(bars.map(({ low }) => low)),
  close: bars.at(-1)?.close ?? Number.NaN,
});

/** Bars with sessions, weeks and months, of two calendars. */
const MARKETS: readonly [Timeframe, 'always' | 'us', PeriodName][] = [
  ['15m', 'us', 'day'],
  ['15m', 'us', 'week'],
  ['1h', 'always', 'day'],
  ['1h', 'always', 'week'],
  ['1d', 'always', 'week'],
  ['1d', 'always', 'month'],
];

/** Levels by the tables of the methods: middle, and factors above and below it. */
const LEVELS: Readonly<Record<string, (of: ReturnType<typeof whole>) => Readonly<Record<string, number>>>> = {
  classic: ({ high: h, low: l, close: c }) => {
    const p = (h + l + c) / 3;
    return {
      pivot: p,
      r1: 2 * p - l,
      r2: p + h - l,
      r3: h + 2 * (p - l),
      r4: h + 3 * (p - l),
      s1: 2 * p - h,
      s2: p - (h - l),
      s3: l - 2 * (h - p),
      s4: l - 3 * (h - p),
    };
  },
  fibonacci: ({ high: h, low: l, close: c }) => {
    const p = (h + l + c) / 3;
    const r = h - l;
    return {
      pivot: p,
      r1: p + 0.382 * r,
      r2: p + 0.618 * r,
      r3: p + r,
      r4: p + 1.618 * r,
      s1: p - 0.382 * r,
      s2: p - 0.618 * r,
      s3: p - r,
      s4: p - 1.618 * r,
    };
  },
  camarilla: ({ high: h, low: l, close: c }) => {
    const r = (h - l) * 1.1;
    return {
      pivot: (h + l + c) / 3,
      r1: c + r / 12,
      r2: c + r / 6,
      r3: c + r / 4,
      r4: c + r / 2,
      s1: c - r / 12,
      s2: c - r / 6,
      s3: c - r / 4,
      s4: c - r / 2,
    };
  },
};

describe.each(MARKETS)('on bars of %s of the calendar %s', (timeframe, calendar, period) => {
  const check = (
    operand: object,
    expected: (bars: readonly Placed[], periods: ReturnType<typeof periodsOf>) => number[],
    of = period,
  ): void => {
    let values = 0;
    fc.assert(
      fc.property(seeds, (seed) => {
        const bars = randomBars(seed, 300, timeframe);
        const known = placed(bars, calendar);
        const actual = operandSeries(operand, bars, { timeframe, calendar });
        values += actual.filter((value) => !Number.isNaN(value)).length;
        expectSeries(actual, expected(known, periodsOf(known, of)));
      }),
      { numRuns: Math.ceil(numRuns / 3) },
    );
    expect(values).toBeGreaterThan(0);
  };

  test(`the levels of the ${period} before are those of its prices`, () => {
    for (const output of ['high', 'low', 'open', 'close'] as const) {
      check({ indicator: 'period_before', period, output }, (_, periods) =>
        periods.map(({ before }) => whole(before)[output]),
      );
    }
    for (const [method, levels] of Object.entries(LEVELS)) {
      for (const output of ['pivot', 'r1', 'r2', 'r3', 'r4', 's1', 's2', 's3', 's4']) {
        check({ indicator: 'pivots', period, method, output }, (_, periods) =>
          periods.map(({ before }) => levels(whole(before))[output] ?? Number.NaN),
        );
      }
    }
  });

  test(`the VWAP of the ${period} and its bands are weighted by volume`, () => {
    for (const [output, factor] of [
      ['middle', 0],
      ['upper', 1.5],
      ['lower', -1.5],
    ] as const) {
      check({ indicator: 'anchored_vwap', period, deviations: 1.5, output }, (bars, periods) =>
        bars.map((bar, index) => {
          const { now = [] } = periods[index] ?? {};
          const volume = sum(now.map((each) => each.volume));
          if (bar[period] === undefined || volume === 0) return Number.NaN;
          const price = ({ high, low, close }: Candle) => (high + low + close) / 3;
          const mean = sum(now.map((each) => price(each) * each.volume)) / volume;
          const squares = sum(now.map((each) => each.volume * (price(each) - mean) ** 2));
          return mean + factor * Math.sqrt(squares / volume);
        }),
      );
    }
  });

  test('the gap and the session so far are those of its bars', () => {
    check(
      { indicator: 'gap' },
      (_, periods) => periods.map(({ now, before }) => (whole(now).open / whole(before).close - 1) * 100),
      'day',
    );
    for (const output of ['high', 'low', 'open'] as const) {
      check(
        { indicator: 'session_range', output },
        (_, periods) => periods.map(({ now }) => whole(now)[output]),
        'day',
      );
    }
  });

  if (timeframe !== '1d') {
    test.each(['high', 'low'] as const)('the %s of the opening range is known after it', (output) => {
      check(
        { indicator: 'opening_range', minutes: 90, output },
        (bars, periods) =>
          bars.map((bar, index) => {
            const { now = [] } = periods[index] ?? {};
            const from = now[0]?.minute ?? Number.NaN;
            if (bar.day === undefined || bar.minute < from + 90) return Number.NaN;
            return whole(now.filter(({ minute }) => minute < from + 90))[output];
          }),
        'day',
      );
    });
  }
});
