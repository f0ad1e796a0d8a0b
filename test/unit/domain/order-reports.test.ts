import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decimal, toText } from '../../../shared/domain/money.ts';
import { finalTimes, type OrderUpdate } from '../../../shared/domain/orders/order-record.ts';
import {
  isFinalOrderStatus,
  ORDER_STATUSES,
  type OrderStatus,
} from '../../../shared/domain/orders/order-states.ts';
import { orderUpdateSchema } from '../../../shared/domain/orders/order-update.ts';
import { soakable } from '../../support/soak.ts';
import { type HubEvent, receive, receiveAll, timeAt } from './ledger-histories.ts';

const BIGGEST = 2n ** 63n - 1n;

interface Plan {
  readonly order: number;
  readonly sequence: bigint;
  readonly status: OrderStatus;
  readonly filled: number;
  readonly price: number;
  readonly fees: number;
  readonly minute: number;
  readonly stop_loss: string | null | undefined;
}

const sequences = fc.oneof(
  fc.bigInt({ min: 0n, max: 5n }),
  fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 2n }),
  fc.bigInt({ min: BIGGEST - 2n, max: BIGGEST }),
);

const plans: fc.Arbitrary<Plan[]> = fc.array(
  fc
    .record({
      order: fc.nat(1),
      sequence: sequences,
      status: fc.constantFrom(...ORDER_STATUSES),
      filled: fc.nat(4),
      price: fc.integer({ min: -3, max: 9 }),
      fees: fc.nat(3),
      minute: fc.nat(60),
      stop_loss: fc.constantFrom('90', '0', null, undefined),
    })
    .filter(({ status, filled }) => status !== 'filled' || filled > 0),
  { minLength: 1, maxLength: 24 },
);

const eventOf = ({ order, sequence, status, filled, price, fees, minute, stop_loss }: Plan): HubEvent => ({
  kind: 'order',
  update: orderUpdateSchema.parse({
    client_order_id: `o${order}`,
    sequence: sequence <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(sequence) : String(sequence),
    occurred_at: timeAt(minute),
    symbol: order === 0 ? 'BTCUSD' : 'XAUUSD',
    side: order === 0 ? 'buy' : 'sell',
    order_type: 'market',
    quantity: '4',
    status,
    filled_quantity: String(filled),
    average_price: filled === 0 ? null : String(price),
    fees: String(fees),
    ...(stop_loss !== undefined && { stop_loss }),
  }),
});

/** Returns the first report of each sequence, lowest sequence first. */
const counted = (arrived: readonly Plan[], order: number): Plan[] => {
  const first = new Map<bigint, Plan>();
  for (const plan of arrived) {
    if (plan.order === order && !first.has(plan.sequence)) first.set(plan.sequence, plan);
  }
  return [...first.values()].sort((left, right) => (left.sequence < right.sequence ? -1 : 1));
};

/** Derives an order from all of its reports at once, by the documented rules. */
const plainOrder = (reports: readonly Plan[]) => {
  const last = reports.at(-1);
  if (!last) throw new Error('an order has reports');
  const filled = reports.find(({ status }) => status === 'filled');
  const ended = reports.find(({ status }) => status !== 'filled' && isFinalOrderStatus(status));
  const shown = (last.filled > 0 ? (filled ?? ended) : (ended ?? filled)) ?? last;
  const minutes = reports.map(({ minute }) => minute);
  return {
    status: shown.status,
    status_at: Date.parse(timeAt(shown.minute)),
    sequence: String(last.sequence),
    filled_quantity: String(last.filled),
    average_price: last.filled === 0 ? null : String(last.price),
    fees: String(last.fees),
    stop_loss: reports.findLast(({ stop_loss }) => stop_loss !== undefined)?.stop_loss ?? null,
    created_at: Date.parse(timeAt(Math.min(...minutes))),
    updated_at: Date.parse(timeAt(Math.max(...minutes))),
  };
};

describe('the reports of an order', () => {
  test('lead to the order that the rules define, in any order of arrival, with repeats and contradictions', () => {
    const arrivals = plans.chain((list) =>
      fc
        .shuffledSubarray(list)
        .chain((again) =>
          fc.shuffledSubarray([...list, ...again], { minLength: list.length + again.length }),
        ),
    );
    fc.assert(
      fc.property(arrivals, (arrived) => {
        const { ledger, orders } = receiveAll(arrived.map(eventOf));
        let fees = decimal('0');
        for (const order of [0, 1]) {
          const reports = counted(arrived, order);
          if (reports.length === 0) continue;
          const plain = plainOrder(reports);
          const stored = orders[`o${order}`];
          expect({ ...stored, sequence: String(stored?.sequence) }).toMatchObject(plain);
          const held = ledger.head.symbols[order === 0 ? 'BTCUSD' : 'XAUUSD']?.position?.quantity ?? '0';
          const filled = decimal(plain.filled_quantity);
          expect(held).toBe(toText(order === 0 ? filled : filled.neg()));
          fees = fees.plus(plain.fees);
        }
        expect(ledger.head.fees).toBe(toText(fees));
        const statuses = Object.values(orders).map(({ status }) => status);
        const counts = Object.entries(ledger.orders).flatMap(([status, count]) => Array(count).fill(status));
        expect(counts.sort()).toEqual(statuses.sort());
      }),
      { numRuns: soakable(100, 1000) },
    );
  });

  test('count once each: a second one of a sequence changes nothing, however late', () => {
    const plan = { order: 0, price: 5, fees: 1, minute: 1, stop_loss: '90' } as const;
    const books = receiveAll(
      [
        { ...plan, sequence: 1n, status: 'open' as const, filled: 0 },
        { ...plan, sequence: 2n, status: 'partially_filled' as const, filled: 2 },
        { ...plan, sequence: 3n, status: 'filled' as const, filled: 4 },
      ].map(eventOf),
    );
    for (const sequence of [1n, 2n, 3n]) {
      const other = { ...plan, sequence, status: 'cancelled' as const, filled: 1, stop_loss: '1', minute: 0 };
      expect(receive(books, eventOf(other))).toEqual(books);
    }
  });

  test('are remembered up to a limit', () => {
    const plan = { order: 0, status: 'open', filled: 0, price: 1, fees: 0, stop_loss: null } as const;
    const many = Array.from({ length: 500 }, (_, index) => ({
      ...plan,
      sequence: BigInt(index),
      minute: index,
    }));
    const books = receiveAll(many.map(eventOf));
    expect(books.orders.o0?.sequences).toHaveLength(64);
    // A repeat of a report that is no longer remembered changes nothing.
    expect(receiveAll(many.map(eventOf), books)).toEqual(books);
  });

  test('show a full fill over a cancellation, in any order, until all of it is taken back', () => {
    const plan = { order: 0, price: 5, fees: 0, stop_loss: null } as const;
    const cancelled = eventOf({ ...plan, sequence: 2n, status: 'cancelled', filled: 1, minute: 2 });
    const filled = eventOf({ ...plan, sequence: 3n, status: 'filled', filled: 4, minute: 3 });
    for (const arrived of [
      [cancelled, filled],
      [filled, cancelled],
    ]) {
      const { o0 } = receiveAll(arrived).orders;
      expect(o0).toMatchObject({ status: 'filled', filled_quantity: '4' });
      expect(o0 && finalTimes(o0)).toEqual({ filled_at: Date.parse(timeAt(3)), cancelled_at: null });
    }
    const busted = eventOf({ ...plan, sequence: 4n, status: 'cancelled', filled: 0, minute: 4 });
    expect(receiveAll([busted, filled, cancelled]).orders.o0).toMatchObject({
      status: 'cancelled',
      filled_quantity: '0',
    });
  });
});

describe('a report', () => {
  const [update] = [
    eventOf({
      order: 0,
      sequence: 1n,
      status: 'filled',
      filled: 4,
      price: 1,
      fees: 0,
      minute: 0,
      stop_loss: null,
    }),
  ].flatMap((event): OrderUpdate[] => (event.kind === 'order' ? [event.update] : []));
  const problems = (more: Record<string, unknown>): string[] =>
    orderUpdateSchema.safeParse({ ...update, ...more }).error?.issues.map(({ message }) => message) ?? [];

  test.each([
    ['0', 0],
    ['007', 7],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    [String(BIGGEST), String(BIGGEST)],
  ])('may have the sequence %j', (sequence, stored) => {
    expect(orderUpdateSchema.parse({ ...update, sequence }).sequence).toBe(stored);
  });

  test.each([2 ** 53, -1, 1.5, '-1', '1.5', '', ' 1', String(BIGGEST + 1n), '1e3'])(
    'may not have the sequence %j',
    (sequence) => {
      expect(problems({ sequence })).toEqual([expect.stringContaining('2^63 - 1')]);
    },
  );

  test('of a filled order must contain the filled quantity', () => {
    expect(problems({ filled_quantity: '0', average_price: null })).toEqual([
      'must be positive if the status is filled',
    ]);
    expect(problems({ filled_quantity: 0.0, average_price: '1' })).toHaveLength(1);
    expect(problems({ filled_quantity: '3' })).toEqual([]);
  });
});
