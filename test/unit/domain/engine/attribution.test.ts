import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  type Attribution,
  attribute,
  type ComparedFill,
  type MarketPrices,
} from '../../../../shared/domain/engine/parity/attribute.ts';
import { matchFills } from '../../../../shared/domain/engine/parity/match-fills.ts';
import { decimal, toText, zero } from '../../../../shared/domain/money.ts';

const NONE = { real: zero(), backtest: zero() };
const PRICES: MarketPrices = { mark: '120', contractSize: '1', openAt: () => undefined };

const fill = (id: string, more: Partial<ComparedFill> = {}): ComparedFill => ({
  client_order_id: id,
  at: 0,
  side: 'buy',
  quantity: '10',
  price: '100',
  fees: '0',
  isMarket: true,
  decision: 'entry',
  trade: id,
  ...more,
});
const exit = (id: string, more: Partial<ComparedFill> = {}): ComparedFill =>
  fill(id, { side: 'sell', decision: 'exit', trade: 'e1', at: 10, price: '110', ...more });

const attributed = (
  expected: readonly ComparedFill[],
  found: readonly ComparedFill[],
  prices = PRICES,
): Attribution => attribute(matchFills(expected, found), { expected, found }, prices, NONE);

const shown = ({ slippage, fees, delay, missing, extra }: Attribution) =>
  [slippage, fees, delay, missing, extra].map(Number);

test('a worse price is slippage, up to the first price of a later bar delay, and what the broker charges fees', () => {
  const expected = [fill('e1', { fees: '1' })];
  const found = [fill('e1', { price: '103', fees: '3', at: 7 })];
  expect(shown(attributed(expected, found))).toEqual([-30, -2, 0, 0, 0]);
  const later = attributed(expected, found, { ...PRICES, openAt: () => '102' });
  expect(shown(later)).toEqual([-10, -2, -20, 0, 0]);
  const level = attributed([fill('e1', { isMarket: false })], found, { ...PRICES, openAt: () => '102' });
  expect(shown(level)).toEqual([-30, -3, 0, 0, 0]);
});

test('what was not filled is missing up to the mark, with its fees; a close by hand is extra, and the exit missing', () => {
  const part = attributed([fill('e1', { fees: '2' })], [fill('e1', { quantity: '4', fees: '1' })]);
  // Six of ten would have gained 20 each, less fees of 1.2.
  expect(shown(part)).toEqual([0, -0.2, 0, -118.8, 0]);
  const byHand = attributed(
    [fill('e1'), exit('x1')],
    [fill('e1'), exit('manual-1', { decision: 'manual', price: '105' })],
  );
  // The exit at 110 instead of the mark had lost 100, the close by hand at 105 loses 150.
  expect([...shown(byHand), Number(byHand.real), Number(byHand.backtest)]).toEqual([
    0, 0, 0, 100, -150, 50, 100,
  ]);
});

test('a protective fill matches the exit of the same cause; one that the backtest does not have is extra', () => {
  const stop = (id: string, price: string) => exit(id, { decision: 'stop_loss', price, isMarket: false });
  const same = attributed([fill('e1'), stop('x1', '95')], [fill('e1'), stop('p1', '94')]);
  expect(shown(same)).toEqual([-10, 0, 0, 0, 0]);
  const trailed = attributed(
    [fill('e1'), exit('x1', { ...stop('x1', '95'), decision: 'trailing_stop' })],
    [fill('e1'), stop('p1', '94')],
  );
  expect(shown(trailed)).toEqual([-10, 0, 0, 0, 0]);
  const other = attributed([fill('e1'), exit('x1')], [fill('e1'), stop('p1', '94')]);
  expect(shown(other)).toEqual([0, 0, 0, 100, -260]);
});

const text = (digits: number, max: number, min = 0) =>
  fc
    .integer({ min: Math.ceil(min * 10 ** digits), max: max * 10 ** digits })
    .map((value) => toText(decimal(value).div(10 ** digits)));

const drawn = fc.record({
  id: fc.integer({ min: 1, max: 6 }),
  at: fc.integer({ min: 0, max: 100 }),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  quantity: text(9, 100, 1e-9),
  price: text(6, 200),
  fees: text(4, 5),
  isMarket: fc.boolean(),
  decision: fc.constantFrom('entry', 'exit', 'stop_loss', 'manual', 'broker'),
  trade: fc.integer({ min: 1, max: 6 }),
});

/** Returns fills with ids of their own, by time. Those of entries are shared by the backtest and the account. */
const fillsOf = (prefix: string) =>
  fc.uniqueArray(drawn, { selector: ({ id, decision }) => `${decision}${id}`, maxLength: 14 }).map((fills) =>
    fills
      .map(({ id, trade, ...rest }): ComparedFill => {
        const isEntry = rest.decision === 'entry';
        const own = isEntry ? `e${id}` : `${prefix}${rest.decision}${id}`;
        return { ...rest, client_order_id: own, trade: isEntry ? own : `e${trade}` };
      })
      .toSorted((left, right) => left.at - right.at),
  );

/** Computes a result as a book does: cash, and what is held at the mark. */
const resultOf = (fills: readonly ComparedFill[], { mark, contractSize }: MarketPrices) => {
  let [cash, held] = [zero(), zero()];
  for (const { side, quantity, price, fees } of fills) {
    const signed = decimal(quantity).times(side === 'buy' ? 1 : -1);
    cash = cash.minus(signed.times(price).times(contractSize)).minus(fees);
    held = held.plus(signed);
  }
  return cash.plus(held.times(mark).times(contractSize));
};

test('of random accounts the effects add up exactly, and the parts cover each fill once', () => {
  const prices = fc.record({
    mark: text(6, 200),
    contractSize: fc.constantFrom('1', '0.1', '100'),
    open: text(6, 200),
  });
  fc.assert(
    fc.property(
      fillsOf('b'),
      fillsOf('r'),
      prices,
      text(4, 9),
      (expected, found, { mark, contractSize, open }, swap) => {
        const market = {
          mark,
          contractSize,
          openAt: (at: number, decided: number) => (at > decided ? open : undefined),
        };
        const charged = { real: decimal(swap).neg(), backtest: zero() };
        const parts = matchFills(expected, found);
        const result = attribute(parts, { expected, found }, market, charged);
        const { real, backtest, slippage, fees, delay, missing, extra } = result;
        expect(toText(real)).toBe(toText(resultOf(found, market).minus(swap)));
        expect(toText(backtest)).toBe(toText(resultOf(expected, market)));
        const sum = slippage.plus(fees).plus(delay).plus(missing).plus(extra);
        expect(toText(sum)).toBe(toText(real.minus(backtest)));
        for (const side of ['expected', 'found'] as const) {
          for (const one of side === 'expected' ? expected : found) {
            const own = parts.filter((part) => part[side]?.client_order_id === one.client_order_id);
            const total = own.reduce((quantities, { quantity }) => quantities.plus(quantity), zero());
            expect(toText(total)).toBe(one.quantity);
          }
        }
        for (const { expected: wanted, found: own } of parts) {
          if (wanted && own)
            expect([own.side, own.decision, own.trade]).toEqual([wanted.side, wanted.decision, wanted.trade]);
        }
      },
    ),
  );
});

test('an account that does as its backtest differs in nothing', () => {
  fc.assert(
    fc.property(fillsOf('b'), (fills) => {
      const entries = fills.filter(({ decision }) => decision === 'entry');
      const result = attributed(entries, entries);
      expect(shown(result).map(Math.abs)).toEqual([0, 0, 0, 0, 0]);
    }),
  );
});
