import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { periodValue } from './nodes/periods.ts';

const LEVELS = ['pivot', 'r1', 'r2', 'r3', 'r4', 's1', 's2', 's3', 's4'] as const;
type Level = (typeof LEVELS)[number];

export const declaration = indicator(
  'pivots',
  ({ choice }: Args) => ({
    period: choice('day', 'week', 'month'),
    method: choice('classic', 'fibonacci', 'camarilla'),
    output: choice(...LEVELS),
  }),
  {
    words: (of) => [
      of.output === 'pivot'
        ? `${of.method} pivot of the ${of.period} before`
        : `${of.method} ${of.output.toUpperCase()} of the ${of.period} before`,
    ],
  },
);

export const labels: Labels<typeof declaration> = {
  group: 'levels',
  label: 'Pivots',
  lines: {
    pivot: { label: 'Pivot', pane: 'price' },
    r1: { label: 'Resistance 1', pane: 'price' },
    r2: { label: 'Resistance 2', pane: 'price' },
    r3: { label: 'Resistance 3', pane: 'price' },
    r4: { label: 'Resistance 4', pane: 'price' },
    s1: { label: 'Support 1', pane: 'price' },
    s2: { label: 'Support 2', pane: 'price' },
    s3: { label: 'Support 3', pane: 'price' },
    s4: { label: 'Support 4', pane: 'price' },
  },
};

type Method = 'classic' | 'fibonacci' | 'camarilla';

interface Prices {
  high: number;
  low: number;
  close: number;
}

type LevelOf = (step: number, side: 1 | -1, prices: Prices) => number;

/** Parts of the range, by the number of the level. */
const FIBONACCI = [0, 0.382, 0.618, 1, 1.618];
const CAMARILLA = [0, 1.1 / 12, 1.1 / 6, 1.1 / 4, 1.1 / 2];

const middleOf = ({ high, low, close }: Prices): number => (high + low + close) / 3;

/** Levels above (`side` 1) and below the middle, by their number from 1 to 4. */
const METHODS: Readonly<Record<Method, LevelOf>> = {
  classic: (step, side, prices) => {
    const { high, low } = prices;
    const pivot = middleOf(prices);
    if (step === 1) return 2 * pivot - (side === 1 ? low : high);
    if (step === 2) return pivot + side * (high - low);
    return side === 1 ? high + (step - 1) * (pivot - low) : low - (step - 1) * (high - pivot);
  },
  fibonacci: (step, side, prices) =>
    middleOf(prices) + side * (FIBONACCI[step] ?? 0) * (prices.high - prices.low),
  camarilla: (step, side, { high, low, close }) => close + side * (CAMARILLA[step] ?? 0) * (high - low),
};

const levelOf = (method: Method, level: Level): ((prices: Prices) => number) => {
  if (level === 'pivot') return middleOf;
  const step = Number(level.slice(1));
  const side = level.startsWith('r') ? 1 : -1;
  return (prices) => METHODS[method](step, side, prices);
};

export const formula: Formula<typeof declaration> = (group, { period, method, output }, periodsOf) => {
  const level = levelOf(method, output);
  const prices = { high: Number.NaN, low: Number.NaN, close: Number.NaN };
  return periodValue(group, periodsOf, period, `pivots:${method}:${output}`, (m, { before }) => {
    prices.high = at(m, before.high);
    prices.low = at(m, before.low);
    prices.close = at(m, before.close);
    return level(prices);
  });
};

export const row: Row = {
  value: 'levels of the day, week or month before: `period`; outputs `pivot`, `r1` to `r4`, `s1` to `s4`',
  formula:
    'pivot: (high + low + close) / 3. Classic: `r1` 2 × pivot − low, `r2` pivot + range, `r3` high + 2 × (pivot − low), `r4` high + 3 × (pivot − low). Fibonacci: pivot + 0.382, 0.618, 1 and 1.618 ranges. Camarilla: close + 1.1 / 12, 6, 4 and 2 ranges. Supports mirror them. Methods: `classic`, `fibonacci`, `camarilla`',
  elsewhere: 'TradingView chooses the period by the timeframe of the chart',
};
