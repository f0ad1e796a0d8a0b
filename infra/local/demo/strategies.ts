import {
  aboveAverage,
  averageCross,
  bandReversion,
  channelBreakout,
  macdSwing,
  shortSetback,
  supertrendLong,
  supertrendReversal,
  turnaroundTuesday,
} from './rules.ts';

/** Says who can see a demo strategy. */
type Audience = 'explore' | 'profile' | 'link' | 'owner';

/** A run on paper over the end of the recorded candles. */
interface PaperRun {
  /** First day of the candles that it trades. */
  readonly from: string;
  /** Commission as a part of the price. */
  readonly commission_rate: string;
}

export interface DemoStrategy {
  readonly name: string;
  readonly description: string;
  readonly symbol: string;
  readonly timeframe: string;
  readonly audience: Audience;
  readonly rules: object;
  /** Its age in days; of one that ran on paper, its age {@link VISITED_AGE} days after it began to run. */
  readonly age: number;
  readonly paper?: PaperRun;
}

export interface DemoAuthor {
  readonly name: string;
  readonly email: string;
  readonly strategies: readonly DemoStrategy[];
  /** Names of strategies of others. */
  readonly likes: readonly string[];
}

/** Returns whether a strategy trades on the demo market. */
export const isOfMarket = ({ symbol }: DemoStrategy): boolean => symbol.endsWith('.DEMO');

const DAY_MS = 24 * 3_600_000;

/** Moment at which everybody had registered. */
export const REGISTERED_AT = Date.parse('2016-01-04T09:00:00Z');
/** Days ago at which people liked, copied, tested and ran strategies. */
export const VISITED_AGE = 98;

/**
 * Returns when a strategy was made and published: one that ran on paper before its run, so that recorded candles follow
 * and its track record has figures.
 */
export const madeAt = ({ age, paper }: Pick<DemoStrategy, 'age' | 'paper'>, now: number): number =>
  paper ? Date.parse(paper.from) - (age - VISITED_AGE) * DAY_MS : now - age * DAY_MS;

/** Runs over the same candles begin together. */
const SHARES: PaperRun = { from: '2019-01-01', commission_rate: '0.0005' };
const BITCOIN: PaperRun = { from: '2017-01-01', commission_rate: '0.0025' };
const GOLD: PaperRun = { from: '2017-01-01', commission_rate: '0.0002' };
const EURO: PaperRun = { from: '2017-01-01', commission_rate: '0.0001' };

/** People who have published something. */
export const DEMO_AUTHORS: readonly DemoAuthor[] = [
  {
    name: 'Mara Lindqvist',
    email: 'mara@strategy-hub.example',
    strategies: [
      {
        name: 'Gold Supertrend',
        description: 'Holds gold while the Supertrend of the daily candles points up.',
        symbol: 'XAUUSD',
        timeframe: '1d',
        audience: 'explore',
        rules: supertrendLong,
        age: 310,
        paper: GOLD,
      },
      {
        name: 'Nasdaq Turtle Breakout',
        description:
          'The rules of the Turtles on the Nasdaq 100: buys above the high of 20 days, sells below the low of 10.',
        symbol: 'QQQ',
        timeframe: '1d',
        audience: 'explore',
        rules: channelBreakout(20, 10),
        age: 240,
        paper: SHARES,
      },
      {
        name: 'IBM Bollinger Reversion',
        description: 'Buys IBM when it comes back over its lower Bollinger band, sells it at the average.',
        symbol: 'IBM',
        timeframe: '1d',
        audience: 'explore',
        rules: bandReversion,
        age: 180,
        paper: SHARES,
      },
      {
        name: 'Terra Minute Trend',
        description:
          'The 5-minute average of the Terra Index against the 20-minute one. Trades at once: on the demo market, with invented prices.',
        symbol: 'TERRA.DEMO',
        timeframe: '1m',
        audience: 'explore',
        rules: averageCross(5, 20),
        age: 160,
      },
    ],
    likes: ['Euro Supertrend', 'Turnaround Tuesday', 'S&P 500 Pullback'],
  },
  {
    name: 'Daniel Okafor',
    email: 'daniel@strategy-hub.example',
    strategies: [
      {
        name: 'Bitcoin Channel Breakout',
        description: 'Buys bitcoin above the high of 20 days, with a stop at three times the daily range.',
        symbol: 'BTCUSD',
        timeframe: '1d',
        audience: 'explore',
        rules: channelBreakout(20, 10),
        age: 290,
        paper: BITCOIN,
      },
      {
        name: 'Apple MACD Swing',
        description: 'Follows the MACD of Apple upwards, only above the average of 100 days.',
        symbol: 'AAPL',
        timeframe: '1d',
        audience: 'explore',
        rules: macdSwing,
        age: 205,
        paper: SHARES,
      },
      {
        name: 'Turnaround Tuesday',
        description: 'Buys the Nasdaq 100 after a weak Monday, and sells it into the first strong day.',
        symbol: 'QQQ',
        timeframe: '1d',
        audience: 'explore',
        rules: turnaroundTuesday,
        age: 150,
        paper: SHARES,
      },
      {
        name: 'Blitz Breakout',
        description:
          'Buys Blitz Coin above the high of 20 minutes, sells it below the low of 10. Trades at once: on the demo market, with invented prices.',
        symbol: 'BLITZ.DEMO',
        timeframe: '1m',
        audience: 'explore',
        rules: channelBreakout(20, 10),
        age: 190,
      },
    ],
    likes: ['Gold Supertrend', 'S&P 500 Pullback'],
  },
  {
    name: 'Priya Raman',
    email: 'priya@strategy-hub.example',
    strategies: [
      {
        name: 'Euro Supertrend',
        description: 'Long or short in the euro, as the Supertrend of the daily candles points.',
        symbol: 'EURUSD',
        timeframe: '1d',
        audience: 'explore',
        rules: supertrendReversal,
        age: 330,
        paper: EURO,
      },
      {
        name: 'S&P 500 Band Reversion',
        description:
          'Buys the S&P 500 when it comes back over its lower Bollinger band, sells it at the average.',
        symbol: 'SPY',
        timeframe: '1d',
        audience: 'explore',
        rules: bandReversion,
        age: 260,
        paper: SHARES,
      },
      {
        name: 'S&P 500 Pullback',
        description:
          'Buys a fall of two days within a long rise by the RSI of 2 days, sells above the average of 5 days.',
        symbol: 'SPY',
        timeframe: '1d',
        audience: 'explore',
        rules: shortSetback,
        age: 170,
        paper: SHARES,
      },
    ],
    likes: ['Nasdaq Turtle Breakout', 'Bitcoin Channel Breakout'],
  },
];

export const DEMO_USER_STRATEGIES: readonly DemoStrategy[] = [
  {
    name: 'My First Crossover',
    description: 'The 20-hour average against the 50-hour one.',
    symbol: 'EURUSD',
    timeframe: '1h',
    audience: 'owner',
    rules: averageCross(20, 50),
    age: 120,
  },
  {
    name: 'Apple Trend Follower',
    description: 'Long while Apple closes above its 100-day average.',
    symbol: 'AAPL',
    timeframe: '1d',
    audience: 'profile',
    rules: aboveAverage(100),
    age: 110,
    paper: SHARES,
  },
  {
    name: 'Gold Turtle',
    description: 'Buys gold above the high of 55 days, sells it below the low of 20.',
    symbol: 'XAUUSD',
    timeframe: '1d',
    audience: 'link',
    rules: channelBreakout(55, 20),
    age: 100,
  },
  {
    name: 'SPY Golden Cross',
    description: 'In the market while the 50-day average is above the 200-day one.',
    symbol: 'SPY',
    timeframe: '1d',
    audience: 'owner',
    rules: averageCross(50, 200),
    age: 105,
  },
];

export const DEMO_USER_LIKES: readonly string[] = ['S&P 500 Pullback', 'Bitcoin Channel Breakout'];

/** The strategy that the demo user has copied. */
export const DEMO_USER_COPY = 'S&P 500 Pullback';
