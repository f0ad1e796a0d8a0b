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
