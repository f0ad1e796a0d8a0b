import type { Instrument } from '../../../shared/domain/instruments/instrument-records.ts';
import { rolloverAt, rolloverChargeId, swapOf } from '../../../shared/domain/instruments/rollover.ts';
import { numbers } from '../numbers.ts';
import { isTradingDay, type Market, SESSION } from './trading-days.ts';
import type { DemoTrading } from './trading-plans.ts';

export interface DemoEvent {
  readonly type: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly detail: Readonly<Record<string, unknown>>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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

/** The position opened in these last trading days stays open if the deployment runs on. */
const OPEN_DAYS = 3;

/** Returns the charges of the service for holding a position until then, under the ids that it gives. */
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
    events.push({
      type: 'Swap Charged',
      at: rolled,
      detail: { symbol, charge_id: rolloverChargeId(day, symbol), amount },
    });
  }
  return events;
};

/** Returns the UTC midnights of the trading days between two times, the day of the second one included. */
const tradingDays = (market: Market, from: number, to: number): number[] => {
  const days: number[] = [];
  for (let midnight = Math.ceil(from / DAY) * DAY; midnight <= to; midnight += DAY) {
    if (isTradingDay(market, midnight)) days.push(midnight);
  }
  return days;
};

/** Returns the start of a deployment, in epoch milliseconds. */
export const begunAt = ({ days }: DemoTrading, now: number): number =>
  Math.floor(now / DAY - days) * DAY + 5 * HOUR;

/**
 * The events that an engine reports of a deployment until `now`, by time: about three trades a week on trading
 * days of the market, each entered at the market and left by a limit or a stop, with a quote at the
 * close of each day on which a position is held, a cancelled entry now and then, the charges for nights, and a position left open where the deployment runs on.
 */
export const demoHistory = (
  trading: DemoTrading,
  instrument: Instrument | undefined,
  now: number,
): DemoEvent[] => {
  const { symbol, market, days: age, lots, digits, move, fee, ended } = trading;
  const random = numbers(age * 7919 + symbol.charCodeAt(0));
  const round = (price: number): number => Number(price.toFixed(digits));
  const start = begunAt(trading, now);
  const session = SESSION[market];
  const events: DemoEvent[] = [{ type: 'Deployment Started', at: start + 2000, detail: {} }];
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
    const filled = { filled_quantity: String(lots), average_price: String(round(price)), fees: fee };
    const end = { ...common, ...(status === 'filled' ? filled : nothing), sequence: 2, status };
    events.push({
      type: 'Order Updated',
      at,
      detail: { ...common, ...nothing, sequence: 1, status: 'open' },
    });
    events.push({ type: 'Order Updated', at: at + Math.round(400 + random() * 1200), detail: end });
  };
  const within = (midnight: number, hour: number): number =>
    midnight + hour * HOUR + Math.round(random() * 50 * MINUTE);
  // A day whose session is under way is left out: its trades would lie in the future.
  const days = tradingDays(market, start, now).filter(
    (midnight) => midnight + (session.close + 1) * HOUR <= now,
  );
  let price = trading.price;
  let entry: DemoEntry | undefined;
  for (const [index, midnight] of days.entries()) {
    price += (random() - 0.47) * 2 * move;
    const isLast = index === days.length - 1;
    const staysOpen = !ended && index >= days.length - OPEN_DAYS;
    if (entry && !staysOpen && (random() < 0.6 || (isLast && ended))) {
      const gain = (price - entry.price) * (entry.side === 'buy' ? 1 : -1);
      const side = entry.side === 'buy' ? 'sell' : 'buy';
      const at = within(midnight, session.exit);
      events.push(...nightsHeld(trading, instrument, entry, at));
      order({ id: `d${index}-out`, side, type: gain > 0 ? 'limit' : 'stop', at, price }, 'filled');
      entry = undefined;
    } else if (!entry && !(isLast && ended)) {
      const side = random() < 0.65 ? 'buy' : 'sell';
      const isTaken = random() > 0.1 || staysOpen;
      const at = within(midnight, session.entry);
      order(
        { id: `d${index}-in`, side, type: isTaken ? 'market' : 'limit', at, price },
        isTaken ? 'filled' : 'cancelled',
      );
      if (isTaken) entry = { side, price, at };
    }
    if (!entry) continue;
    const close = midnight + session.close * HOUR;
    events.push({ type: 'Quote Marked', at: close, detail: { symbol, price: round(price) } });
  }
  if (entry) events.push(...nightsHeld(trading, instrument, entry, now));
  const last = days.at(-1);
  if (ended && last !== undefined) {
    const at = last + (session.close + 0.5) * HOUR;
    events.push({ type: 'Deployment Stopped', at, detail: { stop_reason: 'completed' } });
  }
  return events.sort((left, right) => left.at - right.at);
};
