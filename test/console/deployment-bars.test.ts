import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { barEquity } from '../../functions/console/app/deployments/bar-equity.ts';
import { factsAt } from '../../functions/console/app/deployments/bar-facts.ts';

const MINUTE = 60_000;
const iso = (bar: number): string => new Date(bar * MINUTE).toISOString();

/** Trade of a property: it is entered and left at the closes of bars. */
interface Held {
  readonly side: 'long' | 'short';
  readonly quantity: number;
  readonly from: number;
  readonly length: number;
  readonly fees: number;
}

const BARS = 40;
const held = fc.record<Held>({
  side: fc.constantFrom('long', 'short'),
  quantity: fc.integer({ min: 1, max: 20 }),
  from: fc.integer({ min: 0, max: 8 }),
  length: fc.integer({ min: 1, max: 8 }),
  fees: fc.constantFrom(0, 1.5),
});

describe('the equity at each bar', () => {
  test('is the capital with the results of closed trades, and of open ones at the close', () => {
    fc.assert(
      fc.property(
        fc.array(held, { maxLength: 4 }),
        fc.array(fc.integer({ min: 50, max: 150 }), { minLength: BARS, maxLength: BARS }),
        fc.constantFrom(1, 10),
        (list, closes, contract) => {
          const priceAt = (bar: number): number => closes[bar] ?? 0;
          let bar = 1;
          const spans = list.map(({ from, length, ...trade }) => {
            const entry = bar + from;
            bar = entry + length;
            return { ...trade, entry, exit: bar };
          });
          const resultAt = ({ side, quantity, entry }: (typeof spans)[number], at: number): number =>
            (side === 'long' ? 1 : -1) * quantity * contract * (priceAt(at) - priceAt(entry));
          const closed = spans.filter(({ exit }) => exit < BARS);
          const open = spans.filter(({ entry, exit }) => exit >= BARS && entry < BARS);
          // Without a closed trade that moved, nothing tells the size of a contract.
          fc.pre(contract === 1 || closed.some(({ entry, exit }) => priceAt(entry) !== priceAt(exit)));
          const equityAt = (at: number): number =>
            [
              ...closed.map((trade) => {
                if (trade.exit <= at) return resultAt(trade, trade.exit) - trade.fees;
                return trade.entry <= at ? resultAt(trade, at) : 0;
              }),
              ...open.map((trade) => (trade.entry <= at ? resultAt(trade, at) : 0)),
            ].reduce((sum, value) => sum + value, 10_000);
          const points = barEquity(
            {
              starting_capital: 10_000,
              started_at: iso(0),
              closed: closed.map((trade) => ({
                ...trade,
                entry_price: priceAt(trade.entry),
                exit_price: priceAt(trade.exit),
                gross_pnl: resultAt(trade, trade.exit),
                net_pnl: resultAt(trade, trade.exit) - trade.fees,
                opened_at: iso(trade.entry),
                closed_at: iso(trade.exit),
              })),
              open: open.map((trade) => ({
                ...trade,
                entry_price: priceAt(trade.entry),
                entry_at: iso(trade.entry),
              })),
              equity: equityAt(BARS - 1),
            },
            { starts: closes.map((_, index) => index * MINUTE), closes },
          );
          expect(points?.map(({ equity }) => Math.round(equity * 1e6))).toEqual(
            closes.map((_, index) => Math.round(equityAt(index) * 1e6)),
          );
        },
      ),
    );
  });

  test('is not shown if it does not end with the equity of the service', () => {
    const books = { starting_capital: 1000, started_at: iso(0), closed: [], open: [] };
    const bars = { starts: [0, MINUTE], closes: [1, 2] };
    expect(barEquity({ ...books, equity: 1001 }, bars)).toHaveLength(2);
    expect(barEquity({ ...books, equity: 1003 }, bars)).toBeUndefined();
    expect(barEquity({ ...books, equity: null }, bars)).toBeUndefined();
    expect(barEquity({ ...books, started_at: iso(9), equity: 1000 }, bars)).toHaveLength(1);
  });
});

const order = {
  side: 'buy',
  order_type: 'market',
  quantity: 5,
  filled_quantity: 5,
  average_price: 101,
  fees: 1,
  currency: 'USD',
  created_at: iso(1),
  filled_at: iso(2),
} as const;

test('a bar has its conditions, decision, orders, fills and differences, and no others', () => {
  const chart = {
    symbol: 'SPY',
    timeframe: '1m' as const,
    time_zone: 'America/New_York',
    warmed_up: true,
    bars: [1, 2, 3].map((bar) => [bar * MINUTE, 100, 103, 99, 100 + bar, 1]),
    lines: [
      {
        label: 'RSI(14)',
        pane: 'own' as const,
        operand: { price: 'close' as const },
        levels: [30],
        values: [null, 28, 35],
      },
    ],
    conditions: [
      { text: 'all of', path: ['entries', 0, 'when'], values: [null, 1 as const, 0 as const] },
      {
        text: 'RSI(14) < 30',
        path: ['entries', 0, 'when', 'all', 0],
        values: [null, 1 as const, 0 as const],
      },
      { text: 'close > 200', path: ['exits', 0, 'when'], values: [null, null, 0 as const] },
    ],
  };
  const decisions = [1, 2].map((bar) => ({ at: iso(bar), text: `decided at ${bar}` }));
  const difference = { kind: 'order' as const, at: iso(2), expected: '5 at 100', found: '5 at 101' };
  const parity = {
    deployment_id: 1,
    is_equal: false,
    is_complete: true,
    compared: { symbols: ['SPY'], bars: 3, late_bars: 0, orders: 1, trades: 0, from: null, to: null },
    left_out: [],
    differences_count: 2,
    differences: [
      { ...difference, symbol: 'SPY' },
      { ...difference, symbol: 'AAPL' },
    ],
    attribution: null,
  };
  const at = (index: number, compared = false) =>
    factsAt({ chart, decisions, orders: [order], parity: compared ? parity : undefined }, index);
  expect(at(0)).toMatchObject({
    start: MINUTE,
    close: 101,
    values: [{ label: 'RSI(14)', value: null }],
    entries: [
      { text: 'all of', level: 0, holds: undefined },
      { level: 1, holds: undefined },
    ],
    decisions: ['decided at 1'],
    placed: [{ quantity: 5 }],
    filled: [],
    differences: undefined,
  });
  expect(at(1, true)).toMatchObject({
    values: [{ value: 28 }],
    entries: [{ holds: true }, { holds: true }],
    exits: [{ text: 'close > 200', level: 0, holds: undefined }],
    decisions: ['decided at 2'],
    placed: [],
    filled: [{ average_price: 101 }],
    differences: [{ symbol: 'SPY', expected: '5 at 100' }],
  });
  expect(at(2, true)).toMatchObject({ entries: [{ holds: false }, { holds: false }], differences: [] });
  expect(at(3)).toBeUndefined();
});
