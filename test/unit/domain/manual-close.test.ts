import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { closeDays } from '../../../shared/domain/ledger/days.ts';
import { MAX_RECENT, SETTLE_DAYS } from '../../../shared/domain/ledger/ledger-state.ts';
import { MAX_LOTS } from '../../../shared/domain/ledger/lots.ts';
import { manualClose, openQuantity } from '../../../shared/domain/ledger/manual-close.ts';
import { openHistory } from '../../../shared/domain/metrics/equity-history.ts';
import { toText } from '../../../shared/domain/money.ts';
import { orderUpdateSchema } from '../../../shared/domain/orders/order-update.ts';
import { addDays, dayOf } from '../../../shared/domain/periods.ts';
import { soakable } from '../../support/soak.ts';
import { type Books, emptyBooks, orderEvent, receive, START, timeAt } from './ledger-histories.ts';

interface PlainFill {
  readonly id: string;
  readonly minute: number;
  readonly symbol: string;
  /** Positive for a purchase. */
  readonly quantity: number;
  readonly closes?: string;
}

/** Computes the open quantity of each order from all fills, in the order of their times. */
const plainLots = (fills: readonly PlainFill[]): Map<string, number> => {
  const lots: { id: string; symbol: string; quantity: number }[] = [];
  for (const { id, symbol, quantity, closes } of fills.toSorted(
    (left, right) => left.minute - right.minute,
  )) {
    let rest = quantity;
    const against = lots.filter((lot) => lot.symbol === symbol && lot.quantity * quantity < 0);
    const mine = against.filter((lot) => lot.id === closes);
    for (const lot of [...mine, ...against.filter((other) => !mine.includes(other))]) {
      const taken = Math.min(Math.abs(rest), Math.abs(lot.quantity)) * Math.sign(lot.quantity);
      lot.quantity -= taken;
      rest += taken;
    }
    if (rest !== 0) lots.push({ id, symbol, quantity: rest });
  }
  const open = new Map<string, number>();
  for (const { id, quantity } of lots) open.set(id, (open.get(id) ?? 0) + Math.abs(quantity));
  return open;
};

const filled = ({ id, minute, symbol, quantity }: PlainFill) =>
  orderEvent({
    client_order_id: id,
    occurred_at: timeAt(minute),
    symbol,
    side: quantity > 0 ? 'buy' : 'sell',
    filled_quantity: String(Math.abs(quantity)),
  });

const openOf = ({ ledger, orders }: Books, id: string, isClosedByHand = false): string => {
  const order = orders[id];
  if (!order) throw new Error(`there is no order ${id}`);
  return toText(openQuantity(ledger, order, { isClosedByHand }));
};

/** Closes an order by hand like the operation, and returns the fill. */
const closeByHand = (books: Books, id: string, minute: number): [Books, PlainFill] | undefined => {
  const order = books.orders[id];
  if (!order) throw new Error(`there is no order ${id}`);
  const close = { client_order_id: `manual-${id}`, price: '7', occurred_at: timeAt(minute) };
  const closing = manualClose(books.ledger, { ...order, close_value: null }, close);
  if (!closing) return undefined;
  const { update, ledger } = closing;
  expect(orderUpdateSchema.parse(update)).toEqual(update);
  const after = receive({ ...books, ledger }, { kind: 'order', update });
  const size = Number(update.quantity);
  const quantity = update.side === 'buy' ? size : -size;
  return [after, { id: close.client_order_id, minute, symbol: order.symbol, quantity, closes: id }];
};

const histories = (count: number) =>
  fc.array(
    fc.record({
      symbol: fc.constantFrom('BTCUSD', 'EURUSD'),
      quantity: fc.integer({ min: -3, max: 4 }).filter((quantity) => quantity !== 0),
      delay: fc.nat(50),
    }),
    { minLength: count, maxLength: count },
  );

describe('closing an order by hand', () => {
  test('closes what opposite fills have left open, oldest first, in any order of arrival', () => {
    const cases = fc.tuple(
      fc.oneof(histories(12), histories(3 * MAX_RECENT)),
      fc.array(fc.nat(), { maxLength: 8 }),
      fc.boolean(),
    );
    fc.assert(
      fc.property(cases, ([history, picks, closesDays]) => {
        const fills: PlainFill[] = history.map((fill, index) => ({
          ...fill,
          id: `o${index}`,
          minute: index,
        }));
        const arrived = fills
          .map((fill, index) => ({ fill, place: index + (history[index]?.delay ?? 0) }))
          .sort((left, right) => left.place - right.place)
          .map(({ fill }) => fill);
        const half = arrived.length >> 1;
        let books = arrived.slice(0, half).map(filled).reduce(receive, emptyBooks());
        const all: PlainFill[] = arrived.slice(0, half);
        const expectPlain = (): void => {
          const open = plainLots(all);
          for (const { id, closes } of all) {
            if (closes === undefined)
              expect([id, openOf(books, id)]).toEqual([id, String(open.get(id) ?? 0)]);
          }
        };
        expectPlain();
        // Manual closes come after all known events, and before some late ones.
        for (const [index, pick] of [...new Set(picks.map((any) => any % half))].entries()) {
          const { id } = arrived[pick] ?? { id: '' };
          const closed = closeByHand(books, id, fills.length + index);
          expect(closed === undefined).toBe((plainLots(all).get(id) ?? 0) === 0);
          if (!closed) continue;
          books = closed[0];
          all.push(closed[1]);
          expect(openOf(books, id)).toBe('0');
        }
        for (const fill of arrived.slice(half)) {
          books = receive(books, filled(fill));
          all.push(fill);
        }
        expect(books.ledger.late).toBe(0);
        expectPlain();
        if (closesDays) {
          const day = addDays(dayOf(START), SETTLE_DAYS + 2);
          const { ledger } = closeDays(books.ledger, openHistory(dayOf(START), '10000'), day);
          expect(ledger.recent).toEqual([]);
          expect(ledger.by_hand).toBeUndefined();
          books = { ...books, ledger };
          expectPlain();
        }
      }),
      { numRuns: soakable(3, 30) },
    );
  });

  const buys = (count: number): Books =>
    Array.from({ length: count }, (_, index) =>
      filled({ id: `o${index}`, minute: index, symbol: 'BTCUSD', quantity: 1 }),
    ).reduce(receive, emptyBooks());

  test('keeps the ledger bounded: the oldest of very many open orders become unattributed', () => {
    const books = buys(MAX_LOTS + MAX_RECENT + 20);
    expect(books.ledger.lots.BTCUSD).toHaveLength(MAX_LOTS);
    expect(openOf(books, 'o0')).toBe('1');
    const sold = receive(books, filled({ id: 's', minute: 9000, symbol: 'BTCUSD', quantity: -19 }));
    // Some of the oldest are open, and it is unknown which: each is closed at most once.
    expect(openOf(sold, 'o0')).toBe('1');
    expect(openOf(sold, 'o0', true)).toBe('0');
    expect(openOf(sold, 'o20')).toBe('1');
    const more = receive(sold, filled({ id: 't', minute: 9001, symbol: 'BTCUSD', quantity: -3 }));
    expect([openOf(more, 'o0'), openOf(more, 'o21'), openOf(more, 'o22')]).toEqual(['0', '0', '1']);
  });

  test('does not close an order of an earlier position', () => {
    const books = [
      filled({ id: 'a', minute: 0, symbol: 'BTCUSD', quantity: 1 }),
      filled({ id: 'b', minute: 1, symbol: 'BTCUSD', quantity: -3 }),
      filled({ id: 'c', minute: 2, symbol: 'BTCUSD', quantity: 4 }),
    ].reduce(receive, emptyBooks());
    expect([openOf(books, 'a'), openOf(books, 'b'), openOf(books, 'c')]).toEqual(['0', '0', '2']);
  });
});
