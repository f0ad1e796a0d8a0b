import type { TradeMode } from '../../../shared/data/deployments/trading-record.ts';
import type { Market } from './trading-days.ts';

/** A trading deployment of the demo data, and the market that it trades in. */
export interface DemoTrading {
  /** The owner's e-mail. */
  readonly owner: string;
  readonly mode: TradeMode;
  readonly strategy: string;
  readonly symbol: string;
  readonly market: Market;
  readonly starting_capital: string;
  readonly days: number;
  readonly lots: number;
  readonly price: number;
  /** Decimals of a price. */
  readonly digits: number;
  /** The usual change of the price in a day. */
  readonly move: number;
  readonly fee: string;
  /** True if its engine has stopped it. */
  readonly ended: boolean;
}

const DEMO_USER = 'demo@strategy-hub.example';

export const DEMO_TRADING: readonly DemoTrading[] = [
  {
    owner: DEMO_USER,
    mode: 'virtual',
    strategy: 'My First Crossover',
    symbol: 'EURUSD',
    market: 'forex',
    starting_capital: '10000',
    days: 60,
    lots: 0.2,
    price: 1.09,
    digits: 5,
    move: 0.004,
    fee: '0.7',
    ended: false,
  },
  {
    owner: DEMO_USER,
    mode: 'virtual',
    strategy: 'Apple Trend Follower',
    symbol: 'AAPL',
    market: 'us_shares',
    starting_capital: '25000',
    days: 45,
    lots: 40,
    price: 228,
    digits: 2,
    move: 2.6,
    fee: '0.35',
    ended: true,
  },
  {
    owner: DEMO_USER,
    mode: 'live',
    strategy: 'Gold Scalper',
    symbol: 'XAUUSD',
    market: 'forex',
    starting_capital: '50000',
    days: 30,
    lots: 0.1,
    price: 2380,
    digits: 2,
    move: 18,
    fee: '0.8',
    ended: false,
  },
  {
    owner: 'mara@strategy-hub.example',
    mode: 'virtual',
    strategy: 'Gold Safe Haven Trend',
    symbol: 'XAUUSD',
    market: 'forex',
    starting_capital: '40000',
    days: 60,
    lots: 0.2,
    price: 2290,
    digits: 2,
    move: 20,
    fee: '0.8',
    ended: false,
  },
  {
    owner: 'daniel@strategy-hub.example',
    mode: 'virtual',
    strategy: 'Bitcoin Weekend Momentum',
    symbol: 'BTCUSD',
    market: 'crypto',
    starting_capital: '30000',
    days: 40,
    lots: 0.15,
    price: 64000,
    digits: 1,
    move: 1300,
    fee: '4.8',
    ended: false,
  },
  {
    owner: 'priya@strategy-hub.example',
    mode: 'virtual',
    strategy: 'London Breakout',
    symbol: 'GBPUSD',
    market: 'forex',
    starting_capital: '15000',
    days: 56,
    lots: 0.25,
    price: 1.27,
    digits: 5,
    move: 0.005,
    fee: '0.9',
    ended: false,
  },
  {
    owner: 'priya@strategy-hub.example',
    mode: 'virtual',
    strategy: 'Mega-Cap Earnings Drift',
    symbol: 'MSFT',
    market: 'us_shares',
    starting_capital: '50000',
    days: 63,
    lots: 45,
    price: 415,
    digits: 2,
    move: 5.2,
    fee: '0.5',
    ended: false,
  },
];
