import fc from 'fast-check';
import { barCount, sliceBars } from '../../../../../shared/domain/candles/bars.ts';
import { observeBars } from '../../../../../shared/domain/engine/running/frames.ts';
import { signalsOf } from '../../../../../shared/domain/engine/running/program-signals.ts';
import {
  restoreProgram,
  saveProgram,
  startProgram,
} from '../../../../../shared/domain/engine/running/running-program.ts';
import { paperOf } from '../../../../support/papers.ts';
import { randomBacktests } from '../../../../support/random-backtests.ts';
import { barsAt } from '../../../../support/small-backtests.ts';
import { soakable } from '../../../../support/soak.ts';

const DAY_MS = 86_400_000;
const day = (index: number) => Date.UTC(2024, 0, 1) + index * DAY_MS;
const below = (right: number) => ({ left: { price: 'close' }, op: 'lt', right });
const above = (right: number) => ({ left: { price: 'close' }, op: 'gt', right });
const percent = (value: number) => ({ type: 'percent', percent: value });

const signalsOver = (rules: object, prices: Parameters<typeof barsAt>[0]) => {
  const { live } = paperOf(rules);
  return signalsOf(live, observeBars(live, barsAt(prices)), 'SPY');
};

test('an entry is signalled when it turns true, and the exit of the model position when it is decided', () => {
  const rules = {
    entries: [{ side: 'long', when: below(100) }],
    exits: [{ side: 'long', when: above(110) }],
  };
  expect(signalsOver(rules, [101, 102, 99, 98, 111, 112])).toEqual([
    {
      kind: 'entry',
      at: day(2),
      position: 2,
      symbol: 'SPY',
      side: 'buy',
      price: '99',
      title: 'Buy SPY at 99',
      body: 'Close = 99 < 100.',
    },
    {
      kind: 'exit',
      at: day(4),
      position: 4,
      symbol: 'SPY',
      side: 'sell',
      price: '111',
      title: 'Sell SPY at 111',
      body: 'Close = 111 > 110.',
      entered_at: day(3),
    },
  ]);
});

test('a stop is signalled at the price at which it fills', () => {
  const rules = { entries: [{ side: 'short', when: above(100), stop_loss: percent(10) }] };
  expect(
    signalsOver(rules, [99, 99, 101, 100, [100, 115, 99, 114]]).map(({ title, body }) => [title, body]),
  ).toEqual([
    ['Sell SPY short at 101', 'Close = 101 > 100.'],
    ['Buy back SPY at 110', 'Stop loss.'],
    ['Sell SPY short at 114', 'Close = 114 > 100.'],
  ]);
});

test('a reversal is one signal', () => {
  const rules = {
    entries: [
      { side: 'long', when: below(100) },
      { side: 'short', when: above(110) },
    ],
    reverse: true,
  };
  expect(signalsOver(rules, [101, 101, 99, 105, 111, 112]).map(({ title }) => title)).toEqual([
    'Buy SPY at 99',
    'Sell SPY short at 111',
  ]);
});

test('an order waits at the price that its signal names', () => {
  const rules = { entries: [{ side: 'long', when: below(100), limit: { percent: -10 } }] };
  expect(signalsOver(rules, [101, 101, 90, 90])).toMatchObject([
    { title: 'Buy SPY: limit at 81', price: '81' },
  ]);
});

test('signals are the same in any division of the bars, with restarts between', () => {
  fc.assert(
    fc.property(randomBacktests(1, 150), fc.integer({ min: 1, max: 40 }), ({ input, bars: [bars] }, size) => {
      const time = input.legs[0]?.time;
      if (!bars || !time) throw new Error('the backtest has no leg');
      const { rules, timeframe } = input;
      const whole = startProgram(rules, timeframe, time);
      const expected = signalsOf(whole, observeBars(whole, bars), 'X');
      let live = startProgram(rules, timeframe, time);
      const signals = [];
      for (let at = 0; at < barCount(bars); at += size) {
        signals.push(...signalsOf(live, observeBars(live, sliceBars(bars, at, at + size)), 'X'));
        live = restoreProgram(rules, timeframe, time, saveProgram(live));
      }
      const unplaced = (list: typeof expected) => list.map(({ position: _, ...signal }) => signal);
      expect(unplaced(signals)).toEqual(unplaced(expected));
    }),
    { numRuns: soakable(25, 700) },
  );
});
