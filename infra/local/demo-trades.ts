import type { TradeMode } from '../../shared/data/live-record.ts';
import type { Instrument } from '../../shared/domain/instruments-records.ts';
import { rolloverAt, rolloverChargeId, swapOf } from '../../shared/domain/rollover.ts';

/** A deployment of the demo user that trades, and the market that it trades in. */
export interface DemoTrading {
  readonly mode: TradeMode;
  readonly strategy: string;
  readonly symbol: string;
  readonly starting_capital: string;
  readonly days: number;
  readonly lots: number;
  readonly price: number;
  /** Decimals of a price. */
  readonly digits: number;
  /** What a day moves the price by, about. */
  readonly move: number;
  readonly fee: string;
  /** Whether its engine has stopped it. */
  readonly ended: boolean;
}

export const DEMO_TRADING: readonly DemoTrading[] = [
  {
    mode: 'virtual',
    strategy: 'My First Crossover',
    symbol: 'EURUSD',
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
    mode: 'virtual',
    strategy: 'Apple Trend Follower',
    symbol: 'AAPL',
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
    mode: 'live',
    strategy: 'Gold Scalper',
    symbol: 'XAUUSD',
    starting_capital: '50000',
    days: 30,
    lots: 0.1,
    price: 2380,
    digits: 2,
    move: 18,
    fee: '0.8',
    ended: false,
  },
];

export interface DemoEvent {
  readonly type: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The same numbers on every start: a linear congruential generator (Numerical Recipes), from 0 to 1. */
const numbers = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

interface DemoOrder {
  readonly id: string;
  readonly side: 'buy' | 'sell';
  readonly type: 'market' | 'limit' | 'stop';
  readonly at: number;
  readonly price: number;
}

interface DemoEntry {
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly at: number;
}

/** Where a deployment runs on, the position of these days is still open. */
const OPEN_DAYS = 3;

/** What the service would have charged for holding a position until then, under the ids that it gives. */
const nightsHeld = (
  { symbol, lots }: DemoTrading,
  instrument: Instrument | undefined,
  { side, price, at }: DemoEntry,
  until: number,
): DemoEvent[] => {
  const events: DemoEvent[] = [];
  const position = {
    side: side === 'buy' ? 'long' : 'short',
    quantity: String(lots),
    price: String(price),
  } as const;
  for (let time = at - DAY; time < until + DAY; time += DAY) {
    const day = new Date(time).toISOString().slice(0, 10);
    const rolled = rolloverAt(day);
    const amount = instrument && swapOf(instrument, position, day);
    if (amount === undefined || rolled <= at || rolled >= until) continue;
    const occurred_at = new Date(rolled).toISOString();
    events.push({
      type: 'Swap Charged',
      detail: { symbol, charge_id: rolloverChargeId(day, symbol), amount, occurred_at },
    });
  }
  return events;
};

/**
 * What an engine reports of a deployment that began so many days before `now`: about three trades a week, each
 * entered at the market and left by a limit or a stop, with the quotes of every day, a cancelled entry now
 * and then, and a position left open at the end where it runs on. What it was charged overnight is among it.
 */
export const demoHistory = (
  trading: DemoTrading,
  instrument: Instrument | undefined,
  now: number,
): DemoEvent[] => {
  const { symbol, days, lots, digits, move, fee, ended } = trading;
  const random = numbers(days * 7919);
  const round = (price: number): number => Number(price.toFixed(digits));
  const time = (at: number): string => new Date(at).toISOString();
  const start = now - days * DAY;
  const events: DemoEvent[] = [{ type: 'Deployment Started', detail: { occurred_at: time(start) } }];
  const order = ({ id, side, type, at, price }: DemoOrder, status: 'filled' | 'cancelled'): void => {
    const common = {
      client_order_id: id,
      symbol,
      side,
      order_type: type,
      time_in_force: type === 'market' ? 'ioc' : 'gtc',
      quantity: String(lots),
      expected_price: String(round(price - (side === 'buy' ? 1 : -1) * move * 0.01 * random())),
      ...(type !== 'market' && { [type === 'stop' ? 'trigger_price' : 'price']: String(round(price)) }),
    };
    const nothing = { filled_quantity: '0', fees: '0' };
    const open = { ...common, ...nothing, sequence: 1, status: 'open', occurred_at: time(at) };
    const filled = { filled_quantity: String(lots), average_price: String(round(price)), fees: fee };
    const end = { ...common, ...(status === 'filled' ? filled : nothing), sequence: 2, status };
    events.push({ type: 'Order Updated', detail: open });
    events.push({ type: 'Order Updated', detail: { ...end, occurred_at: time(at + 400 + random() * 1200) } });
  };
  let price = trading.price;
  let entry: DemoEntry | undefined;
  for (let day = 0; day < days; day++) {
    const at = start + day * DAY;
    price += (random() - 0.47) * 2 * move;
    const last = day === days - 1;
    const staysOpen = !ended && day >= days - OPEN_DAYS;
    if (entry && !staysOpen && (random() < 0.6 || (last && ended))) {
      const gain = (price - entry.price) * (entry.side === 'buy' ? 1 : -1);
      const side = entry.side === 'buy' ? 'sell' : 'buy';
      const left = at + 6 * HOUR;
      events.push(...nightsHeld(trading, instrument, entry, left));
      order({ id: `d${day}-out`, side, type: gain > 0 ? 'limit' : 'stop', at: left, price }, 'filled');
      entry = undefined;
    } else if (!entry && !(last && ended)) {
      const side = random() < 0.65 ? 'buy' : 'sell';
      const isTaken = random() > 0.1 || staysOpen;
      const type = isTaken ? 'market' : 'limit';
      order({ id: `d${day}-in`, side, type, at: at + 2 * HOUR, price }, isTaken ? 'filled' : 'cancelled');
      if (isTaken) entry = { side, price, at: at + 2 * HOUR };
    }
    const quoted = Math.min(at + 20 * HOUR, now);
    events.push({ type: 'Quote Marked', detail: { symbol, price: round(price), occurred_at: time(quoted) } });
  }
  if (entry) events.push(...nightsHeld(trading, instrument, entry, now));
  if (ended) {
    events.push({
      type: 'Deployment Stopped',
      detail: { stop_reason: 'completed', occurred_at: time(now - HOUR) },
    });
  }
  return events;
};
