import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { barCount, sliceBars } from '../../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../../shared/domain/candles/calendar.ts';
import { linesOf } from '../../../../shared/domain/engine/chart/chart-lines.ts';
import { chartRules } from '../../../../shared/domain/engine/chart/chart-rules.ts';
import { marketTimeOf } from '../../../../shared/domain/engine/market-time.ts';
import { explain } from '../../../../shared/domain/engine/running/explain.ts';
import { observeBars } from '../../../../shared/domain/engine/running/frames.ts';
import { startProgram } from '../../../../shared/domain/engine/running/running-program.ts';
import { randomBacktests, tradingBacktest } from '../../../support/random-backtests.ts';
import { plainRules, rulesWith } from '../../../support/rules.ts';
import { barsAt } from '../../../support/small-backtests.ts';
import { soakable } from '../../../support/soak.ts';

const CLOSE = { price: 'close' };
const SMA = { indicator: 'sma', length: 3 };
const TIME = marketTimeOf(calendarById('always'));

const panesOf = (...operands: readonly unknown[]) =>
  linesOf(
    plainRules(rulesWith({ all: operands.map((operand) => ({ left: operand, op: 'gt', right: CLOSE })) })),
  ).map(({ pane }) => pane);

test('draws the values and conditions of the rules at each shown bar', () => {
  const when = {
    all: [
      { left: CLOSE, op: 'crosses_above', right: SMA },
      { left: { indicator: 'rsi', length: 2 }, op: 'lt', right: 70 },
    ],
  };
  const rules = plainRules(rulesWith(when, { exits: [{ side: 'long', when: { bars_in_trade: 2 } }] }));
  const bars = barsAt([10, 9, 8, 7, 12, 13]);
  const { lines, conditions } = chartRules(rules, { timeframe: '1d', time: TIME, bars, first: 1 });
  expect(
    lines.map(({ label, pane, levels, values }) => ({ label, pane, levels, values: [...values] })),
  ).toEqual([
    { label: 'SMA(3)', pane: 'price', levels: [], values: [Number.NaN, 9, 8, 9, 32 / 3] },
    { label: 'RSI(2)', pane: 'own', levels: [70], values: [Number.NaN, 0, 0, 250 / 3, 87.5] },
  ]);
  expect(
    conditions.map(({ text, path, values }) => ({ text, path: path.join('.'), values: [...values] })),
  ).toEqual([
    {
      text: 'close crosses above SMA(3) and RSI(2) is below 70',
      path: 'entries.0.when',
      values: [Number.NaN, Number.NaN, 0, 0, 0],
    },
    {
      text: 'close crosses above SMA(3)',
      path: 'entries.0.when.all.0',
      values: [Number.NaN, Number.NaN, 0, 1, 0],
    },
    { text: 'RSI(2) is below 70', path: 'entries.0.when.all.1', values: [Number.NaN, Number.NaN, 1, 0, 0] },
    { text: 'the trade is at least 2 bars old', path: 'exits.0.when', values: Array(5).fill(Number.NaN) },
  ]);
});

test('draws over the candles what is near the price, and the rest in panes of its own', () => {
  const ema = { indicator: 'ema', length: 3 };
  expect(
    panesOf(
      ema,
      { multiply: [0.98, ema] },
      { divide: [{ add: [{ price: 'high' }, { price: 'low' }] }, 2] },
      { add: [ema, { multiply: [{ indicator: 'atr' }, 2] }] },
      { price: 'hl2' },
    ),
  ).toEqual(['price', 'price', 'price', 'price', 'own', 'price']);
  expect(
    panesOf(
      { indicator: 'sma', source: 'volume' },
      { indicator: 'supertrend', output: 'direction' },
      { divide: [CLOSE, ema] },
      { subtract: [CLOSE, ema] },
      { price: 'volume' },
      { indicator: 'macd' },
    ),
  ).toEqual(['own', 'own', 'own', 'price', 'own', 'own', 'own']);
});

test('values and conditions are those of a running program', () => {
  let held = 0;
  fc.assert(
    fc.property(randomBacktests(1, 80), fc.nat(40), ({ input, bars: [bars] }, first) => {
      const time = input.legs[0]?.time;
      if (!bars || !time) throw new Error('the backtest has no leg');
      const { timeframe, rules } = input;
      const chart = chartRules(rules, { timeframe, time, bars, first });
      const live = startProgram(rules, timeframe, time);
      for (let index = 0; index < barCount(bars); index += 1) {
        observeBars(live, sliceBars(bars, index, index + 1));
        if (index < first) continue;
        const { entries, evaluated, values } = explain(live);
        for (const { label, values: drawn } of chart.lines) {
          const value = values.find(({ name }) => name === label)?.value;
          if (value !== undefined) expect(drawn[index - first]).toBe(value ?? Number.NaN);
        }
        for (const [place, { condition }] of entries.entries()) {
          const drawn = chart.conditions.find(
            ({ path }) => path.length === 3 && path[1] === place && path[0] === 'entries',
          );
          const value = drawn?.values[index - first];
          if (Number.isNaN(value)) continue;
          held += condition.holds ? 1 : 0;
          expect({ evaluated, holds: value === 1 }).toEqual({ evaluated: true, holds: condition.holds });
        }
      }
    }),
    { numRuns: soakable(10, 1000), examples: [[tradingBacktest(), 0]] },
  );
  expect(held).toBeGreaterThan(0);
});
