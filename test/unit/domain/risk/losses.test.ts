import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decimal } from '../../../../shared/domain/money.ts';
import { dayOf } from '../../../../shared/domain/periods.ts';
import { exactAmount, storedAmount } from '../../../../shared/domain/risk/amount.ts';
import { judge, nearOrders, orderUsages } from '../../../../shared/domain/risk/check-book.ts';
import { dayStart, equityAmount } from '../../../../shared/domain/risk/equity.ts';
import type { MergedLimits } from '../../../../shared/domain/risk/limits.ts';
import { lossUsages, nearLosses } from '../../../../shared/domain/risk/losses.ts';
import {
  moveTo,
  type RiskState,
  raisePeak,
  rearm,
  startRisk,
  withBaseline,
} from '../../../../shared/domain/risk/state.ts';
import { soakable } from '../../../support/soak.ts';
import { Fraction } from '../fractions.ts';
import {
  type Books,
  CONTRACT_SIZES,
  emptyBooks,
  type HubEvent,
  orderEvent,
  receive,
  START,
  timeAt,
} from '../ledger-histories.ts';

type Step =
  | { readonly kind: 'fill'; readonly symbol: string; readonly quantity: number; readonly price: string }
  | { readonly kind: 'quote'; readonly symbol: string; readonly price: string }
  | { readonly kind: 'swap'; readonly symbol: string; readonly amount: string };

const SYMBOLS = ['BTCUSD', 'XAUUSD'];
const FEE = '0.35';
const ZERO = Fraction.of('0');

const price = fc.integer({ min: 8000, max: 12_000 }).map((cents) => (cents / 100).toFixed(2));
const symbol = fc.constantFrom(...SYMBOLS);

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('fill' as const),
    symbol,
    quantity: fc.constantFrom(-2, -1, 1, 2),
    price,
  }),
  fc.record({ kind: fc.constant('quote' as const), symbol, price }),
  fc.record({
    kind: fc.constant('swap' as const),
    symbol,
    amount: fc.integer({ min: -300, max: 100 }).map((cents) => (cents / 100).toFixed(2)),
  }),
);

/** Steps at later and later minutes, over some days. Every symbol is quoted first. */
const histories = fc
  .array(fc.record({ step, wait: fc.integer({ min: 1, max: 700 }) }), { minLength: 1, maxLength: 25 })
  .map((waits) => {
    let minute = SYMBOLS.length;
    const first = SYMBOLS.map((name, index) => ({
      step: { kind: 'quote' as const, symbol: name, price: '100' },
      minute: index,
    }));
    return [
      ...first,
      ...waits.map(({ step: each, wait }) => {
        minute += wait;
        return { step: each, minute };
      }),
    ];
  });

const eventOf = (each: Step, minute: number): HubEvent => {
  const occurred_at = timeAt(minute);
  if (each.kind === 'quote') return { kind: 'quote', quote: { ...each, occurred_at } };
  if (each.kind === 'swap') {
    return { kind: 'swap', charge: { ...each, charge_id: `s${minute}`, occurred_at } };
  }
  return orderEvent({
    client_order_id: `o${minute}`,
    occurred_at,
    symbol: each.symbol,
    side: each.quantity > 0 ? 'buy' : 'sell',
    quantity: String(Math.abs(each.quantity)),
    filled_quantity: String(Math.abs(each.quantity)),
    average_price: each.price,
    fees: FEE,
  });
};

/** Cash and holdings, kept by plain addition in exact fractions. */
class Wallet {
  cash = Fraction.of('10000');
  readonly held = new Map<string, Fraction>();
  readonly prices = new Map<string, Fraction>();

  take(each: Step): void {
    if (each.kind === 'swap') {
      this.cash = this.cash.plus(
        each.amount.startsWith('-')
          ? ZERO.minus(Fraction.of(each.amount.slice(1)))
          : Fraction.of(each.amount),
      );
      return;
    }
    this.prices.set(each.symbol, Fraction.of(each.price));
    if (each.kind === 'quote') return;
    const units = this.#units(each.symbol, each.quantity);
    this.held.set(each.symbol, (this.held.get(each.symbol) ?? ZERO).plus(units));
    this.cash = this.cash.minus(units.times(Fraction.of(each.price))).minus(Fraction.of(FEE));
  }

  equity(): Fraction {
    return [...this.held].reduce(
      (sum, [name, units]) => sum.plus(units.times(this.prices.get(name) ?? ZERO)),
      this.cash,
    );
  }

  #units(name: string, quantity: number): Fraction {
    const size = Fraction.of(CONTRACT_SIZES[name] ?? '1').times(Fraction.of(String(Math.abs(quantity))));
    return quantity > 0 ? size : ZERO.minus(size);
  }
}

const fractionOf = (amount: string): Fraction =>
  amount.startsWith('-') ? ZERO.minus(Fraction.of(amount.slice(1))) : Fraction.of(amount);

const isLess = (left: Fraction, right: Fraction): boolean => left.minus(right).sign() < 0;

const LIMITS: MergedLimits = { daily_loss: '400', daily_loss_pct: '5', drawdown_pct: '8' };

test('losses of a ledger equal a plain recomputation of cash and holdings', () => {
  fc.assert(
    fc.property(histories, fc.integer({ min: 0, max: 24 }), (history, rearmedAfter) => {
      let books: Books = emptyBooks();
      let state: RiskState = raisePeak(startRisk({ calendars: ['always'] }, START), storedAmount('10000'));
      const wallet = new Wallet();
      let [peak, began] = [wallet.equity(), wallet.equity()];
      let [before, day] = [wallet.equity(), dayOf(START)];
      for (const [index, { step: each, minute }] of history.entries()) {
        const at = START + minute * 60_000;
        if (dayOf(at) !== day) [began, day] = [before, dayOf(at)];
        books = receive(books, eventOf(each, minute));
        wallet.take(each);
        const equity = wallet.equity();
        if (isLess(peak, equity)) peak = equity;
        const { ledger } = books;
        state = moveTo(state, at);
        const value = { at, equity: equityAmount(ledger), day_start: dayStart(ledger, at) };
        const used = Object.fromEntries(
          lossUsages(LIMITS, state, value).map((usage) => [usage.limit, usage]),
        );
        const fall = isLess(equity, began) ? began.minus(equity) : ZERO;
        expect(fractionOf(value.equity.exact().toFixed()).isCloseTo(equity, 12)).toBe(true);
        expect(fractionOf(used.daily_loss?.used ?? '').isCloseTo(fall, 12)).toBe(true);
        const percent = (part: Fraction, whole: Fraction) => part.times(Fraction.of('100')).over(whole);
        if (began.sign() > 0) {
          expect(fractionOf(used.daily_loss_pct?.used ?? '').isCloseTo(percent(fall, began), 10)).toBe(true);
        }
        // Without equity at the re-arming there is no peak to fall from.
        if (peak.sign() > 0) {
          const drawdown = percent(peak.minus(equity), peak);
          expect(fractionOf(used.drawdown_pct?.used ?? '').isCloseTo(drawdown, 10)).toBe(true);
        }
        state = raisePeak(state, value.equity);
        if (index === rearmedAfter) {
          state = withBaseline(rearm(state, at), value.equity);
          [peak, began] = [equity, equity];
        }
        before = equity;
      }
    }),
    { numRuns: soakable(60, 3000) },
  );
});

/** Parts of a limit that matter, and small distances from them. */
const edges = fc.tuple(
  fc.constantFrom('0.8', '1'),
  fc.constantFrom('0', '1e-18', '-1e-18', '1e-9', '-1e-9', '5', '-5'),
);

test('usages that are far from their limits change no judgement', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.integer({ min: 0, max: 12 }),
      fc.boolean(),
      edges,
      (limit, start, peak, orders, isEdge, [part, more]) => {
        const allowed = String(limit);
        const limits = {
          daily_loss: allowed,
          daily_loss_pct: String(limit / 10),
          drawdown_pct: String(limit / 10),
          orders_per_day: 10,
        };
        const state = {
          ...startRisk({ calendars: ['always'] }, START),
          peak: String(Math.max(peak, start)),
          orders_today: orders,
        };
        const edge = decimal(allowed).times(part).plus(more);
        const equity = isEdge ? decimal(start).minus(edge) : decimal(peak);
        const value = { at: START, equity: exactAmount(equity), day_start: storedAmount(String(start)) };
        const all = [...lossUsages(limits, state, value), ...orderUsages(limits, state, START)];
        const near = [...nearLosses(limits, state, value), ...nearOrders(limits, state, START)];
        expect(judge(state, near)).toEqual(judge(state, all));
      },
    ),
    { numRuns: soakable(300, 30_000) },
  );
});

test('a limit warns once a day at 80 %, and trips at 100 %', () => {
  const usage = (used: string) => [{ limit: 'daily_loss' as const, used, allowed: '100' }];
  const start = startRisk({ calendars: ['always'] }, START);
  expect(judge(start, usage('79.99'))).toEqual({ state: start, warnings: [], tripped: undefined });
  const warned = judge(start, usage('80'));
  expect(warned.warnings).toEqual(usage('80'));
  expect(judge(warned.state, usage('99.99')).warnings).toEqual([]);
  expect(judge(warned.state, usage('100')).tripped).toEqual(usage('100')[0]);
  const tomorrow = moveTo(warned.state, START + 86_400_000);
  expect(judge(tomorrow, usage('80')).warnings).toEqual(usage('80'));
});
