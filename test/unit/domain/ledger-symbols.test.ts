import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { packLedger } from '../../../shared/data/books/packed-ledger.ts';
import {
  ledgerSchema,
  MAX_HELD,
  MAX_OPEN_SYMBOLS,
  MAX_QUOTES,
  MAX_SPARE,
} from '../../../shared/domain/ledger/ledger-state.ts';
import { symbolTotals, totalsOf } from '../../../shared/domain/ledger/read-ledger.ts';
import { exactBooks } from '../../support/exact-books.ts';
import { soakable } from '../../support/soak.ts';
import { planned } from '../../support/trading-events.ts';
import { Fraction } from './fractions.ts';
import { type HubEvent, orderEvent, receiveAll, timeAt } from './ledger-histories.ts';

const quote = (symbol: string, minute: number, price = '100'): HubEvent => ({
  kind: 'quote',
  quote: { symbol, occurred_at: timeAt(minute), price },
});

const rejected = (symbol: string, minute: number): HubEvent =>
  orderEvent({
    client_order_id: `rejected-${symbol}`,
    occurred_at: timeAt(minute),
    symbol,
    status: 'rejected',
    filled_quantity: '0',
    average_price: null,
  });

const fill = (id: string, symbol: string, minute: number, side: 'buy' | 'sell', price = '100'): HubEvent =>
  orderEvent({
    client_order_id: id,
    occurred_at: timeAt(minute),
    symbol,
    side,
    average_price: price,
    fees: '0.1',
  });

const swap = (symbol: string, minute: number): HubEvent => ({
  kind: 'swap',
  charge: { symbol, charge_id: `${symbol}-${minute}`, occurred_at: timeAt(minute), amount: '-0.5' },
});

const names = (count: number, prefix = 'S'): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

test('a fill is accepted after any quotes and rejected orders', () => {
  const others = names(200).flatMap((symbol, index) => [quote(symbol, index), rejected(symbol, index)]);
  const { ledger } = receiveAll([...others, fill('a', 'ANOTHER', 300, 'buy')]);
  expect(ledger.head.symbols.ANOTHER?.position?.quantity).toBe('1');
  expect(ledger.orders).toEqual({ rejected: 200, filled: 1 });
  expect(ledger.quotes).toEqual({});
  expect(Object.keys(ledger.contract_sizes).length).toBeLessThanOrEqual(MAX_SPARE + 1);
});

test("a quote of the deployment's own symbol is kept before its fill; one of another symbol is not", () => {
  const { ledger } = receiveAll([quote('BTCUSD', 0), quote('OTHER', 0), fill('a', 'OTHER', 1, 'buy')]);
  expect(Object.keys(ledger.quotes)).toEqual(['BTCUSD']);
  const { quotes } = receiveAll([fill('a', 'OTHER', 1, 'buy'), quote('OTHER', 2)]).ledger;
  expect(Object.keys(quotes)).toEqual(['OTHER']);
});

test('flat symbols without remembered entries leave the ledger, and their results stay in the totals', () => {
  const events = names(700).flatMap((symbol, index) => [
    fill(`b-${symbol}`, symbol, index * 2, 'buy', '100'),
    quote(symbol, index * 2, '100.5'),
    fill(`s-${symbol}`, symbol, index * 2 + 1, 'sell', '101'),
  ]);
  const { ledger, trades } = receiveAll(events);
  expect(totalsOf(ledger)).toMatchObject({ gross: '700', fees: '140', trades_count: 700, fills: 1400 });
  expect(Object.keys(trades)).toHaveLength(700);
  expect(ledger.head.symbols).toEqual({});
  expect(Object.keys(ledger.quotes).length).toBeLessThanOrEqual(51);
  expect(Object.keys(ledger.contract_sizes).length).toBeLessThanOrEqual(51 + MAX_SPARE);
});

test('the swap of closed positions is kept per symbol for the last ones, and in the total for all', () => {
  const events = names(300).flatMap((symbol, index) => [
    fill(`b-${symbol}`, symbol, index * 3, 'buy'),
    swap(symbol, index * 3 + 1),
    fill(`s-${symbol}`, symbol, index * 3 + 2, 'sell'),
  ]);
  const { ledger } = receiveAll(events);
  expect(totalsOf(ledger).swap).toBe('-150');
  const shown = symbolTotals(ledger).map(({ symbol }) => symbol);
  expect(shown).toEqual(expect.arrayContaining(names(300).slice(-MAX_SPARE)));
  expect(shown.length).toBeLessThanOrEqual(MAX_SPARE + 34);
});

test('an order keeps its contract size after its symbol left the ledger', () => {
  const part = (sequence: number, minute: number, filled: string): HubEvent =>
    orderEvent({
      client_order_id: 'gold',
      symbol: 'XAUUSD',
      sequence,
      occurred_at: timeAt(minute),
      quantity: '2',
      status: 'partially_filled',
      filled_quantity: filled,
      average_price: '10',
    });
  const between = names(300).map((symbol, index) => rejected(symbol, index + 2));
  const flat = fill('out', 'XAUUSD', 1, 'sell', '10');
  const { ledger } = receiveAll([part(1, 0, '1'), flat, ...between, part(2, 400, '2')]);
  // 100 units per lot, bought twice and sold once.
  expect(totalsOf(ledger).traded_value).toBe('3000');
});

test('books of any number of symbols equal the sum of all fills', () => {
  const history = fc.array(
    fc.record({
      symbol: fc.nat(90).map((index) => `S${index}`),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      price: fc.integer({ min: 90, max: 110 }),
      kind: fc.constantFrom(
        'fill' as const,
        'fill' as const,
        'swap' as const,
        'quote' as const,
        'rejected' as const,
      ),
    }),
    { minLength: 100, maxLength: 400 },
  );
  fc.assert(
    fc.property(fc.noShrink(history), (made) => {
      const events = made.map(({ symbol, side, price, kind }, minute): HubEvent => {
        if (kind === 'fill') return fill(`o${minute}`, symbol, minute, side, String(price));
        if (kind === 'swap') return swap(symbol, minute);
        return kind === 'quote' ? quote(symbol, minute) : rejected(`${symbol}-${minute}`, minute);
      });
      const { ledger, trades } = receiveAll(events);
      expect(ledgerSchema.parse(ledger)).toEqual(ledger);
      const exact = exactBooks(
        events.map((event) => {
          const { detail, ...rest } = planned(0, event);
          return { ...rest, detail: { ...detail, contract_size: '1' } };
        }),
      );
      expect(Fraction.of(ledger.head.gross).isCloseTo(exact.gross, 12)).toBe(true);
      expect(Fraction.of(ledger.head.swap)).toEqual(exact.swap);
      expect(Object.keys(trades)).toHaveLength(exact.trades.length);
      const open = Object.entries(ledger.head.symbols).filter(([, { position }]) => position !== null);
      expect(open.map(([symbol]) => symbol).sort()).toEqual([...exact.open.keys()].sort());
    }),
    { numRuns: soakable(8, 80) },
  );
});

test('the largest possible ledger fits an item', () => {
  let state = 1;
  /** Pseudo-random digits, the same in each run; they compress worst. */
  const digits = (count: number): string =>
    Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return String(Math.floor((state / 2 ** 32) * 10));
    }).join('');
  const long = (): string => `1${digits(13)}.${digits(17)}1`;
  const symbols = Array.from({ length: MAX_OPEN_SYMBOLS }, () => digits(64));
  const opened = receiveAll(
    symbols.map((symbol, index) =>
      orderEvent({
        client_order_id: digits(128),
        occurred_at: timeAt(index),
        symbol,
        filled_quantity: `1.${digits(17)}1`,
        average_price: long(),
        fees: long(),
      }),
    ),
  );
  const quoted = receiveAll(
    symbols.flatMap((symbol, index) => [0, 1, 2].map((day) => quote(symbol, day * 1440 + index, long()))),
    opened,
  );
  expect(Object.values(quoted.ledger.quotes).flat().length).toBeLessThanOrEqual(
    MAX_QUOTES + MAX_OPEN_SYMBOLS,
  );
  expect(Object.keys(quoted.ledger.head.symbols)).toHaveLength(MAX_OPEN_SYMBOLS);
  const heldAt = (days: number, count: number) =>
    Array.from({ length: days }, (_, day): [string, [string, string, string][]] => [
      timeAt(day * 1440).slice(0, 10),
      symbols.slice(0, count).map((symbol) => [symbol, `1.${digits(17)}1`, long()]),
    ]);
  const held = [...heldAt(1, MAX_HELD - MAX_OPEN_SYMBOLS), ...heldAt(1, MAX_OPEN_SYMBOLS)];
  const ledger = { ...quoted.ledger, rollovers: { through: timeAt(0).slice(0, 10), held } };
  expect(packLedger(ledger).length).toBeLessThan(350_000);
});
