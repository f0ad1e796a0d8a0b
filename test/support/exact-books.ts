import { Fraction } from '../unit/domain/fractions.ts';
import type { PlannedEvent } from './trading-events.ts';

const ZERO = Fraction.of('0');

interface Open {
  quantity: Fraction;
  cost: Fraction;
  net: Fraction;
}

/** Totals of a deployment's fills and charges in exact fractions. */
export interface ExactBooks {
  gross: Fraction;
  fees: Fraction;
  swap: Fraction;
  lots: Fraction;
  traded: Fraction;
  /** Net results of the round trips, in the order in which they were completed. */
  readonly trades: Fraction[];
  readonly open: Map<string, Open>;
  /** The last price of each symbol. */
  readonly prices: Map<string, Fraction>;
  readonly sizes: Map<string, Fraction>;
  readonly statuses: Map<string, string>;
}

interface Fill {
  readonly at: number;
  /** Time of the first report of the order. */
  readonly created: number;
  readonly id: string;
  readonly symbol: string;
  readonly quantity: Fraction;
  readonly value: Fraction;
  readonly fees: Fraction;
}

interface Charge {
  readonly at: number;
  readonly id: string;
  readonly symbol: string;
  readonly amount: Fraction;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '0');
const minus = (amount: Fraction): Fraction => ZERO.minus(amount);

/** Returns fills as differences between the reports of each order, which must be in order. */
const fillsOf = (events: readonly PlannedEvent[]): Fill[] => {
  const before = new Map<string, { quantity: Fraction; value: Fraction; fees: Fraction }>();
  const created = new Map<string, number>();
  return events.flatMap(({ type, after, detail }) => {
    if (type !== 'Order Updated') return [];
    const id = text(detail.client_order_id);
    created.set(id, Math.min(after, created.get(id) ?? after));
    const sign = Fraction.of(detail.side === 'buy' ? '1' : '-1');
    const filled = Fraction.of(text(detail.filled_quantity));
    const size = Fraction.of(text(detail.contract_size));
    const all = {
      quantity: filled.times(sign),
      value: filled
        .times(sign)
        .times(Fraction.of(text(detail.average_price)))
        .times(size),
      fees: Fraction.of(text(detail.fees)),
    };
    const last = before.get(id) ?? { quantity: ZERO, value: ZERO, fees: ZERO };
    before.set(id, all);
    const quantity = all.quantity.minus(last.quantity);
    if (quantity.sign() === 0) return [];
    const value = all.value.minus(last.value);
    const fees = all.fees.minus(last.fees);
    return [
      {
        at: after,
        created: created.get(id) ?? after,
        id,
        symbol: text(detail.symbol),
        quantity,
        value,
        fees,
      },
    ];
  });
};

const chargesOf = (events: readonly PlannedEvent[]): Charge[] =>
  events
    .filter(({ type }) => type === 'Swap Charged')
    .map(({ after, detail }) => ({
      at: after,
      id: text(detail.charge_id),
      symbol: text(detail.symbol),
      amount: Fraction.of(text(detail.amount)),
    }));

const enterFill = (books: ExactBooks, fill: Fill): void => {
  const { symbol, quantity, value, fees } = fill;
  const open = books.open.get(symbol);
  if (!open) {
    books.open.set(symbol, { quantity, cost: value, net: minus(fees) });
    return;
  }
  if (open.quantity.sign() === quantity.sign()) {
    open.quantity = open.quantity.plus(quantity);
    open.cost = open.cost.plus(value);
    open.net = open.net.minus(fees);
    return;
  }
  const flips = quantity.abs().minus(open.quantity.abs()).sign() > 0;
  const closing = flips ? minus(open.quantity) : quantity;
  const part = closing.over(quantity);
  const cost = minus(open.cost.times(closing).over(open.quantity));
  const gross = minus(cost.plus(value.times(part)));
  books.gross = books.gross.plus(gross);
  open.quantity = open.quantity.plus(closing);
  open.cost = open.cost.minus(cost);
  open.net = open.net.plus(gross).minus(fees.times(part));
  if (open.quantity.sign() !== 0) return;
  books.trades.push(open.net);
  books.open.delete(symbol);
  if (!flips) return;
  const rest = Fraction.of('1').minus(part);
  enterFill(books, {
    ...fill,
    quantity: quantity.times(rest),
    value: value.times(rest),
    fees: fees.times(rest),
  });
};

/** Returns how far an entry is from being the next one of its time. */
const distance = (entry: Fill | Charge, held: Fraction): number => {
  if ('amount' in entry) return held.sign() === 0 ? 4 : 0;
  if (held.sign() * entry.quantity.sign() >= 0) return 3;
  return entry.quantity.abs().minus(held.abs()).sign() > 0 ? 2 : 1;
};

/**
 * Takes the next one of entries in the order of their times. At one time, swap is of the position held; exits come before
 * entries, an order before those that were placed after it, `o9` before `o10`.
 */
const takeNext = (left: (Fill | Charge)[], open: ExactBooks['open']): Fill | Charge | undefined => {
  const now = left.filter(({ at }) => at === left[0]?.at);
  const far = (entry: Fill | Charge) => distance(entry, open.get(entry.symbol)?.quantity ?? ZERO);
  const [next] = now
    .filter((entry, index) => now.findIndex(({ id }) => id === entry.id) === index)
    .sort(
      (one, other) =>
        far(one) - far(other) ||
        ('created' in one && 'created' in other ? one.created - other.created : 0) ||
        Number(one.id.slice(1)) - Number(other.id.slice(1)),
    );
  if (next) left.splice(left.indexOf(next), 1);
  return next;
};

/**
 * Computes the books of a deployment from all its events, once and in order, without increments, without
 * rounding, and without code of the service.
 */
export const exactBooks = (events: readonly PlannedEvent[]): ExactBooks => {
  const books: ExactBooks = {
    gross: ZERO,
    fees: ZERO,
    swap: ZERO,
    lots: ZERO,
    traded: ZERO,
    trades: [],
    open: new Map(),
    prices: new Map(),
    sizes: new Map(),
    statuses: new Map(),
  };
  const quotedAt = new Map<string, number>();
  for (const { type, after, detail } of events) {
    const symbol = text(detail.symbol);
    if (type === 'Order Updated') {
      books.statuses.set(text(detail.client_order_id), text(detail.status));
      books.sizes.set(symbol, Fraction.of(text(detail.contract_size)));
    }
    const price = Fraction.of(text(detail.price));
    const known = books.prices.get(symbol);
    const isLast = after > (quotedAt.get(symbol) ?? -1);
    // Of two quotes at the same time the greater one counts.
    const isGreater = after === quotedAt.get(symbol) && known && price.minus(known).sign() > 0;
    if (type === 'Quote Marked' && (isLast || isGreater)) {
      books.prices.set(symbol, price);
      quotedAt.set(symbol, after);
    }
  }
  const left = [...fillsOf(events), ...chargesOf(events)].sort((one, other) => one.at - other.at);
  for (let one = takeNext(left, books.open); one; one = takeNext(left, books.open)) {
    if ('amount' in one) {
      books.swap = books.swap.plus(one.amount);
      const open = books.open.get(one.symbol);
      if (open) open.net = open.net.plus(one.amount);
      continue;
    }
    books.fees = books.fees.plus(one.fees);
    books.lots = books.lots.plus(one.quantity.abs());
    books.traded = books.traded.plus(one.value.abs());
    enterFill(books, one);
  }
  return books;
};
