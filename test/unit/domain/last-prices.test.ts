import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { closeDays } from '../../../shared/domain/ledger/days.ts';
import {
  heldToMark,
  type LastPrices,
  markedFigures,
  symbolsToMark,
  withLastPrices,
} from '../../../shared/domain/ledger/last-prices.ts';
import type { Ledger } from '../../../shared/domain/ledger/ledger-state.ts';
import { metricsOf } from '../../../shared/domain/ledger/metrics.ts';
import { positionsOf, totalsAt, totalsOf } from '../../../shared/domain/ledger/read-ledger.ts';
import { openHistory } from '../../../shared/domain/metrics/equity-history.ts';
import { dayOf } from '../../../shared/domain/periods.ts';
import { soakable } from '../../support/soak.ts';
import {
  CONTRACT_SIZES,
  emptyBooks,
  type HubEvent,
  histories,
  orderEvent,
  receive,
  receiveAll,
  START,
  timeAt,
} from './ledger-histories.ts';

const DAY_MS = 86_400_000;
const SYMBOLS = Object.keys(CONTRACT_SIZES);

const figuresOf = (ledger: Ledger) => ({
  starting_capital: ledger.starting_capital,
  positions: positionsOf(ledger),
  totals: totalsOf(ledger),
});

const quote = (symbol: string, minute: number, price: string): HubEvent => ({
  kind: 'quote',
  quote: { symbol, occurred_at: timeAt(minute), price },
});

const lastPrice = (symbol: string, minute: number, price: string): LastPrices =>
  new Map([[symbol, { price, at: START + minute * 60_000 }]]);

/** Prices of some symbols at odd milliseconds, so that none is as old as an event. */
const prices = fc.array(
  fc.record({
    symbol: fc.constantFrom(...SYMBOLS),
    at: fc.integer({ min: 0, max: 8 * DAY_MS }).map((ms) => START + ms - (ms % 60_000) + 7),
    price: fc.integer({ min: 1, max: 20_000 }).map((cents) => (cents / 100).toFixed(2)),
  }),
  { maxLength: 3 },
);

const daysClosed = fc.option(fc.nat(9), { nil: undefined });

const booksOf = (history: readonly HubEvent[], days: number | undefined) => {
  const books = receiveAll(history);
  if (days === undefined) return books;
  const through = dayOf(START + days * DAY_MS);
  const { ledger } = closeDays(books.ledger, openHistory(dayOf(START), '10000'), through);
  return { ...books, ledger };
};

describe('a position marked at its last price', () => {
  test('gives the figures of a quote event of the same price on the day of that price, over any history and closed days', () => {
    fc.assert(
      fc.property(histories(8, {}), prices, daysClosed, (history, made, days) => {
        const books = booksOf(history, days);
        const last = new Map(made.map(({ symbol, ...price }) => [symbol, price]));
        const isNewest = (symbol: string, at: number): boolean =>
          positionsOf(books.ledger).some(
            (held) =>
              held.symbol === symbol &&
              at > (held.as_of === null ? 0 : Date.parse(held.as_of)) &&
              at > (held.basis?.filled_at ?? Number.NaN),
          );
        const newer = [...last].filter(([symbol, { at }]) => isNewest(symbol, at));
        const quoted = newer
          .map(([symbol, { price, at }]): HubEvent => {
            return { kind: 'quote', quote: { symbol, price, occurred_at: new Date(at).toISOString() } };
          })
          .reduce(receive, books).ledger;
        const figures = figuresOf(books.ledger);
        const newest = Math.max(START, ...newer.map(([, { at }]) => at));
        const totals = totalsAt(figures.totals, newest, START);
        expect(markedFigures({ ...figures, totals }, last)).toEqual(figuresOf(quoted));
        const now = new Date(START + 9 * DAY_MS).toISOString();
        expect(metricsOf(withLastPrices(books.ledger, last), now, 'USD')).toEqual(
          metricsOf(quoted, now, 'USD'),
        );
      }),
      { numRuns: soakable(60, 2000) },
    );
  });

  const bought = orderEvent({ client_order_id: 'a', occurred_at: timeAt(10), average_price: '100' });
  const held = receive(emptyBooks(), bought).ledger;

  test('has a result without any quote', () => {
    expect(figuresOf(held).totals.unrealized_pnl).toBeNull();
    const marked = markedFigures(figuresOf(held), lastPrice('BTCUSD', 11, '110'));
    expect(marked.positions).toMatchObject([{ last_price: '110', unrealized_pnl: '10', as_of: timeAt(11) }]);
    expect(marked.totals).toMatchObject({
      unrealized_pnl: '10',
      total_pnl: '10',
      today_pnl: '10',
      equity: '10010',
      as_of: timeAt(11),
    });
  });

  test.each([
    ['its last fill', 10, [bought]],
    ['its last quote', 20, [bought, quote('BTCUSD', 20, '105')]],
  ])('keeps its mark if the price is not newer than %s', (_kind, minute, events) => {
    const { ledger } = receiveAll(events);
    const figures = figuresOf(ledger);
    expect(markedFigures(figures, lastPrice('BTCUSD', minute, '110'))).toBe(figures);
    expect(withLastPrices(ledger, lastPrice('BTCUSD', minute, '110'))).toBe(ledger);
  });

  test('keeps its mark if the symbol is quoted in another currency', () => {
    const { ledger } = receive(
      emptyBooks(),
      orderEvent({ client_order_id: 'a', occurred_at: timeAt(10), rate: '1.1' }),
    );
    const figures = figuresOf(ledger);
    expect([symbolsToMark(figures), heldToMark(ledger)]).toEqual([[], []]);
    expect(markedFigures(figures, lastPrice('BTCUSD', 11, '110'))).toBe(figures);
    expect(withLastPrices(ledger, lastPrice('BTCUSD', 11, '110'))).toBe(ledger);
  });

  test('moves the equity of the closed day, not today’s result, if the price is of that day', () => {
    const { ledger } = closeDays(held, openHistory(dayOf(START), '10000'), dayOf(START));
    const of = (minute: number) =>
      markedFigures(figuresOf(ledger), lastPrice('BTCUSD', minute, '110')).totals.today_pnl;
    expect([of(11), of(1441)]).toEqual(['0', '10']);
  });

  test('ignores a price more than a year ahead of the books', () => {
    expect(withLastPrices(held, lastPrice('BTCUSD', 500 * 1440, '110'))).toBe(held);
  });
});
