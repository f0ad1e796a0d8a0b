import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { closeDays } from '../../../shared/domain/ledger/days.ts';
import type { Entry } from '../../../shared/domain/ledger/entries.ts';
import { inOrder } from '../../../shared/domain/ledger/entry-order.ts';
import { ledgerSchema, MAX_RECENT } from '../../../shared/domain/ledger/ledger-state.ts';
import { openHistory } from '../../../shared/domain/metrics/equity-history.ts';
import { type OrderUpdate, orderSchema } from '../../../shared/domain/orders/order-record.ts';
import { dayOf } from '../../../shared/domain/periods.ts';
import { exactBooks } from '../../support/exact-books.ts';
import { soakable } from '../../support/soak.ts';
import { planned } from '../../support/trading-events.ts';
import { Fraction } from './fractions.ts';
import {
  type Habits,
  type HubEvent,
  histories,
  orderEvent,
  receiveAll,
  START,
  shuffled,
  timeAt,
} from './ledger-histories.ts';

const historyAndShuffle = (maxOrders: number, habits: Habits = { unruly: true }) =>
  histories(maxOrders, habits).chain((history) => fc.tuple(fc.constant(history), shuffled(history)));

describe('a ledger', () => {
  test('is the same for every order of arrival, with repeats', () => {
    fc.assert(
      fc.property(historyAndShuffle(12), ([history, arrived]) => {
        expect(receiveAll(arrived)).toEqual(receiveAll(history));
      }),
      { numRuns: soakable(20, 200) },
    );
  });

  test('is the same if many events have one time', () => {
    fc.assert(
      fc.property(historyAndShuffle(16, { unruly: true, crowded: true }), ([history, arrived]) => {
        expect(receiveAll(arrived)).toEqual(receiveAll(history));
      }),
      { numRuns: soakable(15, 300) },
    );
  });

  test('counts fills of one time as a recomputation does: exits first', () => {
    fc.assert(
      fc.property(historyAndShuffle(16, { crowded: true }), ([history, arrived]) => {
        const { ledger, trades } = receiveAll(arrived);
        const exact = exactBooks(history.map((event) => planned(0, event)));
        const isExact = (amount: string | undefined, fraction: Fraction | undefined): boolean =>
          fraction !== undefined && Fraction.of(amount ?? 'none').isCloseTo(fraction, 12);
        expect(isExact(ledger.head.gross, exact.gross)).toBe(true);
        expect(Object.keys(trades)).toHaveLength(exact.trades.length);
        for (const [index, { net }] of Object.values(trades).entries()) {
          expect(isExact(net, exact.trades[index])).toBe(true);
        }
      }),
      { numRuns: soakable(15, 300) },
    );
  });

  test('is the same if fills were taken back', () => {
    fc.assert(
      fc.property(historyAndShuffle(6, { busts: true }), ([history, arrived]) => {
        expect(receiveAll(arrived)).toEqual(receiveAll(history));
      }),
      { numRuns: soakable(15, 300) },
    );
  });

  test('closes days equally, and its stored form matches the schemas', () => {
    fc.assert(
      fc.property(historyAndShuffle(10), fc.nat(20), ([history, arrived], days) => {
        const close = (events: readonly HubEvent[]) => {
          const { ledger, orders } = receiveAll(events);
          for (const order of Object.values(orders)) expect(orderSchema.parse(order)).toEqual(order);
          const through = dayOf(START + days * 86_400_000);
          const closed = closeDays(ledger, openHistory(dayOf(START), '10000'), through);
          expect(ledgerSchema.parse(closed.ledger)).toEqual(closed.ledger);
          expect(closeDays(closed.ledger, closed.history, through)).toEqual(closed);
          return closed;
        };
        expect(close(arrived)).toEqual(close(history));
      }),
      { numRuns: soakable(10, 100) },
    );
  });

  test('is the same if days are closed in between and events of the last days are late', () => {
    fc.assert(
      fc.property(histories(12, { unruly: true }), fc.nat(6 * 1440), (history, minute) => {
        const at = START + minute * 60_000;
        const yesterday = dayOf(at - 86_400_000);
        const isLate = (_: HubEvent, index: number): boolean => index % 3 === 0;
        const [late, prompt] = [
          history.filter(isLate),
          history.filter((event, index) => !isLate(event, index)),
        ];
        const first = receiveAll(prompt);
        const closed = closeDays(first.ledger, openHistory(dayOf(START), '10000'), yesterday);
        fc.pre(closed.history.through === null);
        const second = receiveAll(late, { ...first, ledger: closed.ledger });
        const whole = receiveAll(history);
        const wholeClosed = closeDays(whole.ledger, openHistory(dayOf(START), '10000'), yesterday);
        expect(second).toEqual({ ...whole, ledger: wholeClosed.ledger });
      }),
      { numRuns: soakable(10, 100) },
    );
  });

  test(`is the same for longer histories than it remembers, if no event is overtaken by ${MAX_RECENT} fills`, () => {
    const long = fc.noShrink(histories(160)).filter((history) => history.length > 200);
    const displaced = long.chain((history) =>
      fc.tuple(
        fc.constant(history),
        fc.array(fc.nat(60), { minLength: history.length, maxLength: history.length }),
      ),
    );
    fc.assert(
      fc.property(displaced, ([history, delays]) => {
        const arrived = history
          .map((event, index) => ({ event, place: index + (delays[index] ?? 0) }))
          .sort((left, right) => left.place - right.place)
          .map(({ event }) => event);
        const [straight, mixed] = [receiveAll(history), receiveAll(arrived)];
        expect(mixed).toEqual(straight);
        expect(mixed.ledger.late).toBe(0);
        expect(mixed.ledger.recent.length).toBeLessThanOrEqual(MAX_RECENT);
      }),
      { numRuns: soakable(2, 10) },
    );
  });
});

const at = timeAt(60);
const buy = (id: string, more: Partial<OrderUpdate> = {}) =>
  orderEvent({ client_order_id: id, occurred_at: at, ...more });
const sell = (id: string, more: Partial<OrderUpdate> = {}) => buy(id, { side: 'sell', ...more });
const held = orderEvent({ client_order_id: 'm', average_price: '90' });

/** Returns side, quantity, entry, exit and closing order of the trades, the same for all orders of arrival. */
const tradesOf = (...events: HubEvent[]) => {
  const books = receiveAll(events);
  fc.assert(
    fc.property(shuffled(events), (arrived) => expect(receiveAll(arrived)).toEqual(books)),
    { numRuns: 12 },
  );
  return Object.values(books.trades).map(({ side, quantity, entry_average, exit_average, client_order_id }) =>
    [side, quantity, entry_average, exit_average, client_order_id].join(' '),
  );
};

describe('fills of one time', () => {
  test('close what is held before they open the next position, whatever their ids', () => {
    expect(tradesOf(held, buy('a'), sell('z'))).toEqual(['long 1 90 100 z']);
    expect(tradesOf(held, buy('z'), sell('a'))).toEqual(['long 1 90 100 a']);
    expect(tradesOf(held, sell('a'), sell('b'), buy('c'))).toEqual(['long 1 90 100 a', 'short 1 100 100 c']);
  });

  test('of a reversal: an exit comes before an entry that is larger than the position', () => {
    expect(tradesOf(held, sell('a', { filled_quantity: '3', average_price: '101' }), sell('x'))).toEqual([
      'long 1 90 100 x',
    ]);
    expect(tradesOf(held, sell('a', { filled_quantity: '3' }))).toEqual(['long 1 90 100 a']);
    expect(
      receiveAll([held, sell('a', { filled_quantity: '3' })]).ledger.head.symbols.BTCUSD?.position,
    ).toMatchObject({
      quantity: '-2',
      cost: '-200',
      opened_at: Date.parse(at),
    });
  });

  test('of a pyramid: all exits come before the next entry', () => {
    const second = orderEvent({ client_order_id: 'n', average_price: '94' });
    expect(tradesOf(held, second, buy('a', { average_price: '99' }), sell('b'), sell('c'))).toEqual([
      'long 2 92 100 c',
    ]);
  });

  test('from flat: the order that was placed first comes first, then the one with the lower number', () => {
    const placed = orderEvent({ client_order_id: 'z', filled_quantity: '0', status: 'open', sequence: 0 });
    expect(tradesOf(placed, sell('a', { average_price: '101' }), buy('z'))).toEqual(['long 1 100 101 a']);
    expect(tradesOf(sell('o-10', { average_price: '101' }), buy('o-9'))).toEqual(['long 1 100 101 o-10']);
  });

  test('take the swap of their time with the position that was held', () => {
    const charge: HubEvent = {
      kind: 'swap',
      charge: { symbol: 'BTCUSD', charge_id: 'c', occurred_at: at, amount: '-2' },
    };
    const swaps = (...events: HubEvent[]) => Object.values(receiveAll(events).trades).map(({ swap }) => swap);
    expect(swaps(held, sell('a'), charge)).toEqual(['-2']);
    const out = { occurred_at: timeAt(61) };
    expect(swaps(charge, held, buy('a'), sell('z'), sell('late', out))).toEqual(['-2', '0']);
    expect(swaps(charge, buy('a'), sell('late', out))).toEqual(['-2']);
  });
});

test('fills and swap of several symbols that the hub booked at the same place have one order', () => {
  const time = Date.parse(at);
  const entries: readonly Entry[] = [
    ['fill', time, 'BTCUSD', 'a', 1, '1', '100', '0', null, 5, 1],
    ['swap', time, 'EURUSD', 'b', '-1', 1],
    ['fill', time, 'XAUUSD', 'c', 1, '1', '100', '0', null, 3, 1],
  ];
  const { ledger } = receiveAll([]);
  fc.assert(
    fc.property(fc.shuffledSubarray([...entries], { minLength: entries.length }), (arrived) =>
      expect(inOrder(ledger.base, arrived)).toEqual(inOrder(ledger.base, entries)),
    ),
  );
});
