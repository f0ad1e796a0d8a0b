/** Says who can see a demo strategy. */
type Audience = 'explore' | 'profile' | 'link' | 'owner';

export interface DemoStrategy {
  readonly name: string;
  readonly description: string;
  readonly symbol: string;
  readonly timeframe: string;
  readonly audience: Audience;
  /** Its age in days. */
  readonly age: number;
}

export interface DemoAuthor {
  readonly name: string;
  readonly email: string;
  readonly strategies: readonly DemoStrategy[];
  /** Names of strategies of others. */
  readonly likes: readonly string[];
}

/** Days ago at which everybody had registered, and at which they liked, copied and tested strategies. */
export const REGISTERED_AGE = 365;
export const VISITED_AGE = 98;

/** People who have published something. */
export const DEMO_AUTHORS: readonly DemoAuthor[] = [
  {
    name: 'Mara Lindqvist',
    email: 'mara@strategy-hub.example',
    strategies: [
      {
        name: 'Gold Safe Haven Trend',
        description: 'Holds gold while it closes above its 50-day average and shares fall.',
        symbol: 'XAUUSD',
        timeframe: '1d',
        audience: 'explore',
        age: 310,
      },
      {
        name: 'DAX Opening Range Breakout',
        description: 'Buys or sells the break of the first half hour in Frankfurt and leaves at the close.',
        symbol: 'GER40',
        timeframe: '15m',
        audience: 'explore',
        age: 240,
      },
      {
        name: 'All-Weather Rotation',
        description: 'Once a week moves into the two strongest of shares, gold, the euro and bitcoin.',
        symbol: 'US500,XAUUSD,EURUSD,BTCUSD',
        timeframe: '1w',
        audience: 'explore',
        age: 180,
      },
    ],
    likes: ['London Breakout', 'Mega-Cap Earnings Drift', 'Bitcoin Weekend Momentum'],
  },
  {
    name: 'Daniel Okafor',
    email: 'daniel@strategy-hub.example',
    strategies: [
      {
        name: 'Bitcoin Weekend Momentum',
        description: 'Follows what Friday evening begins, out before the week opens.',
        symbol: 'BTCUSD',
        timeframe: '4h',
        audience: 'explore',
        age: 290,
      },
      {
        name: 'Ether Mean Reversion',
        description: 'Buys two standard deviations under the 20-hour average, sells back at the average.',
        symbol: 'ETHUSD',
        timeframe: '1h',
        audience: 'explore',
        age: 205,
      },
      {
        name: 'Altcoin Basket',
        description: 'Equal parts of three large altcoins, evened out daily.',
        symbol: 'SOLUSD,ADAUSD,AVAXUSD',
        timeframe: '1d',
        audience: 'profile',
        age: 150,
      },
    ],
    likes: ['Gold Safe Haven Trend', 'London Breakout'],
  },
  {
    name: 'Priya Raman',
    email: 'priya@strategy-hub.example',
    strategies: [
      {
        name: 'London Breakout',
        description: 'Trades the pound out of its Asian range in the first hour of London.',
        symbol: 'GBPUSD',
        timeframe: '5m',
        audience: 'explore',
        age: 330,
      },
      {
        name: 'Yen Carry Weekly',
        description: 'Long the high-yielding dollars against the yen while volatility is low.',
        symbol: 'AUDJPY,NZDJPY',
        timeframe: '1w',
        audience: 'explore',
        age: 260,
      },
      {
        name: 'Mega-Cap Earnings Drift',
        description: 'Stays with the surprise for ten days after the earnings of four large companies.',
        symbol: 'AAPL,MSFT,NVDA,AMZN',
        timeframe: '1d',
        audience: 'explore',
        age: 170,
      },
      {
        name: 'Brent–WTI Spread',
        description: 'Sells the wide spread of the two crudes and buys the narrow one.',
        symbol: 'BRENT,WTI',
        timeframe: '1h',
        audience: 'profile',
        age: 140,
      },
    ],
    likes: ['All-Weather Rotation', 'Bitcoin Weekend Momentum'],
  },
];

/** Strategies of the demo user. */
export const DEMO_USER_STRATEGIES: readonly DemoStrategy[] = [
  {
    name: 'My First Crossover',
    description: 'The 20-hour average against the 50-hour one.',
    symbol: 'EURUSD',
    timeframe: '1h',
    audience: 'owner',
    age: 120,
  },
  {
    name: 'Apple Trend Follower',
    description: 'Long while Apple closes above its 100-day average.',
    symbol: 'AAPL',
    timeframe: '1d',
    audience: 'profile',
    age: 110,
  },
  {
    name: 'Gold Scalper',
    description: 'Small moves of gold while London and New York are both open.',
    symbol: 'XAUUSD',
    timeframe: '5m',
    audience: 'link',
    age: 100,
  },
  {
    name: 'SPY Golden Cross',
    description: 'In the market while the 50-day average is above the 200-day one.',
    symbol: 'SPY',
    timeframe: '1d',
    audience: 'owner',
    age: 105,
  },
];

export const DEMO_USER_LIKES: readonly string[] = ['London Breakout', 'Bitcoin Weekend Momentum'];

/** The strategy that the demo user has copied. */
export const DEMO_USER_COPY = 'London Breakout';
