const sma = (length: unknown) => ({ indicator: 'sma', length });
const close = { price: 'close' };
const longWhile = (op: 'gt' | 'crosses_above', left: object, right: object) => ({
  entries: [{ side: 'long', when: { left, op, right } }],
  exits: [{ side: 'long', when: { left, op: op === 'gt' ? 'lt' : 'crosses_below', right } }],
});

const fridayEvening = (op: 'gt' | 'lt') => ({
  all: [
    { weekday: ['fri'] },
    { time: ['20:00', '23:59'] },
    { left: { indicator: 'roc', length: 6 }, op, right: 0 },
  ],
});
const sundayEvening = { all: [{ weekday: ['sun'] }, { time: ['20:00', '23:59'] }] };
const band = (output: string) => ({ indicator: 'bollinger', length: 20, deviations: 2, output });

/** Rules of demo strategies, by their name. The other strategies run on engines outside of the service. */
export const DEMO_RULES: Readonly<Record<string, object>> = {
  'My First Crossover': {
    schema: 'hub.rules/1',
    params: { fast: { default: 20, min: 5, max: 100 }, slow: { default: 50, min: 10, max: 300 } },
    ...longWhile('crosses_above', sma({ param: 'fast' }), sma({ param: 'slow' })),
  },
  'Apple Trend Follower': {
    schema: 'hub.rules/1',
    params: { length: { default: 100, min: 20, max: 300 } },
    ...longWhile('gt', close, sma({ param: 'length' })),
  },
  'SPY Golden Cross': {
    schema: 'hub.rules/1',
    ...longWhile('crosses_above', sma(50), sma(200)),
  },
  'Ether Mean Reversion': {
    schema: 'hub.rules/1',
    entries: [{ side: 'long', when: { left: close, op: 'crosses_below', right: band('lower') } }],
    exits: [{ side: 'long', when: { left: close, op: 'gte', right: band('middle') } }],
  },
  'Bitcoin Weekend Momentum': {
    schema: 'hub.rules/1',
    entries: [
      { side: 'long', when: fridayEvening('gt') },
      { side: 'short', when: fridayEvening('lt') },
    ],
    exits: [
      { side: 'long', when: sundayEvening },
      { side: 'short', when: sundayEvening },
    ],
  },
};

/** A backtest of the demo user. */
export interface DemoBacktest {
  readonly strategy: string;
  readonly params?: Readonly<Record<string, number>>;
  readonly from?: string;
  readonly account: Readonly<Record<string, number | string>>;
}

const SHARES = { starting_capital: 25_000, commission_per_unit: 0.005, commission_min: 1 };

/** Backtests of the demo user, oldest first. The shipped candles end in 2018 and 2021. */
export const DEMO_BACKTESTS: readonly DemoBacktest[] = [
  { strategy: 'Apple Trend Follower', account: SHARES },
  { strategy: 'Apple Trend Follower', params: { length: 200 }, account: SHARES },
  { strategy: 'SPY Golden Cross', from: '2000-01-01', account: SHARES },
  {
    strategy: 'My First Crossover',
    account: { starting_capital: 10_000, spread_rate: 0.0001, financing: 'instrument' },
  },
];
