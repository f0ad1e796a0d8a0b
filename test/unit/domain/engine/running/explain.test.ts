import fc from 'fast-check';
import { barCount, sliceBars } from '../../../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../../../shared/domain/candles/calendar.ts';
import { marketTimeOf } from '../../../../../shared/domain/engine/market-time.ts';
import { EVALUATED } from '../../../../../shared/domain/engine/observation.ts';
import { explain } from '../../../../../shared/domain/engine/running/explain.ts';
import { observeBars } from '../../../../../shared/domain/engine/running/frames.ts';
import {
  restoreProgram,
  saveProgram,
  startProgram,
} from '../../../../../shared/domain/engine/running/running-program.ts';
import { paperOf } from '../../../../support/papers.ts';
import { randomBacktests, tradingBacktest } from '../../../../support/random-backtests.ts';
import { barsAt, closeIs } from '../../../../support/small-backtests.ts';
import { soakable } from '../../../../support/soak.ts';

const UNITS = { type: 'units', units: 10 };
const SMA = { indicator: 'sma', length: 3 };
const DAY_MS = 86_400_000;
const day = (index: number) => Date.UTC(2024, 0, 1) + index * DAY_MS;
const DIPS = { left: { price: 'close' }, op: 'crosses_below', right: SMA };

test('tells the values of each condition and whether it holds', () => {
  const when = { all: [DIPS, { any: [{ left: SMA, op: 'gt', right: 50 }, { not: { weekday: ['sun'] } }] }] };
  const rules = {
    entries: [{ side: 'long', when, size: UNITS }],
    exits: [{ side: 'long', when: { bars_in_trade: 2 } }],
  };
  const { live, paper, advance } = paperOf(rules);
  advance(barsAt([100, 102, 104, 105]));
  expect(explain(live, { paper })).toEqual({
    at: day(3),
    evaluated: true,
    values: [
      { name: 'close', value: 105 },
      { name: 'SMA(3)', value: 311 / 3 },
    ],
    entries: [
      {
        side: 'long',
        holds: false,
        condition: {
          text: 'all of',
          holds: false,
          conditions: [
            { text: 'close = 105 crosses below SMA(3) = 103.667 (before: 104, 102)', holds: false },
            {
              text: 'any of',
              holds: true,
              conditions: [
                { text: 'SMA(3) = 103.667 > 50', holds: true },
                { text: 'not', holds: true, conditions: [{ text: 'the day is Sunday', holds: false }] },
              ],
            },
          ],
        },
      },
    ],
    exits: [
      {
        side: 'long',
        holds: false,
        condition: { text: 'the trade is at least 2 bars old (no trade)', holds: false },
        blocked: 'no long trade is open',
      },
    ],
  });
});

test('tells the values of movements, ranges, patterns and the open trade', () => {
  const isHigher = {
    left: { price: 'close' },
    op: 'gt',
    right: { multiply: [{ trade: 'highest_since_entry' }, 0.9] },
  };
  const isWithin = { value: { trade: 'percent_from_entry' }, between: [-1, { price: 'open' }] };
  const rules = {
    entries: [
      { side: 'long', when: { rising: { price: 'close' }, bars: 2 }, size: UNITS },
      { side: 'long', when: { pattern: 'hammer' }, size: UNITS },
    ],
    exits: [{ side: 'long', when: { all: [isHigher, isWithin] } }],
  };
  const { live, paper, advance } = paperOf(rules);
  const flat = [99, 99, 99, 99, 99, 99] as const;
  advance(barsAt([...flat, 100, 101, [102, 104, 102, 103]]));
  const { entries, exits, values } = explain(live, { paper });
  expect(entries.map(({ condition }) => condition)).toEqual([
    { text: 'close = 103 rises for 2 bars in a row (now 3)', holds: true },
    { text: 'a hammer forms', holds: false },
  ]);
  expect(exits.map(({ condition }) => condition.conditions)).toEqual([
    [
      { text: 'close = 103 > (highest since entry * 0.9) = 93.6', holds: true },
      { text: 'percent from entry = 0.980392 is between -1 and open = 102', holds: true },
    ],
  ]);
  expect(exits[0]?.holds).toBe(true);
  expect(values).toContainEqual({ name: 'percent from entry', value: 100 / 102 });
  const { decisions } = advance(barsAt([103], () => day(9)));
  expect(decisions.at(-1)?.text).toBe('sold 10 at 103: exit of the rules');
});

test('a program that was saved and restored explains its last bar as before', () => {
  const { live, advance } = paperOf({ entries: [{ side: 'long', when: DIPS, size: UNITS }] });
  advance(barsAt([100, 102, 104, 99]));
  const time = marketTimeOf(calendarById('always'));
  const restored = restoreProgram(live.rules, '1d', time, saveProgram(live));
  expect(explain(restored)).toEqual(explain(live));
  expect(explain(restored).entries[0]?.holds).toBe(true);
});

test('tells why an entry whose condition holds would not be placed', () => {
  const rules = {
    entries: [{ side: 'long', when: closeIs(100), size: UNITS }],
    exits: [{ side: 'long', when: { bars_in_trade: 1 } }],
    cooldown_bars: 3,
  };
  const bars = barsAt([99, 100, 100, 100, 100]);
  const { live, paper, advance } = paperOf(rules);
  const blocked: unknown[] = [];
  for (let index = 0; index < barCount(bars); index += 1) {
    advance(sliceBars(bars, index, index + 1));
    const [entry] = explain(live, { paper }).entries;
    blocked.push([entry?.holds, entry?.blocked]);
  }
  expect(blocked).toEqual([
    [false, 'indicators need more bars'],
    [true, 'an order waits'],
    [true, 'a trade is open'],
    [true, 'a trade is open'],
    [true, 'the account waits after its last trade'],
  ]);
  expect(explain(live, { isPaused: true }).entries[0]?.blocked).toBe('the deployment is paused');
});

test('decisions name the values that decided', () => {
  const rules = {
    entries: [{ side: 'long', when: DIPS, size: UNITS }],
    exits: [
      { side: 'long', when: { for_bars: 2, condition: { left: { price: 'close' }, op: 'gt', right: SMA } } },
    ],
    cooldown_bars: 5,
  };
  const { advance } = paperOf(rules, { account: { commission_fixed: 1 } });
  const { decisions } = advance(barsAt([100, 102, 104, 99, 98, 101, 103, 104, 100]));
  expect(decisions).toEqual([
    { at: day(3), text: 'close = 99 crosses below SMA(3) = 101.667 (before: 104, 102): buy' },
    { at: day(4), text: 'bought 10 at 98' },
    { at: day(6), text: 'for 2 bars in a row (now 2) (close = 103 > SMA(3) = 100.667): sell' },
    { at: day(7), text: 'sold 10 at 104: exit of the rules' },
    {
      at: day(8),
      text: 'close = 100 crosses below SMA(3) = 102.333 (before: 104, 102.667): no entry, the account waits after its last trade',
    },
  ]);
});

test('values that differ by less than six digits are shown in full', () => {
  const when = { left: { price: 'close' }, op: 'gt', right: { price: 'open' } };
  const { live, advance } = paperOf({ entries: [{ side: 'long', when, size: UNITS }] });
  advance(barsAt([100, [1000.001, 1000.003, 1000, 1000.002]]));
  expect(explain(live).entries[0]?.condition.text).toBe('close = 1000.002 > open = 1000.001');
});

test('an explanation holds exactly if the signal of the rules does', () => {
  let held = 0;
  fc.assert(
    fc.property(randomBacktests(1, 80), ({ input, bars: [bars] }) => {
      const time = input.legs[0]?.time;
      if (!bars || !time) throw new Error('the backtest has no leg');
      const live = startProgram(input.rules, input.timeframe, time);
      const { entries, exits, runs } = live.program.trading;
      const counts = new Float64Array(runs.length);
      for (let index = 0; index < barCount(bars); index += 1) {
        const { observations } = observeBars(live, sliceBars(bars, index, index + 1));
        const [observation] = observations;
        const isEvaluated = observation?.[EVALUATED] === 1;
        const signals = [...entries, ...exits].map(
          ({ signal }) => isEvaluated && signal(observation, undefined, 0, counts),
        );
        held += signals.filter(Boolean).length;
        const explained = explain(live);
        expect([...explained.entries, ...explained.exits].map(({ holds }) => holds)).toEqual(signals);
      }
    }),
    { numRuns: soakable(10, 1000), examples: [[tradingBacktest()]] },
  );
  expect(held).toBeGreaterThan(0);
});
