import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applySplitTo } from '../../../shared/domain/ledger/book-split.ts';
import { closeDays } from '../../../shared/domain/ledger/days.ts';
import { addRealized } from '../../../shared/domain/ledger/ledger-orders.ts';
import { ledgerSchema } from '../../../shared/domain/ledger/ledger-state.ts';
import { manualClose, oldestOpenOrder, openQuantity } from '../../../shared/domain/ledger/manual-close.ts';
import { positionsOf, totalsOf } from '../../../shared/domain/ledger/read-ledger.ts';
import { openHistory } from '../../../shared/domain/metrics/equity-history.ts';
import { decimal, toText } from '../../../shared/domain/money.ts';
import { dayOf } from '../../../shared/domain/periods.ts';
import {
  parseRatio,
  type Ratio,
  splitPriceText,
  splitQuantityText,
} from '../../../shared/domain/splits/ratio.ts';
import { soakable } from '../../support/soak.ts';
import {
  type Books,
  emptyBooks,
  type HubEvent,
  histories,
  orderEvent,
  receive,
  receiveAll,
  START,
  timeAt,
  timeOf,
} from './ledger-histories.ts';

const SYMBOL = 'BTCUSD';

interface SplitEvent {
  readonly kind: 'split';
  readonly at: number;
  readonly ratio: Ratio;
}

type Event = HubEvent | SplitEvent;

const take = (books: Books, event: Event): Books => {
  if (event.kind !== 'split') return receive(books, event);
  const booked = applySplitTo(books.ledger, { symbol: SYMBOL, ratio: event.ratio, at: event.at });
  if (!booked) return books;
  const { ledger, effects } = booked;
  expect(effects.realized.size).toBe(0);
  expect([...effects.trades, ...effects.removed_trades]).toEqual([]);
  return { ...books, ledger };
};

const takeAll = (events: readonly Event[]): Books => events.reduce(take, emptyBooks());

/** Ratios whose prices and quantities are exact. */
const RATIOS = ['2:1', '4:1', '10:1', '5:2', '1:10', '1:4'].flatMap((text) => parseRatio(text) ?? []);

/** Restates an event in new units. */
const restated = (event: HubEvent, ratio: Ratio): HubEvent => {
  if (event.kind === 'swap') return event;
  if (event.kind === 'quote') {
    const { quote } = event;
    return quote.symbol === SYMBOL
      ? { kind: 'quote', quote: { ...quote, price: splitPriceText(quote.price, ratio) } }
      : event;
  }
  const { update } = event;
  if (update.symbol !== SYMBOL) return event;
  return {
    kind: 'order',
    update: {
      ...update,
      quantity: splitQuantityText(update.quantity, ratio),
      filled_quantity: splitQuantityText(update.filled_quantity, ratio),
      average_price: update.average_price == null ? null : splitPriceText(update.average_price, ratio),
    },
  };
};

interface Story {
  /** In the order in which it happened, from the split on in new units. */
  readonly events: readonly Event[];
  /** The same in new units, without the split. */
  readonly restated: readonly HubEvent[];
  readonly split: SplitEvent;
}

const stories = (orders: number): fc.Arbitrary<Story> =>
  fc
    .tuple(histories(orders), fc.nat(6 * 1440), fc.constantFrom(...RATIOS))
    .map(([history, minute, ratio]) => {
      const at = START + minute * 60_000 + 30_000;
      const split: SplitEvent = { kind: 'split', at, ratio };
      const before = history.filter((event) => timeOf(event) < at);
      const after = history.filter((event) => timeOf(event) >= at).map((event) => restated(event, ratio));
      return {
        split,
        events: [...before, split, ...after],
        restated: [...before.map((event) => restated(event, ratio)), ...after],
      };
    });

const mixed = (events: readonly Event[]): fc.Arbitrary<Event[]> =>
  fc
    .tuple(
      fc.shuffledSubarray([...events], { minLength: events.length, maxLength: events.length }),
      fc.shuffledSubarray([...events]),
    )
    .map(([once, again]) => {
      const all = [...once, ...again];
      const split = all.find(({ kind }) => kind === 'split');
      if (split?.kind !== 'split') return all;
      // The split is known before the first fill in new units.
      const others = all.filter((event) => event !== split);
      const isNew = (event: Event): boolean => event.kind !== 'split' && timeOf(event) >= split.at;
      const first = others.findIndex(isNew);
      return others.toSpliced(
        first < 0 ? others.length : Math.floor(others.length / 2) % (first + 1),
        0,
        split,
      );
    });

/** Returns the totals, without the day that they are of and the number of lots. */
const moneyOf = ({ ledger }: Books) => {
  const { lots: _, closed_day: _day, today_pnl: _today, ...money } = totalsOf(ledger);
  return money;
};

/** Rounds the decimal texts of figures: a mark at the price of a fill is itself rounded at 18 decimals. */
const rounded = (figures: unknown): unknown =>
  JSON.parse(JSON.stringify(figures), (_, value: unknown) =>
    typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? toText(decimal(value).round(12)) : value,
  );

describe('a split of a position', () => {
  test('gives the same books for every order of arrival, with repeats', () => {
    fc.assert(
      fc.property(
        stories(10).chain((story) => fc.tuple(fc.constant(story), mixed(story.events))),
        ([{ events }, arrived]) => {
          const straight = takeAll(events);
          expect(takeAll(arrived)).toEqual(straight);
          expect(ledgerSchema.parse(straight.ledger)).toEqual(straight.ledger);
        },
      ),
      { numRuns: soakable(30, 300) },
    );
  });

  test('gives the same money after fills in new units, or is refused', () => {
    let booked = 0;
    fc.assert(
      fc.property(
        stories(6).chain((story) => fc.tuple(fc.constant(story), fc.nat(60))),
        ([{ events, split }, later]) => {
          const others = events.filter((event) => event !== split);
          const place = Math.min(others.length, events.indexOf(split) + 1 + (later % 6));
          const before = takeAll(others.slice(0, place));
          const filled = (isNew: boolean) =>
            others
              .slice(0, place)
              .flatMap((event) => (event.kind === 'order' ? event.update : []))
              .filter((update) => update.symbol === SYMBOL && update.filled_quantity !== '0')
              .filter(({ occurred_at: at }) => Date.parse(at) >= split.at === isNew)
              .map(({ client_order_id: id }) => id);
          const old = new Set(filled(false));
          const isAcross = filled(true).some((id) => old.has(id));
          const book = () =>
            applySplitTo(before.ledger, { symbol: SYMBOL, ratio: split.ratio, at: split.at });
          if (isAcross) {
            const left = new Set(
              before.ledger.recent.filter(([, at]) => at < split.at).map(([, , , id]) => id),
            );
            // A smaller number of new units takes back the old ones.
            if (!filled(true).some((id) => old.has(id) && left.has(id))) return;
            expect(book).toThrow('the books have passed the time of the split');
            return;
          }
          const after = book();
          if (!after) throw new Error('the split is not booked');
          const { ledger, effects } = after;
          const trades = { ...before.trades };
          for (const number of effects.removed_trades) delete trades[number];
          for (const trade of effects.trades) trades[trade.number] = trade;
          const orders = { ...before.orders };
          for (const [id, realized] of effects.realized) {
            const order = orders[id];
            if (order) orders[id] = addRealized(order, realized);
          }
          booked += 1;
          const straight = takeAll(events);
          const books = others.slice(place).reduce<Books>(take, { ...before, ledger, trades, orders });
          expect(books.trades).toEqual(straight.trades);
          expect(books.orders).toEqual(straight.orders);
          expect(totalsOf(books.ledger)).toEqual(totalsOf(straight.ledger));
          expect(positionsOf(books.ledger)).toEqual(positionsOf(straight.ledger));
        },
      ),
      { numRuns: soakable(50, 400) },
    );
    expect(booked).toBeGreaterThan(20);
  });

  test('is refused once an order has fills on both sides', () => {
    const at = START + 86_400_000;
    const { ledger } = takeAll([
      orderEvent({ client_order_id: 'o1', status: 'partially_filled', filled_quantity: '1' }),
      orderEvent({ client_order_id: 'o1', sequence: 2, occurred_at: timeAt(1441), filled_quantity: '8' }),
    ]);
    const split = { symbol: SYMBOL, ratio: { units: 4, of: 1 }, at };
    expect(() => applySplitTo(ledger, split)).toThrow('the books have passed the time of the split');
  });

  test('gives the money of a history that was in new units from the start', () => {
    fc.assert(
      fc.property(stories(12), ({ events, restated: whole }) => {
        const through = dayOf(START + 10 * 86_400_000);
        const figures = (books: Books) => {
          const { ledger, history } = closeDays(books.ledger, openHistory(dayOf(START), '10000'), through);
          return {
            money: moneyOf(books),
            positions: positionsOf(books.ledger).map(({ basis: _basis, ...position }) => position),
            days: ledger.head.days,
            history,
            trades: Object.values(books.trades).map(({ number, net, gross, fees, swap, closed_at }) => ({
              ...{ number, net, gross, fees, swap, closed_at },
            })),
            realized: Object.values(books.orders).map(({ realized_pnl, swap }) => ({ realized_pnl, swap })),
          };
        };
        expect(rounded(figures(takeAll(events)))).toEqual(rounded(figures(receiveAll(whole))));
      }),
      { numRuns: soakable(30, 300) },
    );
  });

  test('changes neither equity nor results, and is booked once', () => {
    fc.assert(
      fc.property(stories(12), ({ events, split }) => {
        const place = events.indexOf(split);
        const before = takeAll(events.slice(0, place));
        const after = take(before, split);
        expect(moneyOf(after)).toEqual(moneyOf(before));
        expect(take(after, split)).toBe(after);
        for (const [index, position] of positionsOf(after.ledger).entries()) {
          const was = positionsOf(before.ledger)[index];
          const books = ({ ledger }: Books) => ledger.head.symbols[position.symbol]?.position;
          if (position.symbol !== SYMBOL || !was) expect(position).toEqual(was);
          else {
            expect(position.quantity).toBe(splitQuantityText(was.quantity, split.ratio));
            expect(books(after)?.cost).toBe(books(before)?.cost);
            expect(position.unrealized_pnl).toBe(was.unrealized_pnl);
          }
        }
      }),
      { numRuns: soakable(30, 300) },
    );
  });

  test('keeps the sizes of what a manual close can close', () => {
    fc.assert(
      fc.property(stories(12), fc.boolean(), ({ events, split }, isSettled) => {
        const place = events.indexOf(split);
        const before = takeAll(events.slice(0, place));
        let { ledger } = take(before, split);
        if (isSettled) {
          const through = dayOf(START + 60 * 86_400_000);
          ledger = closeDays(ledger, openHistory(dayOf(START), '10000'), through).ledger;
        }
        expect(oldestOpenOrder(ledger, SYMBOL)).toBe(oldestOpenOrder(before.ledger, SYMBOL));
        for (const order of Object.values(before.orders)) {
          const was = openQuantity(before.ledger, order);
          const ratio = order.symbol === SYMBOL ? split.ratio : { units: 1, of: 1 };
          expect(toText(openQuantity(ledger, order))).toBe(splitQuantityText(toText(was), ratio));
        }
      }),
      { numRuns: soakable(20, 200) },
    );
  });

  test('rounds a quantity that no decimal holds at 18 decimals, and keeps the cost', () => {
    const bought = orderEvent({ client_order_id: 'o1', filled_quantity: '10', average_price: '30' });
    const third: SplitEvent = { kind: 'split', at: START + 86_400_000, ratio: { units: 1, of: 3 } };
    const { ledger } = takeAll([bought, third]);
    expect(positionsOf(ledger)).toMatchObject([{ quantity: '3.333333333333333333' }]);
    expect(ledger.head.symbols[SYMBOL]?.position?.cost).toBe('300');
  });

  test('lets a late fill count in old units, also one that the books have settled', () => {
    const split: SplitEvent = { kind: 'split', at: START + 86_400_000, ratio: { units: 4, of: 1 } };
    const late = orderEvent({ client_order_id: 'late', occurred_at: timeAt(60), filled_quantity: '2' });
    const { ledger } = takeAll([
      orderEvent({ client_order_id: 'o1', filled_quantity: '1', average_price: '100' }),
      split,
      late,
    ]);
    expect(positionsOf(ledger)).toMatchObject([{ quantity: '12', average_price: '25' }]);
    const early = takeAll([orderEvent({ client_order_id: 'o1', filled_quantity: '1' }), split]);
    const through = dayOf(START + 60 * 86_400_000);
    const closed = closeDays(early.ledger, openHistory(dayOf(START), '10000'), through).ledger;
    const settled = take({ ...early, ledger: closed }, late);
    expect(settled.ledger.late).toBe(1);
    expect(positionsOf(settled.ledger)).toMatchObject([{ quantity: '12', average_price: '25' }]);
  });

  test('comes after a quote and a fill of its millisecond', () => {
    const at = START + 86_400_000;
    const last = new Date(at - 1).toISOString();
    const bought = orderEvent({ client_order_id: 'o1', occurred_at: last, filled_quantity: '2' });
    const quote = { symbol: SYMBOL, occurred_at: last, price: '120' };
    const split: SplitEvent = { kind: 'split', at, ratio: { units: 4, of: 1 } };
    const sold = orderEvent({
      client_order_id: 'o2',
      side: 'sell',
      occurred_at: last,
      filled_quantity: '1',
      quantity: '1',
    });
    for (const events of [
      [bought, { kind: 'quote', quote } as const, split],
      [bought, split, { kind: 'quote', quote } as const],
    ]) {
      const { ledger, orders } = takeAll(events);
      expect(positionsOf(ledger)).toMatchObject([
        { quantity: '8', average_price: '25', last_price: '30', unrealized_pnl: '40' },
      ]);
      expect(totalsOf(ledger).equity).toBe('10040');
      if (orders.o1) expect(toText(openQuantity(ledger, orders.o1))).toBe('8');
      expect(positionsOf(take(takeAll(events), sold).ledger)).toMatchObject([{ quantity: '4' }]);
      const through = dayOf(at);
      const closed = closeDays(ledger, openHistory(dayOf(START), '10000'), through);
      expect(closed.ledger.head.equity.last).toBe('10040');
    }
  });

  test('comes after the fills of its time, and a close by hand closes new units', () => {
    const split: SplitEvent = { kind: 'split', at: START + 86_400_000, ratio: { units: 4, of: 1 } };
    const books = takeAll([orderEvent({ client_order_id: 'o1', filled_quantity: '2' }), split]);
    const order = books.orders.o1;
    if (!order) throw new Error('no order');
    const closed = manualClose(
      books.ledger,
      { ...order, close_value: null },
      { client_order_id: 'c1', price: '30', occurred_at: timeAt(1440) },
    );
    if (!closed) throw new Error('nothing is open');
    expect(closed.update.quantity).toBe('8');
    const done = take({ ...books, ledger: closed.ledger }, { kind: 'order', update: closed.update });
    expect(done.trades[1]).toMatchObject({
      quantity: '8',
      entry_average: '25',
      exit_average: '30',
      gross: '40',
    });
    expect(decimal(done.ledger.head.gross).toNumber()).toBe(40);
  });
});
