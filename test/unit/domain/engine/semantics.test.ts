import { barsAt, closeIs, smallBacktest } from '../../../support/small-backtests.ts';

const UNITS = { type: 'units', units: 10 };
/** Entry at the open of the bar after a close of 100. */
const LONG = { side: 'long', when: closeIs(100), size: UNITS };
const SHORT = { ...LONG, side: 'short' };
const percent = (value: number) => ({ type: 'percent', percent: value });
const exitsOf = ({ trades }: ReturnType<typeof smallBacktest>) =>
  trades.map(({ exit_bar, exit_price, exit_reason }) => [exit_bar, exit_price, exit_reason]);
const entriesOf = ({ trades, open_trades }: ReturnType<typeof smallBacktest>) =>
  [...trades, ...open_trades].map(({ entry_bar, entry_price, quantity }) => [
    entry_bar,
    entry_price,
    quantity,
  ]);

test('a bar that holds both the stop and the target counts as stopped, and is counted', () => {
  const rules = { entries: [{ ...LONG, stop_loss: percent(5), take_profit: percent(5) }] };
  const result = smallBacktest(rules, barsAt([99, 100, 101, [101, 110, 90, 102], 102]));
  expect(exitsOf(result)).toEqual([[3, 101 * 0.95, 'stop_loss']]);
  expect(result.statistics).toMatchObject({ ambiguous_bars: 1, resolved_bars: 0 });
  expect(result.warnings).toContainEqual(expect.objectContaining({ code: 'ambiguous_bars', count: 1 }));
});

test('stops and targets that a bar opens beyond fill at its open, also in the entry bar of a market order', () => {
  const stopped = { entries: [{ ...LONG, stop_loss: percent(5) }] };
  expect(exitsOf(smallBacktest(stopped, barsAt([99, 100, 101, [90, 91, 89, 90]])))).toEqual([
    [3, 90, 'stop_loss'],
  ]);
  const target = { entries: [{ ...SHORT, take_profit: percent(5) }] };
  expect(exitsOf(smallBacktest(target, barsAt([99, 100, 101, [90, 91, 89, 90]])))).toEqual([
    [3, 90, 'take_profit'],
  ]);
  const gap = smallBacktest(stopped, barsAt([99, 100, [90, 91, 89, 90]]), {
    account: { stop_basis: 'signal_close' },
  });
  expect(exitsOf(gap)).toEqual([[2, 90, 'stop_loss']]);
});

test('excursions count the bars that a trade was held through, and its exit', () => {
  const excursions = ({ trades }: ReturnType<typeof smallBacktest>) =>
    trades.map(({ mae_pct, mfe_pct }) => [mae_pct, mfe_pct].map((value) => Math.round(value * 1e6) / 1e6));
  const stopped = { entries: [{ ...LONG, stop_loss: percent(10) }] };
  const held = [99, 100, [100, 108, 96, 101], [101, 150, 85, 140]] as const;
  // The bar of the stop may have reached its high after it.
  expect(excursions(smallBacktest(stopped, barsAt(held)))).toEqual([[10, 8]]);
  const short = { entries: [{ ...SHORT, stop_loss: percent(10) }] };
  expect(excursions(smallBacktest(short, barsAt(held)))).toEqual([[10, 4]]);
  const limit = { entries: [{ ...LONG, limit: { percent: -10 }, take_profit: percent(10) }] };
  // The bar of the limit may have had its high before it.
  expect(
    excursions(smallBacktest(limit, barsAt([99, 100, [100, 108, 90, 91.8], [92, 120, 81, 100]]))),
  ).toEqual([[0, 10]]);
});

test('a limit entry fills at its price or a better open, and its stop in the entry bar if the bar reaches it', () => {
  const rules = { entries: [{ ...LONG, limit: { percent: -2 }, stop_loss: percent(1) }] };
  const touched = smallBacktest(rules, barsAt([99, 100, [100, 101, 97, 98], [98, 98, 90, 95]]));
  expect(entriesOf(touched)).toEqual([[2, 98, 10]]);
  expect(exitsOf(touched)).toEqual([[2, 98 * 0.99, 'stop_loss']]);
  expect(touched.statistics?.ambiguous_bars).toBe(0);
  expect(entriesOf(smallBacktest(rules, barsAt([99, 100, [96, 97, 96, 97]])))).toEqual([[2, 96, 10]]);
});

test('limits and stops of shorts are the mirror image', () => {
  const limit = { entries: [{ ...SHORT, limit: { percent: -2 } }] };
  expect(entriesOf(smallBacktest(limit, barsAt([99, 100, [100, 103, 100, 101]])))).toEqual([[2, 102, 10]]);
  const stop = { entries: [{ ...SHORT, stop: { percent: 1 } }] };
  expect(entriesOf(smallBacktest(stop, barsAt([99, 100, [100, 100, 98.5, 99]])))).toEqual([[2, 99, 10]]);
});

test('the target of a stop entry fills in the entry bar unless the bar reaches its stop, which is worse', () => {
  const rules = {
    entries: [{ ...LONG, stop: { percent: 1 }, stop_loss: percent(5), take_profit: percent(4) }],
  };
  const clear = smallBacktest(rules, barsAt([99, 100, [100, 110, 99, 109]]));
  expect(exitsOf(clear)).toEqual([[2, 101 * 1.04, 'take_profit']]);
  const touching = smallBacktest(rules, barsAt([99, 100, [100, 110, 95, 101], 101]));
  expect(exitsOf(touching)).toEqual([[2, 101 * 0.95, 'stop_loss']]);
  expect(touching.statistics?.ambiguous_bars).toBe(1);
});

test('an order expires after its bars and makes way for another', () => {
  const rules = { entries: [{ ...LONG, limit: { percent: -10 }, valid_bars: 2 }] };
  const result = smallBacktest(rules, barsAt([99, 100, 100, 100, 100, 89, 88]));
  expect(result.cancelled_orders).toEqual({ expired: 1 });
  expect(entriesOf(result)).toEqual([[5, 89, 10]]);
});

test('an exit closes its portion, rounded half to even and at least one step, with its part of the fee', () => {
  const rules = {
    entries: [{ ...LONG, size: { type: 'units', units: 5 } }],
    exits: [{ side: 'long', when: closeIs(110), portion: 0.5 }],
  };
  const result = smallBacktest(rules, barsAt([99, 100, 100, 110, 110, 110, 110, 110, 105]), {
    account: { commission_fixed: 5 },
  });
  expect(result.trades.map(({ quantity, fees }) => [quantity, fees])).toEqual([
    [2, 7],
    [2, 7],
    [1, 6],
  ]);
});

test('no entry is placed during the cooldown', () => {
  const rules = {
    entries: [LONG],
    exits: [{ side: 'long', when: { bars_in_trade: 1 } }],
    cooldown_bars: 2,
  };
  const bars = barsAt(Array.from({ length: 12 }, () => 100));
  // Signal 1, entry 2, exit 4, no signal at the closes of 4 and 5.
  expect(entriesOf(smallBacktest(rules, bars)).map(([bar]) => bar)).toEqual([2, 7]);
});

test('an exit after a number of bars looks at the oldest trade of its side', () => {
  const rules = {
    entries: [{ ...LONG, size: { type: 'units', units: 1 } }],
    exits: [{ side: 'long', when: { bars_in_trade: 3 } }],
    pyramid: true,
    max_trades: 2,
  };
  const result = smallBacktest(rules, barsAt(Array.from({ length: 9 }, () => 100)));
  expect(result.trades.slice(0, 2).map(({ entry_bar, exit_bar }) => [entry_bar, exit_bar])).toEqual([
    [2, 6],
    [3, 6],
  ]);
});

test('a count of bars in a row may look at the trade', () => {
  const rules = {
    entries: [LONG],
    exits: [{ side: 'long', when: { for_bars: 3, condition: { bars_in_trade: 2 } } }],
  };
  expect(exitsOf(smallBacktest(rules, barsAt([99, 100, 101, 101, 101, 101, 101, 101, 101])))).toEqual([
    [7, 101, 'exit'],
  ]);
});

test('orders without money for a unit, or for their size, are cancelled with the reason', () => {
  const bars = barsAt([99, 100, 100]);
  const all = { entries: [{ side: 'long', when: closeIs(100) }] };
  const poor = smallBacktest(all, bars, { account: { starting_capital: 50 } });
  expect(poor.cancelled_orders).toEqual({ too_small: 1 });
  expect(poor.warnings).toContainEqual(expect.objectContaining({ code: 'capital_too_small' }));
  const many = { entries: [{ ...LONG, size: { type: 'units', units: 101 } }] };
  expect(smallBacktest(many, bars).cancelled_orders).toEqual({ insufficient_funds: 1 });
});

test('an order of more steps than a safe integer is cancelled: returns cannot grow beyond all bounds', () => {
  const rules = { entries: [{ side: 'long', when: closeIs(100) }] };
  const account = { starting_capital: 1e15, size_step: 1e-12, margin: 1e-4 };
  const result = smallBacktest(rules, barsAt([99, 100, 100]), { account });
  expect(result.cancelled_orders).toEqual({ insufficient_funds: 1 });
});

test('holding a symbol from a price of zero has no return', () => {
  const result = smallBacktest({ entries: [LONG] }, barsAt([0, 0, 100, 101]));
  expect(result.benchmark.return_pct).toBeNull();
  expect(result.benchmark.equity.map(({ equity }) => equity)).toEqual([10_000, 10_000, 10_000]);
});

test('all liquidity pays for the spread and for fees, a smallest fee included', () => {
  const all = { entries: [{ side: 'long', when: closeIs(100) }] };
  const quantityWith = (account: object) =>
    smallBacktest(all, barsAt([99, 100, 100, 100]), { account }).open_trades[0]?.quantity;
  expect(quantityWith({})).toBe(100);
  expect(quantityWith({ starting_capital: 9_999 })).toBe(99);
  expect(quantityWith({ commission_fixed: 100 })).toBe(99);
  expect(quantityWith({ commission_min: 150 })).toBe(98);
  expect(quantityWith({ spread_rate: 0.01, commission_rate: 0.01 })).toBe(98);
  expect(quantityWith({ margin: 0.5 })).toBe(200);
  expect(quantityWith({ contract_size: 10 })).toBe(10);
});

test('a size by risk divides the risk by the distance of the stop', () => {
  const rules = {
    entries: [
      { ...LONG, size: { type: 'risk_percent', percent: 1 }, stop_loss: { type: 'points', points: 4 } },
    ],
  };
  expect(entriesOf(smallBacktest(rules, barsAt([99, 100, 100])))).toEqual([[2, 100, 25]]);
});

test('slippage worsens market and stop fills, not limits and targets', () => {
  const account = { slippage_rate: 0.01 };
  const market = { entries: [{ ...LONG, stop_loss: { type: 'points', points: 11 } }] };
  const stopped = smallBacktest(market, barsAt([99, 100, 100, [100, 100, 80, 85]]), { account });
  expect(entriesOf(stopped)).toEqual([[2, 101, 10]]);
  expect(exitsOf(stopped)).toEqual([[3, 90 * 0.99, 'stop_loss']]);
  const limit = {
    entries: [{ ...LONG, limit: { percent: -1 }, take_profit: { type: 'points', points: 1 } }],
  };
  const filled = smallBacktest(limit, barsAt([99, 100, [100, 100, 98, 99], [99, 101, 99, 100]]), { account });
  expect(entriesOf(filled)).toEqual([[2, 99, 10]]);
  expect(exitsOf(filled)).toEqual([[3, 100, 'take_profit']]);
});

test('a trailing stop moves at a close and is valid from the next bar', () => {
  const rules = { entries: [{ ...LONG, trailing_stop: { type: 'points', points: 5 } }] };
  const result = smallBacktest(
    rules,
    barsAt([99, 100, [100, 120, 90, 110], [110, 112, 106, 107], [106, 106, 104, 105]]),
  );
  expect(exitsOf(result)).toEqual([[4, 105, 'trailing_stop']]);
});

const HOUR_MS = 3_600_000;
/** Hours of two New York sessions: 9:00 to 15:00 on a Monday and a Tuesday. */
const hourOf = (index: number) => Date.UTC(2024, 0, 8 + Math.floor(index / 7), 14) + (index % 7) * HOUR_MS;
const hours = (prices: readonly number[]) => barsAt(prices, hourOf);
const INTRADAY = { timeframe: '1h', calendar: 'us' } as const;

test('squaring off closes at the next bar, or at the close of the last bar of the session', () => {
  const bars = hours([99, 100, 101, 102, 103, 104, 105, 106, 107]);
  const rules = (square_off: string) => ({ entries: [LONG], session: { square_off } });
  expect(exitsOf(smallBacktest(rules('12:00'), bars, INTRADAY))).toEqual([[4, 103, 'square_off']]);
  expect(exitsOf(smallBacktest(rules('15:55'), bars, INTRADAY))).toEqual([[6, 105, 'square_off']]);
});

test('a session whose last bars are missing is squared off at the next open', () => {
  const bars = barsAt([99, 100, 101, 102, 90, 91], (index) => hourOf(index < 4 ? index : index + 3));
  const result = smallBacktest({ entries: [LONG], session: { square_off: '15:55' } }, bars, INTRADAY);
  expect(exitsOf(result)).toEqual([[4, 90, 'square_off']]);
});

test('closes that were requested in a session whose last bars are missing are booked at the close of their signal', () => {
  const bars = barsAt([99, 100, 101, 102, 90, 91], (index) => hourOf(index < 4 ? index : index + 3));
  const options = { ...INTRADAY, account: { fill_at: 'signal_close' } } as const;
  const squared = { entries: [LONG], session: { square_off: '12:00' } };
  expect(exitsOf(smallBacktest(squared, bars, options))).toEqual([[3, 102, 'square_off']]);
  const exit = { side: 'long', when: closeIs(102) };
  const left = { entries: [LONG], exits: [exit], session: { square_off: '15:55' } };
  expect(exitsOf(smallBacktest(left, bars, options))).toEqual([[3, 102, 'exit']]);
});

test('squaring off cancels orders, and none is placed until the next session', () => {
  const bars = hours([99, 99, 99, 100, 100, 100, 100, 98, 98]);
  const rules = { entries: [{ ...LONG, limit: { percent: -1 } }], session: { square_off: '13:00' } };
  const result = smallBacktest(rules, bars, INTRADAY);
  expect(result.cancelled_orders).toEqual({ square_off: 1 });
  expect(entriesOf(result)).toEqual([]);
});

test('entries keep to the weekdays and times of the exchange', () => {
  const rules = { entries: [LONG], session: { weekdays: ['tue'], entries: ['10:00', '11:00'] } };
  const result = smallBacktest(rules, hours(Array.from({ length: 14 }, () => 100)), INTRADAY);
  expect(entriesOf(result).map(([bar]) => bar)).toEqual([9]);
});

test('a weekly value shows on Friday, or on the next bar without a Friday', () => {
  const rules = {
    entries: [
      { ...LONG, when: { left: { indicator: 'sma', length: 1, timeframe: '1w' }, op: 'gt', right: 100 } },
    ],
  };
  const weekdays = (index: number) => Date.UTC(2024, 0, 1 + Math.floor(index / 5) * 7 + (index % 5));
  const prices = [90, 90, 90, 90, 90, 101, 101, 101, 101, 101, 101];
  const options = { calendar: 'weekdays:UTC' };
  expect(entriesOf(smallBacktest(rules, barsAt(prices, weekdays), options))).toEqual([[10, 101, 10]]);
  const withoutFriday = (index: number) => weekdays(index < 9 ? index : index + 1);
  expect(entriesOf(smallBacktest(rules, barsAt([...prices, 102], withoutFriday), options))).toEqual([
    [10, 101, 10],
  ]);
});

test('a week of a market that never closes is Monday to Sunday: its value shows on Sunday', () => {
  const rules = {
    entries: [
      { ...LONG, when: { left: { indicator: 'sma', length: 1, timeframe: '1w' }, op: 'gt', right: 100 } },
    ],
  };
  const weeks = [90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 101, 102, 103];
  expect(entriesOf(smallBacktest(rules, barsAt(weeks), { calendar: 'always' }))).toEqual([[14, 102, 10]]);
});

test('a value of a higher timeframe on intraday bars shows with the last bar of the session', () => {
  const rules = {
    entries: [
      { ...LONG, when: { left: { indicator: 'sma', length: 1, timeframe: '1d' }, op: 'gt', right: 100 } },
    ],
  };
  const result = smallBacktest(
    rules,
    hours([90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 101]),
    INTRADAY,
  );
  expect(entriesOf(result)).toEqual([]);
  const held = smallBacktest(
    rules,
    hours([90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90, 101, 105, 106]),
    INTRADAY,
  );
  expect(entriesOf(held)).toEqual([[14, 105, 10]]);
});

const swap = {
  contract_size: 1,
  tick_size: 0.01,
  digits: 2,
  swap_long: -1,
  swap_short: 2,
  swap_calculation: 'points',
  triple_swap_weekday: 'wednesday',
} as const;

test('swap is charged at the first bar after 17:00 in New York, three nights on its weekday', () => {
  const rules = { entries: [LONG] };
  // Monday to Friday at midnight UTC: the entry is on Wednesday, the rollovers of Wednesday and Thursday follow.
  const result = smallBacktest(rules, barsAt([99, 100, 100, 100, 100]), { account: { swap } });
  expect(result.equity.map(({ equity }) => Number((equity - 10_000).toFixed(9)))).toEqual([
    0, 0, 0, -0.3, -0.4,
  ]);
  const booked = smallBacktest(rules, barsAt([99, 100, 100, 100, 100]), {
    account: { swap, fill_at: 'signal_close' },
  });
  expect(booked.open_trades[0]?.pnl).toBeCloseTo(-0.4, 9);
});

test('swap is charged for the night after a session whose last bars are missing', () => {
  const bars = barsAt([99, 100, 101, 102, 90, 91], (index) => hourOf(index < 4 ? index : index + 3));
  const rules = { entries: [LONG], session: { square_off: '15:55' } };
  const result = smallBacktest(rules, bars, { ...INTRADAY, account: { swap } });
  expect(result.trades).toEqual([expect.objectContaining({ exit_bar: 4, swap: expect.closeTo(-0.1, 9) })]);
});

const ALL = { ...LONG, size: { type: 'equity_percent', percent: 100 } };

test('by the convention of backtesting.py, an account that is used up is closed at that close and stays at zero', () => {
  const account = { margin: 0.1, entry_bar: 'next_bar' } as const;
  const result = smallBacktest({ entries: [ALL] }, barsAt([99, 100, 100, 80, 100, 100]), { account });
  expect(exitsOf(result)).toEqual([[3, 80, 'ruin']]);
  expect(result.equity.map(({ equity }) => equity)).toEqual([10_000, 10_000, 10_000, 0, 0, 0]);
  expect(result.ruined).toBe(true);
  expect(result.statistics?.final_equity).toBe(0);
});

test('the price at which nothing is left liquidates within the bar, even if its close is higher', () => {
  const account = { margin: 0.1 };
  const bars = barsAt([99, 100, 100, [100, 101, 85, 100], 100]);
  const result = smallBacktest({ entries: [ALL] }, bars, { account });
  expect(exitsOf(result)).toEqual([[3, 90, 'liquidated']]);
  expect(result.equity.map(({ equity }) => equity)).toEqual([10_000, 10_000, 10_000, 0, 0]);
  expect(result.ruined).toBe(true);
});

test('a gap beyond the liquidation leaves negative equity and a return of -100 %', () => {
  const bars = barsAt([99, 100, 100, [80, 100, 80, 100], 100]);
  const result = smallBacktest({ entries: [ALL] }, bars, { account: { margin: 0.1 } });
  expect(exitsOf(result)).toEqual([[3, 80, 'liquidated']]);
  expect(result.equity.map(({ equity }) => equity)).toEqual([10_000, 10_000, 10_000, -10_000, -10_000]);
  expect(result.statistics).toMatchObject({
    total_return_pct: -100,
    cagr_pct: -100,
    max_drawdown_equity_pct: 100,
    max_drawdown_pct: 100,
    final_equity: -10_000,
  });
  expect(result.warnings).toContainEqual(expect.objectContaining({ code: 'ruined' }));
});

test('a stop before the liquidation fills, one behind it does not', () => {
  const bars = barsAt([99, 100, 100, [100, 101, 85, 100], 100]);
  const account = { margin: 0.1 };
  const near = smallBacktest({ entries: [{ ...ALL, stop_loss: percent(5) }] }, bars, { account });
  expect(exitsOf(near)).toEqual([[3, 95, 'stop_loss']]);
  const far = smallBacktest({ entries: [{ ...ALL, stop_loss: percent(12) }] }, bars, { account });
  expect(exitsOf(far)).toEqual([[3, 90, 'liquidated']]);
});

test('maintenance liquidates while something is left, and the account goes on with it', () => {
  const bars = barsAt([99, 100, 100, [100, 101, 94, 99], 99]);
  const long = smallBacktest({ entries: [ALL] }, bars, { account: { margin: 0.1, maintenance: 0.05 } });
  // 10,000 + 1,000 · (p − 100) = 0.05 · 1,000 · p
  expect(exitsOf(long)).toEqual([[3, expect.closeTo(90_000 / 950, 9), 'liquidated']]);
  expect(long.ruined).toBe(false);
  expect(long.statistics?.final_equity).toBeCloseTo(0.05 * 1000 * (90_000 / 950), 6);
  const rising = barsAt([99, 100, 100, [100, 106, 99, 101], 101]);
  const short = { entries: [{ ...ALL, side: 'short' }] };
  const squeezed = smallBacktest(short, rising, { account: { margin: 0.1, maintenance: 0.05 } });
  // 10,000 − 1,000 · (p − 100) = 0.05 · 1,000 · p
  expect(exitsOf(squeezed)).toEqual([[3, expect.closeTo(110_000 / 1050, 9), 'liquidated']]);
});

test('an account without borrowed money is liquidated by a short that doubles, never by a long', () => {
  const short = { entries: [{ ...ALL, side: 'short' }] };
  const doubled = smallBacktest(short, barsAt([99, 100, 100, [100, 230, 90, 100]]));
  expect(exitsOf(doubled)).toEqual([[3, 200, 'liquidated']]);
  const crash = smallBacktest({ entries: [ALL] }, barsAt([99, 100, 100, [100, 100, 0.01, 50]]));
  expect(exitsOf(crash)).toEqual([]);
});

test('stops of several trades that come before the liquidation move it', () => {
  const add = { ...LONG, size: { type: 'units', units: 500 } };
  const rules = { entries: [{ ...add, stop_loss: percent(5) }], pyramid: true, max_trades: 2 };
  const bars = barsAt([99, 100, 100, 100, [100, 100, 89.5, 95], 95]);
  const result = smallBacktest(rules, bars, { account: { margin: 0.1 } });
  expect(exitsOf(result)).toEqual([
    [4, 95, 'stop_loss'],
    [4, 95, 'stop_loss'],
  ]);
  const fewer = { ...LONG, size: { type: 'units', units: 450 } };
  // The first entry has no stop; with both, nothing is left at 89.9, and with one at 83.8.
  const mixed = {
    entries: [
      { ...fewer, when: closeIs(100) },
      { ...fewer, when: closeIs(101), stop_loss: percent(5) },
    ],
    pyramid: true,
    max_trades: 2,
  };
  const held = smallBacktest(mixed, barsAt([99, 100, 101, 101, [101, 101, 89.5, 95], 95]), {
    account: { margin: 0.1 },
  });
  expect(exitsOf(held)).toEqual([[4, 101 * 0.95, 'stop_loss']]);
});

test('the stop of a trade that entered within the bar moves the liquidation of the trades before', () => {
  const rulesOf = (side: 'long' | 'short', second: number) => ({
    entries: [
      { side, when: closeIs(100), size: { type: 'units', units: 500 } },
      {
        side,
        when: closeIs(second),
        size: { type: 'units', units: 400 },
        limit: { percent: -1 },
        stop_loss: percent(5),
      },
    ],
    pyramid: true,
    max_trades: 2,
  });
  const account = { margin: 0.1 };
  // Alone, the first trade is liquidated at 80; with the loss of the second one at 100 − (10,000 − 400 · 4.9995) / 500.
  const falling = barsAt([99, 100, [100, 101, 100, 101], [101, 101, 82, 95], 95]);
  const long = smallBacktest(rulesOf('long', 101), falling, { account });
  expect(exitsOf(long)).toEqual([
    [3, expect.closeTo(99.99 * 0.95, 9), 'stop_loss'],
    [3, expect.closeTo(83.9996, 9), 'liquidated'],
  ]);
  expect(long.statistics?.ambiguous_bars).toBe(0);
  const rising = barsAt([101, 100, [100, 100, 99, 99], [99, 118, 99, 105], 105]);
  const short = smallBacktest(rulesOf('short', 99), rising, { account });
  expect(exitsOf(short)).toEqual([
    [3, expect.closeTo(99.99 * 1.05, 9), 'stop_loss'],
    [3, expect.closeTo(116.0004, 9), 'liquidated'],
  ]);
});

test('a liquidation that the costs of a stop cause fills no better than the stop', () => {
  const rules = {
    entries: [
      { ...LONG, size: { type: 'units', units: 500 } },
      { ...LONG, when: closeIs(101), size: { type: 'units', units: 100 }, stop_loss: percent(5) },
    ],
    pyramid: true,
    max_trades: 2,
  };
  const bars = barsAt([99, 100, [100, 101, 100, 101], 100, [100, 100, 90, 98]]);
  const result = smallBacktest(rules, bars, { account: { margin: 0.02, commission_fixed: 2500 } });
  expect(exitsOf(result)).toEqual([
    [4, 95, 'stop_loss'],
    [4, 95, 'liquidated'],
  ]);
});

test('an open that has passed the target fills it, though the bar reaches the stop later', () => {
  const rules = { entries: [{ ...LONG, stop_loss: percent(5), take_profit: percent(5) }] };
  const bars = barsAt([99, 100, 100, [107, 108, 90, 100]]);
  const result = smallBacktest(rules, bars);
  expect(exitsOf(result)).toEqual([[3, 107, 'take_profit']]);
  expect(result.statistics?.ambiguous_bars).toBe(0);
  expect(exitsOf(smallBacktest(rules, bars, { account: { entry_bar: 'next_bar' } }))).toEqual([
    [3, 95, 'stop_loss'],
  ]);
});

test('a limit entry that the open has passed has all of the bar after it', () => {
  const rules = { entries: [{ ...LONG, limit: { percent: -2 }, take_profit: percent(5) }] };
  const passed = smallBacktest(rules, barsAt([99, 100, [96, 104, 95, 97]]));
  expect(exitsOf(passed)).toEqual([[2, 96 * 1.05, 'take_profit']]);
  const reached = smallBacktest(rules, barsAt([99, 100, [100, 104, 95, 97], 97]));
  expect(exitsOf(reached)).toEqual([]);
  expect(reached.statistics?.ambiguous_bars).toBe(1);
});

test('percentages of prices below zero count by the absolute value, and costs are against the trader', () => {
  const rules = {
    entries: [{ ...LONG, when: closeIs(-10), stop_loss: percent(5), take_profit: percent(10) }],
  };
  const account = { slippage_rate: 0.01, spread_rate: 0.01, commission_rate: 0.001 };
  const [up] = smallBacktest(rules, barsAt([-11, -10, -10, [-10, -8, -10, -8]]), { account }).trades;
  const entry = -10 * 0.99 * 0.99;
  expect(up).toMatchObject({ entry_price: expect.closeTo(entry, 9), exit_reason: 'take_profit' });
  expect(up?.exit_price).toBeCloseTo(entry * 0.9, 9);
  const [down] = smallBacktest(rules, barsAt([-11, -10, -10, [-10, -10, -12, -12]]), { account }).trades;
  expect(down).toMatchObject({ exit_reason: 'stop_loss' });
  expect(down?.exit_price).toBeCloseTo(entry * 1.05 * 1.01, 9);
  expect(down?.fees).toBeGreaterThan(0);
  const limit = { entries: [{ ...LONG, when: closeIs(-10), limit: { percent: -5 } }] };
  expect(entriesOf(smallBacktest(limit, barsAt([-11, -10, [-10, -9, -11, -10]])))).toEqual([[2, -10.5, 10]]);
});

test('no exit precedes its entry at the end of the data', () => {
  const entered = { entries: [{ ...LONG, limit: { percent: -5 } }] };
  const bars = barsAt([99, 100, 99, [99, 100, 94, 98]]);
  const options = (fill_at: 'next_open' | 'signal_close') =>
    ({ account: { fill_at, close_at_end: 'last_open' } }) as const;
  for (const fill_at of ['next_open', 'signal_close'] as const) {
    const { trades, open_trades } = smallBacktest(entered, bars, options(fill_at));
    expect(trades).toEqual([]);
    expect(open_trades).toMatchObject([{ entry_bar: 3, entry_price: 95, mark: 98 }]);
  }
});

test('at the end of the data, an order of the last close gains nothing from the bar before it', () => {
  const account = { close_at_end: 'last_open' } as const;
  const limit = { ...LONG, limit: { percent: -2 }, take_profit: percent(5) };
  const waiting = smallBacktest({ entries: [limit] }, barsAt([99, 99, [99, 106, 90, 100]]), { account });
  expect(entriesOf(waiting)).toEqual([]);
  expect(waiting.equity.at(-1)?.equity).toBe(10_000);
  const market = { ...LONG, stop_loss: percent(5), take_profit: percent(2) };
  const open = smallBacktest({ entries: [market] }, barsAt([99, 99, [99, 106, 98, 100]]), { account });
  expect(exitsOf(open)).toEqual([]);
  expect(open.open_trades).toMatchObject([{ entry_bar: 2, entry_price: 99 }]);
});

test('with fills at the close of the signal, a further entry is booked before the stops of the next bar', () => {
  const rules = {
    entries: [
      { ...LONG, when: closeIs(100), stop_loss: percent(5) },
      { ...LONG, when: closeIs(101), size: { type: 'equity_percent', percent: 50 } },
    ],
    pyramid: true,
    max_trades: 2,
  };
  // At the close of 101 the first trade has won 10, and the rest of the money buys half of what is left.
  const result = smallBacktest(rules, barsAt([99, 100, 101, [50, 51, 50, 50]]), {
    account: { fill_at: 'signal_close' },
  });
  expect(exitsOf(result)).toEqual([[3, 50, 'stop_loss']]);
  expect(result.open_trades).toMatchObject([{ entry_bar: 2, entry_price: 101, quantity: 44 }]);
});

test('a quotient that is a whole step but for rounding is that step', () => {
  const quantityOf = (size: object, price: number, account: object) =>
    smallBacktest(
      { entries: [{ ...LONG, when: closeIs(price), size, stop_loss: percent(10) }] },
      barsAt([1, price, price, price]),
      {
        account,
      },
    ).open_trades[0]?.quantity;
  expect(quantityOf({ type: 'cash', cash: 5000 }, 25, { size_step: 0.001 })).toBeCloseTo(200, 9);
  expect(quantityOf({ type: 'equity_percent', percent: 100 }, 25, { size_step: 0.001 })).toBeCloseTo(400, 9);
  expect(quantityOf({ type: 'units', units: 0.3 }, 25, { size_step: 0.1 })).toBeCloseTo(0.3, 12);
  expect(quantityOf({ type: 'risk_percent', percent: 3 }, 100, { size_step: 0.1 })).toBeCloseTo(30, 9);
});

test('sides that are not allowed are left out with a warning', () => {
  const rules = { entries: [SHORT, LONG] };
  const result = smallBacktest(rules, barsAt([99, 100, 100]), { account: { direction: 'long' } });
  expect(result.open_trades.map(({ side }) => side)).toEqual(['long']);
  expect(result.warnings).toContainEqual(expect.objectContaining({ code: 'side_not_allowed' }));
});

test('a comparison with a missing value is false, and so is its opposite', () => {
  const rules = {
    entries: [
      { ...LONG, when: { left: { divide: [1, 0] }, op: 'gt', right: 0 } },
      { ...SHORT, when: { left: { divide: [1, 0] }, op: 'lte', right: 0 } },
    ],
  };
  expect(entriesOf(smallBacktest(rules, barsAt([100, 100, 100])))).toEqual([]);
});

test('rules that never see enough bars are told so', () => {
  const rules = {
    entries: [{ ...LONG, when: { left: { indicator: 'sma', length: 50 }, op: 'gt', right: 0 } }],
  };
  const result = smallBacktest(rules, barsAt([100, 100, 100]));
  expect(result.first_evaluated_bar).toBeNull();
  expect(result.statistics?.buy_and_hold_pct).toBeNull();
  expect(result.warnings).toContainEqual(
    expect.objectContaining({ code: 'never_evaluated', symbols: ['X'] }),
  );
});

test('an operand of a smaller timeframe is refused', () => {
  const rules = {
    entries: [
      { ...LONG, when: { left: { indicator: 'sma', length: 5, timeframe: '1h' }, op: 'gt', right: 0 } },
    ],
  };
  expect(() => smallBacktest(rules, barsAt([100]))).toThrow('the timeframe 1h is smaller than 1d');
});
