import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { closeDays } from '../../../shared/domain/ledger/days.ts';
import { MAX_RECENT } from '../../../shared/domain/ledger/ledger-state.ts';
import { addDayRecords, openHistory } from '../../../shared/domain/metrics/equity-history.ts';
import { dayOf } from '../../../shared/domain/periods.ts';
import { exactBooks } from '../../support/exact-books.ts';
import { soakable } from '../../support/soak.ts';
import { planned } from '../../support/trading-events.ts';
import { Fraction } from './fractions.ts';
import {
  type Books,
  emptyBooks,
  type HubEvent,
  orderEvent,
  receive,
  receiveAll,
  START,
  timeAt,
  timeOf,
} from './ledger-histories.ts';

const DAY_MINUTES = 1440;
/** Promised to engines. */
const DAYS_LATE = 10;

/** Makes an order that is filled at once. The quantities open, flip and close positions often. */
const fills = (count: number): fc.Arbitrary<HubEvent[]> =>
  fc
    .array(
      fc.record({
        side: fc.constantFrom('buy' as const, 'sell' as const),
        quantity: fc.constantFrom('1', '1', '1', '2'),
        price: fc.integer({ min: 90, max: 110 }),
        symbol: fc.constantFrom('BTCUSD', 'BTCUSD', 'BTCUSD', 'XAUUSD'),
      }),
      { minLength: count, maxLength: count },
    )
    .map((made) =>
      made.map(({ side, quantity, price, symbol }, index) =>
        orderEvent({
          client_order_id: `o${index}`,
          occurred_at: timeAt(index * 3),
          side,
          symbol,
          filled_quantity: quantity,
          average_price: String(price),
          fees: '0.25',
        }),
      ),
    );

/** Alternates buys and sells, so that a missing one changes every later trade and result. */
const inTurn = (count: number): HubEvent[] =>
  Array.from({ length: count }, (_, index) =>
    orderEvent({
      client_order_id: `o${index}`,
      occurred_at: timeAt(index * 3),
      side: index % 2 === 0 ? 'buy' : 'sell',
      average_price: String(100 + (index % 7)),
    }),
  );

/** Delays one event so that `by` others overtake it. */
const overtaken = (events: readonly HubEvent[], place: number, by: number): HubEvent[] => {
  const late = events.slice(place, place + 1);
  const others = events.toSpliced(place, 1);
  return [...others.slice(0, place + by), ...late, ...others.slice(place + by)];
};

/** Compares the books with all fills, counted once and in order. */
const expectExact = ({ ledger, trades }: Books, events: readonly HubEvent[]): void => {
  const exact = exactBooks(events.map((event) => planned(0, event)));
  const isExact = (amount: string | undefined, fraction: Fraction): boolean =>
    Fraction.of(amount ?? 'none').isCloseTo(fraction, 12);
  expect(isExact(ledger.head.gross, exact.gross)).toBe(true);
  expect(isExact(ledger.head.fees, exact.fees)).toBe(true);
  const written = Object.values(trades);
  expect(written).toHaveLength(exact.trades.length);
  const net = (sum: Fraction, each: Fraction): Fraction => sum.plus(each);
  const nets = written.map((trade) => Fraction.of(trade.net));
  expect(nets.reduce(net, Fraction.of('0')).isCloseTo(exact.trades.reduce(net, Fraction.of('0')), 12)).toBe(
    true,
  );
};

/** Checks that totals, trades, positions and orders agree with each other. */
const expectWhole = ({ ledger, trades, orders }: Books, events: readonly HubEvent[]): void => {
  const { head } = ledger;
  const written = Object.values(trades);
  expect(Object.keys(trades)).toEqual(written.map((_, index) => String(index + 1)));
  expect(written).toHaveLength(head.trades.count);
  const sum = (amounts: readonly string[]): Fraction =>
    amounts.reduce((total, amount) => total.plus(Fraction.of(amount)), Fraction.of('0'));
  const open = Object.values(head.symbols).flatMap(({ position }) => position ?? []);
  const gross = sum([...written, ...open].map((each) => each.gross));
  expect(gross.isCloseTo(Fraction.of(head.gross), 12)).toBe(true);
  const byOrder = sum(Object.values(orders).map(({ realized_pnl }) => realized_pnl ?? '0'));
  expect(byOrder.isCloseTo(Fraction.of(head.gross), 12)).toBe(true);
  const exact = exactBooks(events.map((event) => planned(0, event)));
  for (const symbol of new Set([...exact.open.keys(), ...Object.keys(head.symbols)])) {
    const held = exact.open.get(symbol)?.quantity ?? Fraction.of('0');
    expect(Fraction.of(head.symbols[symbol]?.position?.quantity ?? '0')).toEqual(held);
  }
  expect(Fraction.of(head.lots)).toEqual(exact.lots);
};

describe('a late fill', () => {
  test(`counts at its own time when ${MAX_RECENT} later fills have overtaken it`, () => {
    const events = inTurn(3 * MAX_RECENT);
    const straight = receiveAll(events);
    for (const place of [0, 50, 199]) {
      const late = receiveAll(overtaken(events, place, MAX_RECENT));
      expect(late).toEqual(straight);
      expect(late.ledger.late).toBe(0);
    }
    expectExact(straight, events);
  });

  test('counts at the oldest remembered time when one more has overtaken it, and is counted as late', () => {
    const events = inTurn(3 * MAX_RECENT);
    for (const place of [0, 50, 198]) {
      const late = receiveAll(overtaken(events, place, MAX_RECENT + 1));
      expect(late.ledger.late).toBe(1);
      expectWhole(late, events);
    }
  });

  test('is exact in any history in which no fill is overtaken by more fills than are remembered', () => {
    const histories = fc.noShrink(fills(240)).chain((events) =>
      fc.tuple(
        fc.constant(events),
        fc.array(fc.tuple(fc.nat(239 - MAX_RECENT), fc.integer({ min: 1, max: MAX_RECENT })), {
          minLength: 1,
          maxLength: 1,
        }),
        fc.array(fc.nat(MAX_RECENT / 2), { minLength: 240, maxLength: 240 }),
      ),
    );
    fc.assert(
      fc.property(histories, ([events, [[place, by] = [0, 1]], delays]) => {
        const straight = receiveAll(events);
        expect(receiveAll(overtaken(events, place, by))).toEqual(straight);
        const disordered = events
          .map((event, index) => ({ event, place: index + (delays[index] ?? 0) }))
          .sort((left, right) => left.place - right.place)
          .map(({ event }) => event);
        const mixed = receiveAll(disordered);
        expect(mixed).toEqual(straight);
        expect(mixed.ledger.late).toBe(0);
        expectExact(mixed, events);
      }),
      { numRuns: soakable(1, 12) },
    );
  });

  test('leaves consistent books, however late it is', () => {
    const anyOrder = fc
      .noShrink(fills(220))
      .chain((events) =>
        fc.tuple(
          fc.constant(events),
          fc.shuffledSubarray(events, { minLength: events.length, maxLength: events.length }),
        ),
      );
    fc.assert(
      fc.property(anyOrder, ([events, arrived]) => {
        const books = receiveAll(arrived);
        expect(books.ledger.late).toBeGreaterThan(0);
        expectWhole(books, events);
      }),
      { numRuns: soakable(1, 12) },
    );
  });

  test('counts on its own day when it is days late', () => {
    const at = (event: HubEvent): number => timeOf(event);
    const quoteAt = (day: number, price: string): HubEvent => ({
      kind: 'quote',
      quote: { symbol: 'BTCUSD', occurred_at: timeAt(day * DAY_MINUTES + 700), price },
    });
    const trade = (id: string, day: number, side: 'buy' | 'sell', price: string): HubEvent =>
      orderEvent({
        client_order_id: id,
        occurred_at: timeAt(day * DAY_MINUTES + 600),
        side,
        average_price: price,
        fees: '1',
      });
    const days = DAYS_LATE + 2;
    const events = [
      trade('a', 0, 'buy', '100'),
      ...Array.from({ length: days }, (_, day) => quoteAt(day, String(100 + day))),
      trade('b', days - 1, 'buy', '107'),
    ].sort((left, right) => at(left) - at(right));
    const late = trade('late', 1, 'sell', '103');
    /** Receives events day by day, closes each day, and receives the late event `daysLate` days after its day. */
    const live = (all: readonly HubEvent[], lateOnDay: number | undefined) => {
      let books = emptyBooks();
      let history = openHistory(dayOf(START), '10000');
      for (let day = 0; day < days; day += 1) {
        const today = timeAt(day * DAY_MINUTES).slice(0, 10);
        books = receiveAll(
          all.filter((event) => dayOf(at(event)) === today),
          books,
        );
        if (day === lateOnDay) books = receive(books, late);
        if (day === days - 1) break;
        const closed = closeDays(books.ledger, history, today);
        books = { ...books, ledger: closed.ledger };
        history = closed.history;
      }
      return { books, history: addDayRecords(history, books.ledger.head.days) };
    };
    const prompt = live(
      [...events, late].sort((left, right) => at(left) - at(right)),
      undefined,
    );
    const arrivedLate = live(events, 1 + DAYS_LATE);
    expect(arrivedLate).toEqual(prompt);
    expect(arrivedLate.books.ledger.late).toBe(0);
    expect(arrivedLate.history.days).toContainEqual([timeAt(DAY_MINUTES).slice(0, 10), '2', 1]);
  });
});
