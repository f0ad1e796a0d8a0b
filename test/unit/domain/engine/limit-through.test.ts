import { barsAt, closeIs, type Prices, smallBacktest } from '../../../support/small-backtests.ts';

const TICK = 0.5;
const LONG = { side: 'long', when: closeIs(100), size: { type: 'units', units: 10 } };
const SHORT = { ...LONG, side: 'short' };
const LONG_LIMIT = { entries: [{ ...LONG, limit: { percent: -2 }, valid_bars: 5 }] };
const SHORT_LIMIT = { entries: [{ ...SHORT, limit: { percent: -2 }, valid_bars: 5 }] };
const target = (entry: object) => ({ entries: [{ ...entry, take_profit: { type: 'percent', percent: 5 } }] });

/** Runs rules whose limits fill once the price has gone a tick through them. */
const run = (rules: object, bars: readonly Prices[]) =>
  smallBacktest(rules, barsAt(bars), { account: { limit_through: TICK } });
const entriesOf = ({ trades, open_trades }: ReturnType<typeof run>) =>
  [...trades, ...open_trades].map(({ entry_bar, entry_price }) => [entry_bar, entry_price]);
const exitsOf = ({ trades }: ReturnType<typeof run>) =>
  trades.map(({ exit_bar, exit_price, exit_reason }) => [exit_bar, exit_price, exit_reason]);

test.each<[string, object, Prices, Prices, Prices, number]>([
  ['long', LONG_LIMIT, [100, 101, 98, 99], [100, 101, 97.75, 99], [100, 101, 97.5, 99], 98],
  ['short', SHORT_LIMIT, [100, 102, 99, 101], [100, 102.25, 99, 101], [100, 102.5, 99, 101], 102],
])(
  'a %s limit that the price touches waits, and fills at its price one tick through',
  (_, rules, touch, part, through, price) => {
    expect(entriesOf(run(rules, [99, 100, touch, part]))).toEqual([]);
    expect(entriesOf(run(rules, [99, 100, touch, part, through]))).toEqual([[4, price]]);
    // Without the term a touch fills.
    expect(entriesOf(smallBacktest(rules, barsAt([99, 100, touch])))).toEqual([[2, price]]);
  },
);

test.each<[string, object, Prices, number, Prices, Prices, number]>([
  ['long', LONG_LIMIT, [97.5, 99, 97.5, 98.5], 97.5, [97.75, 99, 97.75, 98.5], [97.75, 99, 97.5, 98.5], 98],
  [
    'short',
    SHORT_LIMIT,
    [102.5, 102.5, 101, 101.5],
    102.5,
    [102.25, 102.25, 101, 101.5],
    [102.25, 102.5, 101, 101.5],
    102,
  ],
])(
  'a %s limit that an open has passed by a tick fills there; by less, it waits for the tick',
  (_, rules, beyond, open, near, later, price) => {
    expect(entriesOf(run(rules, [99, 100, beyond]))).toEqual([[2, open]]);
    expect(entriesOf(run(rules, [99, 100, near]))).toEqual([]);
    expect(entriesOf(run(rules, [99, 100, later]))).toEqual([[2, price]]);
  },
);

test.each<[string, object, Prices, Prices, number, Prices, number]>([
  ['long', LONG, [100, 105, 100, 101], [100, 105.5, 100, 101], 105, [106, 107, 106, 106], 106],
  ['short', SHORT, [100, 100, 95, 99], [100, 100, 94.5, 99], 95, [94, 94, 93, 94], 94],
])(
  'a target of a %s trade fills one tick through, and at an open beyond it',
  (_, entry, touch, through, price, gap, open) => {
    expect(exitsOf(run(target(entry), [99, 100, [100, 100, 100, 100], touch]))).toEqual([]);
    expect(exitsOf(run(target(entry), [99, 100, [100, 100, 100, 100], touch, through]))).toEqual([
      [4, price, 'take_profit'],
    ]);
    expect(exitsOf(run(target(entry), [99, 100, [100, 100, 100, 100], gap]))).toEqual([
      [3, open, 'take_profit'],
    ]);
  },
);

test('stops fill by a touch', () => {
  const rules = { entries: [{ ...LONG, stop_loss: { type: 'percent', percent: 5 } }] };
  expect(exitsOf(run(rules, [99, 100, [100, 100, 100, 100], [100, 100, 95, 99]]))).toEqual([
    [3, 95, 'stop_loss'],
  ]);
});
