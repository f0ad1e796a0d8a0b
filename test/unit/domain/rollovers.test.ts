import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SwapTerms } from '../../../shared/domain/instruments/rollover.ts';
import { closeDays } from '../../../shared/domain/ledger/days.ts';
import { applyQuote, applySwapCharge } from '../../../shared/domain/ledger/ledger-events.ts';
import { dueRollovers, withRolloversBooked } from '../../../shared/domain/ledger/ledger-rollovers.ts';
import { type Ledger, openLedger } from '../../../shared/domain/ledger/ledger-state.ts';
import { totalsOf } from '../../../shared/domain/ledger/read-ledger.ts';
import { dueCharges, missingCharge } from '../../../shared/domain/ledger/rollover-charges.ts';
import { openHistory } from '../../../shared/domain/metrics/equity-history.ts';
import { dayOf } from '../../../shared/domain/periods.ts';
import { soakable } from '../../support/soak.ts';
import { type Books, emptyBooks, orderEvent, receive, START, timeAt } from './ledger-histories.ts';

const DAY = 1440;
/** 17:00 New York is 22:00 UTC in November; the history begins on a Monday. */
const ROLLOVER = 22 * 60;
const DAYS = 8;
const MAX_LATE = 2 * DAY;

const pips = {
  tick_size: 0.00001,
  digits: 5,
  swap_calculation: 'pips',
  triple_swap_weekday: 'wednesday',
} as const;
const TERMS: Readonly<Record<string, SwapTerms>> = {
  EURUSD: { ...pips, contract_size: 100_000, swap_long: -0.98, swap_short: 0.37 },
  XAUUSD: {
    ...pips,
    tick_size: 0.01,
    digits: 2,
    swap_calculation: 'points',
    contract_size: 100,
    swap_long: -30,
    swap_short: 12,
  },
  BTCUSD: {
    contract_size: 1,
    tick_size: 0.01,
    digits: 2,
    swap_calculation: 'percentage',
    swap_long: -20,
    swap_short: -5,
  },
};

interface Fill {
  readonly symbol: string;
  readonly minute: number;
  readonly quantity: number;
  readonly price: number;
}
type Quote = Pick<Fill, 'symbol' | 'minute' | 'price'>;

/** Computes the total charge by its definition: night by night, over all fills and quotes. */
const plainSwap = (fills: readonly Fill[], quotes: readonly Quote[]): number => {
  let total = 0;
  for (let day = 0; day < DAYS; day++) {
    const at = day * DAY + ROLLOVER;
    for (const symbol of Object.keys(TERMS)) {
      const before = fills.filter((fill) => fill.symbol === symbol && fill.minute <= at);
      const held = before.reduce((sum, { quantity }) => sum + quantity, 0);
      // Tuesday is day 1; day 2 counts the weekend's nights, days 5 and 6 count none.
      const nights = [1, 1, 3, 1, 1, 0, 0, 1][day] ?? 0;
      const amount = Math.abs(held);
      if (symbol === 'EURUSD') total += amount * (held > 0 ? -9.8 : 3.7) * nights;
      if (symbol === 'XAUUSD') total += amount * (held > 0 ? -30 : 12) * nights;
      if (symbol === 'BTCUSD') {
        // At equal times a quote prevails over a fill; of several fills the last one counts.
        const prints = [
          ...before,
          ...quotes.filter((quote) => quote.symbol === symbol && quote.minute <= at),
        ];
        const price = prints.reduce<Quote | undefined>(
          (last, print) => (last === undefined || print.minute >= last.minute ? print : last),
          undefined,
        )?.price;
        total += (amount * (price ?? 0) * (held > 0 ? -20 : -5)) / 36_000;
      }
    }
  }
  return total;
};

/** Charges like the job. */
const roll = (books: Books, through: string): Books => {
  let { ledger } = books;
  const due = dueRollovers(ledger, through);
  for (const charge of due.flatMap(dueCharges)) {
    const isTaken = ledger.recent.some(
      ([kind, , symbol, id]) => kind === 'swap' && symbol === charge.symbol && id.includes(charge.day),
    );
    const missing = missingCharge(ledger, charge, { terms: TERMS[charge.symbol], isTaken });
    const occurred_at = new Date(Date.parse(`${charge.day}T22:00:00Z`)).toISOString();
    if (missing) ledger = applySwapCharge(ledger, { ...charge, ...missing, occurred_at })?.ledger ?? ledger;
  }
  return due.length === 0 ? books : { ...books, ledger: withRolloversBooked(ledger, due, through) };
};

const opened = (): Books => ({
  ...emptyBooks(),
  ledger: openLedger({
    started_at: timeAt(0),
    starting_capital: 1_000_000,
    calendars: ['always'],
    rolls_over: true,
    symbols: Object.keys(TERMS),
  }),
});

const close = (books: Books, through: string): Books => ({
  ...books,
  ledger: closeDays(books.ledger, openHistory(dayOf(START), '1000000'), through).ledger,
});

const symbol = fc.constantFrom(...Object.keys(TERMS));
const price = fc.integer({ min: 90, max: 110 });
const late = fc.oneof(fc.constant(0), fc.nat(MAX_LATE));
// At most one event per minute, so that the order in which they count is unique.
const minute = fc.nat(DAYS * DAY - 1);
const fills = fc.uniqueArray(
  fc.record({ symbol, minute, price, late, quantity: fc.constantFrom(-3, -2, -1, 1, 2, 3) }),
  { maxLength: 20, selector: (each) => each.minute },
);
const quotes = fc.uniqueArray(fc.record({ symbol, minute, price, late }), {
  maxLength: 20,
  selector: (each) => each.minute,
});
/** Times of the jobs' runs, in minutes: any number, also none for days. */
const runs = fc.array(fc.nat(DAYS * DAY), { maxLength: 12 });

const dayBefore = (at: number, hour: number): string => dayOf(START + (at - hour * 60) * 60_000 - 86_400_000);

describe('rollovers', () => {
  test('charge every night for the positions at 17:00, whenever fills are reported and jobs run', () => {
    fc.assert(
      fc.property(fills, quotes, runs, runs, (filled, quoted, rolls, closings) => {
        const steps: { readonly at: number; readonly take: (books: Books) => Books }[] = [
          ...filled.map((fill, index) => ({
            at: fill.minute + fill.late,
            take: (books: Books) =>
              receive(
                books,
                orderEvent({
                  client_order_id: `o${index}`,
                  symbol: fill.symbol,
                  side: fill.quantity > 0 ? ('buy' as const) : ('sell' as const),
                  filled_quantity: String(Math.abs(fill.quantity)),
                  average_price: String(fill.price),
                  occurred_at: timeAt(fill.minute),
                }),
              ),
          })),
          ...quoted.map((quote) => ({
            at: quote.minute + quote.late,
            take: (books: Books) => {
              const { symbol: of, price: at, minute: when } = quote;
              const ledger = applyQuote(books.ledger, {
                symbol: of,
                price: String(at),
                occurred_at: timeAt(when),
              });
              return { ...books, ledger };
            },
          })),
          // A day's charges are due at its rollover, its closing at its end.
          ...rolls.map((at) => ({ at, take: (books: Books) => roll(books, dayBefore(at, -2)) })),
          ...closings.map((at) => ({ at, take: (books: Books) => close(books, dayBefore(at, 0)) })),
        ];
        const sorted = steps.toSorted((left, right) => left.at - right.at);
        const all = sorted.reduce((books, { take }) => take(books), opened());
        const last = dayOf(START + (DAYS - 1) * DAY * 60_000);
        const rolled = roll(all, last);
        const inOrder = filled.toSorted((left, right) => left.minute - right.minute);
        const inTime = quoted.toSorted((left, right) => left.minute - right.minute);
        expect(Number(totalsOf(rolled.ledger).swap)).toBeCloseTo(plainSwap(inOrder, inTime), 6);
        expect(roll(rolled, last)).toBe(rolled);
      }),
      { numRuns: soakable(50, 800) },
    );
  });

  test('keep the positions if the ledger forgets single events before the job runs', () => {
    const order = (id: number, at: number): ReturnType<typeof orderEvent> =>
      orderEvent({
        client_order_id: `o${id}`,
        symbol: 'EURUSD',
        filled_quantity: '1',
        occurred_at: timeAt(at),
      });
    let books = receive(opened(), order(0, 0));
    for (let id = 1; id <= 250; id++) books = receive(books, order(id, 3 * DAY + id));
    const rolled: Ledger = roll(books, dayOf(START + 2 * DAY * 60_000)).ledger;
    expect(Number(totalsOf(rolled).swap)).toBeCloseTo(5 * -9.8, 9);
  });
});
