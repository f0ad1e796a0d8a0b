import fc from 'fast-check';
import type { Trade } from '../../../shared/domain/ledger/account.ts';
import {
  applyQuote,
  applySwapCharge,
  type Quote,
  type SwapCharge,
} from '../../../shared/domain/ledger/ledger-events.ts';
import { addRealized, applyOrderUpdate } from '../../../shared/domain/ledger/ledger-orders.ts';
import { type Ledger, openLedger } from '../../../shared/domain/ledger/ledger-state.ts';
import type { Effects } from '../../../shared/domain/ledger/replay.ts';
import { decimal, toText } from '../../../shared/domain/money.ts';
import type { Order, OrderUpdate } from '../../../shared/domain/orders/order-record.ts';
import { orderUpdateSchema } from '../../../shared/domain/orders/order-update.ts';

export const START = Date.parse('2025-11-03T00:00:00Z');
export const timeAt = (minute: number): string => new Date(START + minute * 60_000).toISOString();

export const CONTRACT_SIZES: Readonly<Record<string, string>> = {
  EURUSD: '100000',
  BTCUSD: '1',
  XAUUSD: '100',
};
const MAX_MINUTE = 6 * 1440;
const SYMBOLS = Object.keys(CONTRACT_SIZES);

export type HubEvent =
  | { readonly kind: 'order'; readonly update: OrderUpdate }
  | { readonly kind: 'swap'; readonly charge: SwapCharge }
  | { readonly kind: 'quote'; readonly quote: Quote };

/** Stored state of a deployment: its ledger, orders, trades and charges. */
export interface Books {
  readonly ledger: Ledger;
  readonly orders: Readonly<Record<string, Order>>;
  readonly trades: Readonly<Record<number, Trade>>;
  readonly charges: readonly string[];
}

export const emptyBooks = (): Books => ({
  ledger: openLedger({
    started_at: timeAt(0),
    starting_capital: 10_000,
    calendars: ['always'],
    symbols: SYMBOLS,
  }),
  orders: {},
  trades: {},
  charges: [],
});

/** Stores the effects like the handler of an event. */
const written = (books: Books, ledger: Ledger, orders: Books['orders'], effects: Effects): Books => {
  const trades = { ...books.trades };
  for (const trade of effects.trades) trades[trade.number] = trade;
  for (const number of effects.removed_trades) delete trades[number];
  return { ...books, ledger, orders, trades };
};

export const receive = (books: Books, event: HubEvent): Books => {
  if (event.kind === 'quote') return { ...books, ledger: applyQuote(books.ledger, event.quote) };
  const orders = { ...books.orders };
  if (event.kind === 'order') {
    const id = event.update.client_order_id;
    const size = CONTRACT_SIZES[event.update.symbol] ?? '1';
    const outcome = applyOrderUpdate(books.ledger, orders[id], event.update, size);
    orders[id] = outcome.order;
    for (const [other, realized] of outcome.realized_elsewhere) {
      const order = orders[other];
      if (order !== undefined) orders[other] = addRealized(order, realized);
    }
    return written(books, outcome.ledger, orders, outcome);
  }
  if (books.charges.includes(event.charge.charge_id)) return books;
  const charged = applySwapCharge(books.ledger, event.charge);
  if (charged === undefined) return books;
  for (const [other, realized] of charged.effects.realized) {
    const order = orders[other];
    if (order !== undefined) orders[other] = addRealized(order, realized);
  }
  const charges = [...books.charges, event.charge.charge_id].sort();
  return { ...written(books, charged.ledger, orders, charged.effects), charges };
};

export const receiveAll = (events: readonly HubEvent[], books = emptyBooks()): Books =>
  events.reduce(receive, books);

export const orderEvent = (
  update: Partial<OrderUpdate> & { readonly client_order_id: string },
): HubEvent => ({
  kind: 'order',
  update: orderUpdateSchema.parse({
    sequence: 1,
    occurred_at: timeAt(0),
    symbol: 'BTCUSD',
    side: 'buy',
    order_type: 'market',
    quantity: update.filled_quantity === '0' ? '1' : (update.filled_quantity ?? '1'),
    status: 'filled',
    filled_quantity: '1',
    average_price: '100',
    fees: '0',
    ...update,
  }),
});

const cents = (max: number) => fc.integer({ min: 1, max }).map((count) => (count / 100).toFixed(2));

export interface Habits {
  /** Lets engines' clocks go backwards, and corrects fees and prices after the last fill. */
  readonly unruly?: boolean;
  /** Sometimes takes back half a unit of a fill, as when a venue busts a trade. */
  readonly busts?: boolean;
  /** Gives all events a few times only. */
  readonly crowded?: boolean;
}

/** Makes the reports of one order: some fills at different prices, and a final status. */
const orderReports = (id: string, { unruly = false, busts = false }: Habits): fc.Arbitrary<HubEvent[]> =>
  fc
    .record({
      symbol: fc.constantFrom(...SYMBOLS),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      minute: fc.nat(MAX_MINUTE),
      fills: fc.array(
        fc.record({
          quantity: fc.integer({ min: 1, max: 3 }),
          price: cents(20_000),
          wait: fc.integer({ min: unruly ? -60 : 0, max: MAX_MINUTE / 20 }),
        }),
        { maxLength: 3 },
      ),
      end: fc.constantFrom('filled' as const, 'cancelled' as const, undefined),
      expected: fc.option(cents(20_000), { nil: undefined }),
      corrected: unruly ? fc.boolean() : fc.constant(false),
      busted: busts ? fc.option(fc.nat(2), { nil: undefined }) : fc.constant(undefined),
    })
    .map(({ symbol, side, minute, fills: made, end, expected, corrected, busted }) => {
      const fills = made.flatMap((fill, index) =>
        index === busted ? [fill, { quantity: -0.5, price: fill.price, wait: 20 }] : [fill],
      );
      const correction = corrected ? [{ quantity: 0, price: '0', wait: 90 }] : [];
      const steps = [{ quantity: 0, price: '0', wait: 0 }, ...fills, ...correction];
      const total = fills.reduce((sum, { quantity }) => sum + Math.max(0, quantity), 0);
      let filled = 0;
      let value = decimal(0);
      let at = minute;
      return steps.map(({ quantity, price, wait }, index) => {
        filled += quantity;
        value = value.plus(decimal(price).times(quantity));
        at = Math.max(0, at + wait);
        const isOver = end !== undefined && index >= fills.length && (end !== 'filled' || filled > 0);
        const isCorrection = index > fills.length;
        return orderEvent({
          client_order_id: id,
          sequence: index + 1,
          occurred_at: timeAt(at),
          symbol,
          side,
          quantity: String(Math.max(1, total)),
          status: isOver ? end : filled > 0 ? 'partially_filled' : 'open',
          filled_quantity: String(filled),
          average_price: filled === 0 ? null : value.div(filled).toFixed(isCorrection ? 4 : 6),
          fees: toText(decimal(filled).times(isCorrection ? '0.09' : '0.07')),
          ...(index === 1 && expected !== undefined ? { expected_price: expected } : {}),
        });
      });
    });

const swapEvent = (id: string): fc.Arbitrary<HubEvent> =>
  fc
    .record({
      symbol: fc.constantFrom(...SYMBOLS),
      minute: fc.nat(MAX_MINUTE),
      amount: fc.integer({ min: -500, max: 200 }),
    })
    .map(({ symbol, minute, amount }) => ({
      kind: 'swap',
      charge: { symbol, charge_id: id, occurred_at: timeAt(minute), amount: String(amount / 100) },
    }));

const quoteEvent = (): fc.Arbitrary<HubEvent> =>
  fc
    .record({ symbol: fc.constantFrom(...SYMBOLS), minute: fc.nat(MAX_MINUTE), price: cents(20_000) })
    .map(({ symbol, minute, price }) => ({
      kind: 'quote',
      quote: { symbol, occurred_at: timeAt(minute), price },
    }));

const numbered = <T>(
  count: number,
  make: (id: string) => fc.Arbitrary<T>,
  prefix: string,
): fc.Arbitrary<T[]> => fc.tuple(...Array.from({ length: count }, (_, index) => make(`${prefix}${index}`)));

/** Hours between the times of crowded histories. */
const CROWDED_MS = 12 * 3_600_000;

const crowdedAt = (occurred_at: string): string =>
  new Date(Date.parse(occurred_at) - ((Date.parse(occurred_at) - START) % CROWDED_MS)).toISOString();

const crowded = (event: HubEvent): HubEvent => {
  if (event.kind === 'quote') return event;
  if (event.kind === 'swap') {
    return { ...event, charge: { ...event.charge, occurred_at: crowdedAt(event.charge.occurred_at) } };
  }
  return { ...event, update: { ...event.update, occurred_at: crowdedAt(event.update.occurred_at) } };
};

export const timeOf = (event: HubEvent): number =>
  Date.parse(
    event.kind === 'order'
      ? event.update.occurred_at
      : event.kind === 'swap'
        ? event.charge.occurred_at
        : event.quote.occurred_at,
  );

/** Makes a chronological history of up to `maxOrders` orders within six days. */
export const histories = (maxOrders: number, habits: Habits = {}): fc.Arbitrary<HubEvent[]> =>
  fc
    .tuple(fc.nat(maxOrders), fc.nat(6), fc.nat(12))
    .chain(([orders, swaps, quotes]) =>
      fc.tuple(
        numbered(orders, (id) => orderReports(id, habits), 'o').map((reports) => reports.flat()),
        numbered(swaps, swapEvent, 's'),
        numbered(quotes, quoteEvent, 'q'),
      ),
    )
    .map((parts) =>
      parts
        .flat()
        .map((event) => (habits.crowded ? crowded(event) : event))
        .sort((left, right) => timeOf(left) - timeOf(right)),
    );

/** Shuffles events and repeats some of them. */
export const shuffled = (events: readonly HubEvent[]): fc.Arbitrary<HubEvent[]> =>
  fc
    .tuple(
      fc.shuffledSubarray([...events], { minLength: events.length, maxLength: events.length }),
      fc.shuffledSubarray([...events]),
    )
    .chain(([once, again]) => {
      const all = [...once, ...again];
      return fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
    });
