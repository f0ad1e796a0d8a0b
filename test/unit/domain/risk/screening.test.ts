import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Ledger } from '../../../../shared/domain/ledger/ledger-state.ts';
import { type Decimal, decimal, scaled, toText } from '../../../../shared/domain/money.ts';
import {
  type Amount,
  amountOf,
  exactAmount,
  exceeds,
  isSurelyBelow,
  rough,
  storedAmount,
} from '../../../../shared/domain/risk/amount.ts';
import { judge, nearOrders, orderUsages } from '../../../../shared/domain/risk/check-book.ts';
import { checkEntry } from '../../../../shared/domain/risk/check-entry.ts';
import {
  dayStart,
  equityAmount,
  equityOf,
  type Marks,
  positionValues,
} from '../../../../shared/domain/risk/equity.ts';
import type { MergedLimits } from '../../../../shared/domain/risk/limits.ts';
import { lossUsages, nearLosses } from '../../../../shared/domain/risk/losses.ts';
import { type RiskState, raisePeak, startRisk } from '../../../../shared/domain/risk/state.ts';
import { soakable } from '../../../support/soak.ts';
import { emptyBooks, START } from '../ledger-histories.ts';

const RUNS = { numRuns: soakable(150, 30_000) };
const SYMBOLS = ['BTCUSD', 'XAUUSD'] as const;
const DAY_MS = 86_400_000;

const textOf = (amount: Decimal): string => toText(scaled(amount));

/** Amounts of any size that can be stored: from the last decimal to beyond what doubles hold exactly. */
const positive = fc
  .tuple(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: -18, max: 13 }))
  .map(([digits, power]) => textOf(decimal(digits).times(decimal(10).pow(power))));
const ordinary = fc.integer({ min: 1, max: 20_000_000 }).map((cents) => toText(decimal(cents).div(100)));
const size = fc.oneof(ordinary, positive);
const signed = fc.oneof(
  fc.constant('0'),
  fc.tuple(size, fc.boolean()).map(([amount, isNegative]) => (isNegative ? `-${amount}` : amount)),
);
const nonZero = signed.filter((amount) => amount !== '0');
const rate = fc.option(size, { nil: undefined });

/** Distances from a limit: none, the last decimal, below and above the error of doubles. */
const nudge = fc.constantFrom('0', '1e-18', '-1e-18', '1e-12', '-1e-12', '1e-9', '-1e-9', '1e-5', '-1e-5');
const nudged = (amount: Decimal, by: string): string => textOf(amount.plus(amount.times(by)).plus(by));

const position = fc.record({ quantity: nonZero, cost: signed, filledAt: size, rate });
const quote = fc.record({ price: size, rate });
const account = fc.record({
  capital: size,
  gross: signed,
  fees: signed,
  swap: signed,
  dayBefore: signed,
  positions: fc.array(fc.option(position, { nil: undefined }), { minLength: 2, maxLength: 2 }),
  quotes: fc.array(fc.option(quote, { nil: undefined }), { minLength: 2, maxLength: 2 }),
  contractSize: size,
  mark: fc.option(size, { nil: undefined }),
});

type Account = ReturnType<typeof account.generate>['value'];

/** Builds books of an account. Prices may be missing, and the equity may be negative or zero. */
const booksOf = (given: Account): { readonly ledger: Ledger; readonly marks: Marks } => {
  const { ledger: empty } = emptyBooks();
  const symbols = Object.fromEntries(
    SYMBOLS.flatMap((symbol, index) => {
      const held = given.positions[index];
      if (!held) return [];
      const { quantity, cost, filledAt } = held;
      const filled: [number, string, string | undefined] = [START, filledAt, held.rate];
      const entered = { entered: quantity, entry_value: cost, exit_value: '0', opened_at: START };
      const charges = { gross: '0', fees: '0', swap: '0' };
      const open = { quantity, cost, ...entered, ...charges, filled };
      return [[symbol, { position: open, ...charges }]];
    }),
  );
  const quotes = Object.fromEntries(
    SYMBOLS.flatMap((symbol, index) => {
      const known = given.quotes[index];
      if (!known) return [];
      const entry: [number, string] | [number, string, string] =
        known.rate === undefined ? [START, known.price] : [START, known.price, known.rate];
      return [[symbol, [entry]]];
    }),
  );
  const { capital, gross, fees, swap, dayBefore, contractSize, mark } = given;
  const { head } = empty;
  return {
    ledger: {
      ...empty,
      starting_capital: capital,
      contract_sizes: { [SYMBOLS[0]]: contractSize },
      quotes,
      head: { ...head, symbols, gross, fees, swap, equity: { ...head.equity, last: dayBefore } },
    },
    marks: new Map(mark === undefined ? [] : [[SYMBOLS[0], { price: mark, at: START + 1 }]]),
  };
};

const WARNED = fc.subarray(['daily_loss', 'daily_loss_pct', 'drawdown_pct', 'orders_per_day']);

/** Returns an amount that doubles are never sure of. */
const unsure = (amount: Amount): Amount => ({
  rough: { value: amount.rough.value, size: Number.POSITIVE_INFINITY },
  exact: amount.exact,
});

describe('doubles', () => {
  test('are never sure of what exact decimals deny', () => {
    fc.assert(
      fc.property(account, nudge, fc.boolean(), (given, by, isNextDay) => {
        const { ledger, marks } = booksOf(given);
        const day = dayStart(ledger, START + (isNextDay ? DAY_MS : 0));
        const all = [equityAmount(ledger, marks), day, ...positionValues(ledger, marks).values()];
        for (const { rough: value, exact } of all) {
          const bound = nudged(exact(), by);
          if (isSurelyBelow(value, rough(bound))) expect(exact().lt(bound)).toBe(true);
          if (isSurelyBelow(rough(bound), value)) expect(exact().gt(bound)).toBe(true);
        }
      }),
      RUNS,
    );
  });

  test('are sure of ordinary amounts that are a thousandth apart', () => {
    fc.assert(
      fc.property(ordinary, (amount) => {
        const more = textOf(decimal(amount).times('1.001'));
        expect(isSurelyBelow(rough(amount), rough(more))).toBe(true);
        expect(isSurelyBelow(rough(more), rough(amount))).toBe(false);
      }),
      RUNS,
    );
  });

  test('leave amounts beyond their range to exact decimals', () => {
    const huge: Amount = amountOf(rough(Number.POSITIVE_INFINITY), () => decimal('1e400'));
    expect(exceeds(huge, '1e401')).toBe(false);
    expect(exceeds(huge, '1e399')).toBe(true);
    const unknown: Amount = amountOf(rough(Number.NaN), () => decimal(2));
    expect([exceeds(unknown, '1'), exceeds(unknown, '2')]).toEqual([true, false]);
  });
});

test('screened losses are judged as exact ones, at the limits and far from them', () => {
  fc.assert(
    fc.property(
      account,
      fc.option(signed, { nil: undefined }),
      fc.record({ part: fc.constantFrom('0.8', '1'), by: nudge, isEdge: fc.boolean() }),
      fc.tuple(size, size, size),
      fc.record({
        warned: WARNED,
        orders: fc.integer({ min: 0, max: 12 }),
        isTripped: fc.integer({ min: 0, max: 9 }),
        baseline: fc.option(fc.option(signed, { nil: undefined }), { nil: null }),
      }),
      (
        given,
        peak,
        { part, by, isEdge },
        [loss, lossPct, drawdown],
        { warned, orders, isTripped, baseline },
      ) => {
        const { ledger, marks } = booksOf(given);
        const tripped = { limit: 'daily_loss', at: '2026-03-02T15:00:00.000Z', used: '1', allowed: '1' };
        const state: RiskState = {
          ...startRisk({ calendars: ['always'] }, START),
          warned,
          orders_today: orders,
          ...(peak !== undefined && { peak }),
          ...(isTripped === 0 && { tripped }),
          ...(baseline !== null && {
            baseline: { at: START, ...(baseline !== undefined && { equity: baseline }) },
          }),
        };
        const value = { at: START, equity: equityAmount(ledger, marks), day_start: dayStart(ledger, START) };
        const free = { daily_loss: loss, daily_loss_pct: lossPct, drawdown_pct: drawdown };
        // Puts each limit where the loss is exactly, or almost, a part of it.
        const edges = Object.fromEntries(
          lossUsages(free, state, value).map(({ limit, used }) => [
            limit,
            nudged(scaled(decimal(used).div(part)), by),
          ]),
        );
        const limits: MergedLimits = { ...free, ...(isEdge && edges), orders_per_day: 10 };
        const all = [...lossUsages(limits, state, value), ...orderUsages(limits, state, START)];
        const near = [...nearLosses(limits, state, value), ...nearOrders(limits, state, START)];
        expect(judge(state, near)).toEqual(judge(state, all));
      },
    ),
    RUNS,
  );
});

test('screened entries are refused as exact ones are', () => {
  fc.assert(
    fc.property(
      account,
      size,
      fc.tuple(nudge, fc.boolean()),
      fc.option(size, { nil: undefined }),
      fc.integer({ min: 1, max: 3 }),
      (given, ordered, [by, isPosition], waiting, open_positions) => {
        const { ledger, marks } = booksOf(given);
        const positions = positionValues(ledger, marks);
        const symbol = SYMBOLS[0];
        const entering = waiting === undefined ? {} : { entering: { one: { symbol, value: waiting } } };
        const state = { ...startRisk({ calendars: ['always'] }, START), ...entering };
        const held = (positions.get(symbol)?.exact() ?? decimal(0)).plus(waiting ?? '0');
        const limits: MergedLimits = {
          open_positions,
          ...(isPosition
            ? { position_value: nudged(held.plus(ordered), by) }
            : { order_value: nudged(decimal(ordered), by) }),
        };
        const entry = { symbol, at: START, value: storedAmount(ordered) };
        const exact = new Map([...positions].map(([name, value]) => [name, unsure(value)]));
        expect(checkEntry(limits, state, positions, entry)).toEqual(
          checkEntry(limits, state, exact, { ...entry, value: unsure(entry.value) }),
        );
      },
    ),
    RUNS,
  );
});

test('a peak rises to each higher equity, and to no other', () => {
  fc.assert(
    fc.property(account, nudge, (given, by) => {
      const { ledger, marks } = booksOf(given);
      const equity = equityOf(ledger, marks);
      const peak = nudged(equity, by);
      const state = { ...startRisk({ calendars: ['always'] }, START), peak };
      const higher = equity.gt(peak) ? toText(equity) : peak;
      expect(raisePeak(state, equityAmount(ledger, marks)).peak).toBe(higher);
      expect(raisePeak(state, exactAmount(equity)).peak).toBe(higher);
    }),
    RUNS,
  );
});
