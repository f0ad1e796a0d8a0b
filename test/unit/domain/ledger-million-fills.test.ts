import { expect, test } from '@jest/globals';
import { applyFill, type Position } from '../../../shared/domain/ledger/position.ts';
import { decimal, toText, zero } from '../../../shared/domain/money.ts';
import { soakable } from '../../support/soak.ts';
import { ExactPosition, Fraction } from './fractions.ts';

/** Makes pseudo-random numbers, the same in each run. */
const randomNumbers = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const FILLS = soakable(10_000, 1_000_000);

test('random fills equal exact fractions to the cent', () => {
  const random = randomNumbers(20_251_120);
  const exact = new ExactPosition();
  let position: Position | null = null;
  let realized = zero();
  let flats = 0;
  for (let count = 0; count < FILLS; count += 1) {
    const held = exact.quantity.sign();
    const towardsZero = random(100) < 58;
    const isBuy = held === 0 ? random(2) === 0 : held > 0 !== towardsZero;
    const quantity = `${isBuy ? '' : '-'}0.0${1 + random(9)}`;
    const value = toText(
      decimal(quantity)
        .times(`1.${10_000 + random(80_000)}`)
        .times(100_000),
    );
    exact.fill(Fraction.of(quantity), Fraction.of(value));
    const filled = applyFill(position, {
      at: count,
      quantity: decimal(quantity),
      value: decimal(value),
      fees: zero(),
      size: '1',
    });
    position = filled.position;
    if (filled.gross !== null) realized = realized.plus(filled.gross);
    if (position === null) {
      if (Fraction.of(toText(realized)).minus(exact.realized).sign() !== 0) throw new Error(`fill ${count}`);
      flats += 1;
    }
  }
  expect(Fraction.of(toText(realized)).isCloseTo(exact.realized, 9)).toBe(true);
  expect(Fraction.of(position?.quantity ?? '0')).toEqual(exact.quantity);
  expect(Fraction.of(position?.cost ?? '0').isCloseTo(exact.cost, 9)).toBe(true);
  expect(flats).toBeGreaterThan(FILLS / 100);
});
