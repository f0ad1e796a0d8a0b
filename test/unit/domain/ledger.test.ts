import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applyQuote, applySwapCharge } from '../../../shared/domain/ledger/ledger-events.ts';
import { applyOrderUpdate } from '../../../shared/domain/ledger/ledger-orders.ts';
import {
  LedgerError,
  MAX_OPEN_SYMBOLS,
  MAX_QUOTES,
  MAX_RECENT,
} from '../../../shared/domain/ledger/ledger-state.ts';
import { phaseOf, positionsOf, symbolTotals, totalsOf } from '../../../shared/domain/ledger/read-ledger.ts';
import { finalTimes, type OrderUpdate } from '../../../shared/domain/orders/order-record.ts';
import { orderUpdateSchema } from '../../../shared/domain/orders/order-update.ts';
import { ExactPosition, Fraction } from './fractions.ts';
import {
  type Books,
  CONTRACT_SIZES,
  type HubEvent,
  histories,
  orderEvent,
  receive,
  receiveAll,
  timeAt,
} from './ledger-histories.ts';

const order = (
  client_order_id: string,
  minute: number,
  side: 'buy' | 'sell',
  filled_quantity: string,
  average_price: string,
  more: Partial<OrderUpdate> = {},
): HubEvent =>
  orderEvent({ client_order_id, occurred_at: timeAt(minute), side, filled_quantity, average_price, ...more });

const swap = (charge_id: string, minute: number, amount: string): HubEvent => ({
  kind: 'swap',
  charge: { symbol: 'BTCUSD', charge_id, occurred_at: timeAt(minute), amount },
});

const quote = (minute: number, price: string): HubEvent => ({
  kind: 'quote',
  quote: { symbol: 'BTCUSD', occurred_at: timeAt(minute), price },
});

const totals = (books: Books) => totalsOf(books.ledger);

describe('a ledger', () => {
  test('writes a trade when a position returns to zero, net of fees and swap', () => {
    const books = receiveAll([
      order('a', 0, 'buy', '2', '100', { fees: '1' }),
      swap('s', 5, '-0.5'),
      order('b', 10, 'sell', '2', '110', { fees: '1.5' }),
    ]);
    expect(books.trades[1]).toEqual({
      number: 1,
      symbol: 'BTCUSD',
      side: 'long',
      quantity: '2',
      entry_average: '100',
      entry_value: '200',
      exit_average: '110',
      gross: '20',
      fees: '2.5',
      swap: '-0.5',
      net: '17',
      opened_at: timeAt(0),
      closed_at: timeAt(10),
      duration_s: 600,
      client_order_id: 'b',
    });
    expect(totals(books)).toMatchObject({ realized_pnl: '17', gross: '20', fees: '2.5', swap: '-0.5' });
    expect(totals(books)).toMatchObject({ unrealized_pnl: '0', total_pnl: '17', equity: '10017', lots: '4' });
    expect(books.orders.b).toMatchObject({ realized_pnl: '20', swap: '-0.5', fees: '1.5' });
    expect(books.orders.a).toMatchObject({ realized_pnl: null, swap: '0' });
    expect(phaseOf(books.ledger)).toBe('exited');
  });

  test('reads reports as cumulative: the difference is filled', () => {
    const part = { sequence: 1, status: 'partially_filled', quantity: '3', fees: '0.1' } as const;
    const books = receiveAll([
      order('a', 0, 'buy', '1', '100', part),
      order('a', 1, 'buy', '3', '102', { ...part, sequence: 2, status: 'filled', fees: '0.3' }),
    ]);
    expect(positionsOf(books.ledger)[0]).toMatchObject({ quantity: '3', average_price: '102' });
    expect(totals(books)).toMatchObject({ fees: '0.3', fills: 2, realized_pnl: '-0.3' });
    expect(phaseOf(books.ledger)).toBe('entered');
  });

  test('is unchanged by a repeat', () => {
    const event = order('a', 0, 'buy', '1', '100');
    const books = receiveAll([event]);
    if (event.kind !== 'order') throw new Error('no order');
    const again = applyOrderUpdate(books.ledger, books.orders.a, event.update, '1');
    expect(again.changed).toBe(false);
    expect(again.ledger).toBe(books.ledger);
  });

  test('keeps the values of a later report when an older one arrives', () => {
    const latest = order('a', 9, 'buy', '3', '102', { sequence: 7, fees: '0.3' });
    const older = order('a', 1, 'buy', '1', '100', { sequence: 2, status: 'partially_filled', fees: '0.1' });
    const books = receiveAll([latest, older]);
    expect(books.orders.a).toMatchObject({
      status: 'filled',
      sequence: 7,
      filled_quantity: '3',
      fees: '0.3',
    });
    expect(totals(books)).toMatchObject({ lots: '3', traded_value: '306', fees: '0.3' });
    // The older report only adds when the first part was filled.
    expect(positionsOf(books.ledger)[0]?.opened_at).toBe(timeAt(1));
  });

  test('splits a flip into a closed trade and an opened position', () => {
    const books = receiveAll([
      order('a', 0, 'buy', '1', '100'),
      order('b', 1, 'sell', '3', '90', { fees: '3' }),
    ]);
    expect(books.trades[1]).toMatchObject({ gross: '-10', fees: '1', net: '-11', quantity: '1' });
    expect(positionsOf(books.ledger)).toMatchObject([{ side: 'short', quantity: '2', average_price: '90' }]);
  });

  test('multiplies by the contract size', () => {
    const euro = { symbol: 'EURUSD' };
    const books = receiveAll([
      order('a', 0, 'buy', '0.1', '1.1', euro),
      { kind: 'quote', quote: { symbol: 'EURUSD', occurred_at: timeAt(3), price: '1.1025' } },
    ]);
    expect(totals(books)).toMatchObject({ unrealized_pnl: '25', as_of: timeAt(3), traded_value: '11000' });
  });

  test('has no unrealised result without a quote', () => {
    const books = receiveAll([order('a', 0, 'buy', '1', '100', { fees: '1' })]);
    expect(totals(books)).toMatchObject({ unrealized_pnl: null, as_of: null, total_pnl: '-1' });
    expect(positionsOf(books.ledger)[0]).toMatchObject({
      last_price: null,
      unrealized_pnl: null,
      as_of: null,
    });
  });

  test('ignores quotes older than the latest', () => {
    const books = receiveAll([order('a', 0, 'buy', '1', '100'), quote(5, '105'), quote(4, '90')]);
    expect(positionsOf(books.ledger)[0]).toMatchObject({ last_price: '105', unrealized_pnl: '5' });
  });

  test('counts a swap charge once, and separates accrued from realised', () => {
    const books = receiveAll([order('a', 0, 'buy', '1', '100'), swap('s', 1, '-2'), swap('s', 1, '-2')]);
    expect(symbolTotals(books.ledger)).toMatchObject([
      { swap: '-2', accrued_swap: '-2', realized_swap: '0' },
    ]);
    expect(applySwapCharge(books.ledger, { ...chargeOf('s'), amount: '-2' })).toBeUndefined();
    const closed = receive(books, order('b', 2, 'sell', '1', '100'));
    expect(symbolTotals(closed.ledger)).toMatchObject([
      { swap: '-2', accrued_swap: '0', realized_swap: '-2' },
    ]);
  });

  test('reverses fills that a broker takes back', () => {
    const books = receiveAll([
      order('a', 0, 'buy', '3', '100', { fees: '0.3' }),
      order('a', 2, 'buy', '2', '100', { sequence: 2, fees: '0.2' }),
    ]);
    expect(positionsOf(books.ledger)[0]).toMatchObject({ quantity: '2', average_price: '100' });
    expect(totals(books)).toMatchObject({ fees: '0.2' });
  });

  test('removes trades that a late fill undoes', () => {
    const early = receiveAll([order('a', 0, 'buy', '1', '100'), order('c', 9, 'sell', '1', '110')]);
    expect(Object.keys(early.trades)).toHaveLength(1);
    const late = receive(early, order('b', 5, 'buy', '1', '104'));
    expect(late.trades).toEqual({});
    expect(late.orders.c?.realized_pnl).toBe('8');
    expect(late.ledger.late).toBe(0);
  });

  test('counts a fill from before its memory at its oldest time, as late', () => {
    const many = Array.from({ length: MAX_RECENT + 5 }, (_, index) =>
      order(`o${index}`, index + 10, index % 2 === 0 ? 'buy' : 'sell', '1', '100'),
    );
    const books = receiveAll([...many, order('late', 0, 'buy', '1', '90')]);
    expect(books.ledger.late).toBe(1);
    expect(totals(books)).toMatchObject({ lots: String(many.length + 1) });
    expect(positionsOf(books.ledger)[0]?.quantity).toBe('2');
  });

  test('refuses events that it cannot apply', () => {
    const books = receiveAll([order('a', 0, 'buy', '1', '100')]);
    const codeOf = (event: HubEvent, from = books): unknown => {
      try {
        receive(from, event);
      } catch (error) {
        return error instanceof LedgerError ? error.code : error;
      }
      return undefined;
    };
    expect(codeOf(order('a', 0, 'sell', '1', '100', { sequence: 2 }))).toBe('order_changed');
    expect(codeOf(order('b', 800 * 1440, 'buy', '1', '100'))).toBe('too_far_ahead');
    const symbols = Array.from({ length: MAX_OPEN_SYMBOLS - 1 }, (_, index) =>
      order(`s${String(index).padStart(3, '0')}`, 0, 'buy', '1', '1', { symbol: `S${index}` }),
    );
    const full = receiveAll(symbols, books);
    expect(codeOf(order('x', 0, 'buy', '1', '1', { symbol: 'X' }), full)).toBe('too_many_symbols');
    expect(codeOf(order('y', 0, 'buy', '1', '1', { symbol: 'S0' }), full)).toBeUndefined();
    const one = receive(full, order('z', 0, 'sell', '1', '1', { symbol: 'S0' }));
    expect(codeOf(order('x', 0, 'buy', '1', '1', { symbol: 'X' }), one)).toBeUndefined();
  });

  test('keeps few quotes, however many arrive', () => {
    let { ledger } = receiveAll([order('a', 0, 'buy', '1', '100')]);
    for (let day = 0; day < 700; day += 1) {
      ledger = applyQuote(ledger, {
        symbol: 'BTCUSD',
        occurred_at: timeAt(day * 1440),
        price: String(100 + day),
      });
    }
    expect(ledger.quotes.BTCUSD?.length).toBeLessThanOrEqual(MAX_QUOTES);
    expect(totalsOf(ledger).unrealized_pnl).toBe('699');
  });
});

const chargeOf = (charge_id: string) => ({ symbol: 'BTCUSD', charge_id, occurred_at: timeAt(1) });

describe('an order', () => {
  const open = { status: 'open', filled_quantity: '0', average_price: null, quantity: '1' } as const;

  test('counts by status', () => {
    const events = [
      orderEvent({ client_order_id: 'a', ...open }),
      orderEvent({ client_order_id: 'b', ...open }),
      orderEvent({ client_order_id: 'b', sequence: 2, occurred_at: timeAt(4), filled_quantity: '1' }),
    ];
    const books = receiveAll(events);
    expect(books.ledger.orders).toEqual({ open: 1, filled: 1 });
    expect(books.orders.b).toMatchObject({ status: 'filled', first_filled_at: Date.parse(timeAt(4)) });
    expect(books.orders.b && finalTimes(books.orders.b)).toEqual({
      filled_at: Date.parse(timeAt(4)),
      cancelled_at: null,
    });
  });

  test('keeps optional fields that a report omits, and clears those that are null', () => {
    const books = receiveAll([
      orderEvent({
        client_order_id: 'a',
        ...open,
        broker_order_id: 'B1',
        stop_loss: '90',
        expected_price: '100',
      }),
      orderEvent({ client_order_id: 'a', ...open, sequence: 2, stop_loss: null }),
    ]);
    expect(books.orders.a).toMatchObject({ broker_order_id: 'B1', stop_loss: null, expected_price: '100' });
  });

  test('needs a price once something is filled', () => {
    const event = orderEvent({ client_order_id: 'a' });
    const update = event.kind === 'order' ? event.update : undefined;
    expect(orderUpdateSchema.safeParse({ ...update, average_price: null }).success).toBe(false);
    expect(orderUpdateSchema.safeParse({ ...update, quantity: '0' }).success).toBe(false);
    expect(
      orderUpdateSchema.parse({ ...update, quantity: 1e-8, filled_quantity: 1e-8, average_price: 0.1 }),
    ).toMatchObject({
      quantity: '0.00000001',
      average_price: '0.1',
    });
  });
});

test('a history in order equals exact weighted-average cost', () => {
  fc.assert(
    fc.property(histories(20), (history) => {
      const { ledger } = receiveAll(history);
      const positions = new Map<string, ExactPosition>();
      const filled = new Map<
        string,
        { quantity: Fraction; value: Fraction; sign: Fraction; symbol: string }
      >();
      for (const [, , symbol, , , quantity, value] of [...ledger.recent].filter(
        (entry) => entry[0] === 'fill',
      )) {
        const position = positions.get(symbol) ?? new ExactPosition();
        positions.set(symbol, position);
        position.fill(Fraction.of(quantity ?? '0'), Fraction.of(value ?? '0'));
      }
      for (const event of history) {
        if (event.kind !== 'order') continue;
        const { client_order_id: id, symbol, side, filled_quantity, average_price } = event.update;
        const quantity = Fraction.of(filled_quantity);
        const size = Fraction.of(CONTRACT_SIZES[symbol] ?? '1');
        const value = quantity.times(Fraction.of(average_price ?? '0')).times(size);
        filled.set(id, { quantity, value, sign: Fraction.of(side === 'buy' ? '1' : '-1'), symbol });
      }
      let [realized, held] = [Fraction.of('0'), Fraction.of('0')];
      for (const [symbol, exact] of positions) {
        const position = ledger.head.symbols[symbol]?.position;
        expect(Fraction.of(position?.quantity ?? '0')).toEqual(exact.quantity);
        expect(Fraction.of(position?.cost ?? '0').isCloseTo(exact.cost, 12)).toBe(true);
        realized = realized.plus(exact.realized);
        held = held.plus(Fraction.of(position?.cost ?? '0'));
      }
      expect(Fraction.of(ledger.head.gross).isCloseTo(realized, 12)).toBe(true);
      // Realised result minus the cost of open positions equals all cash that moved.
      const cash = [...filled.values()].reduce(
        (sum, { value, sign }) => sum.minus(value.times(sign)),
        Fraction.of('0'),
      );
      expect(Fraction.of(ledger.head.gross).minus(held)).toEqual(cash);
    }),
    { numRuns: 100 },
  );
});
