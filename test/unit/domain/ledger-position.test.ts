import { describe, expect, test } from '@jest/globals';
import { applyFill, type Position, unrealized } from '../../../shared/domain/ledger/position.ts';
import { decimal, toText, zero } from '../../../shared/domain/money.ts';

const fill = (quantity: string, price: string, fees = '0', at = 0) => ({
  at,
  quantity: decimal(quantity),
  value: decimal(quantity).times(price),
  fees: decimal(fees),
  size: '1',
});

const fills = (...steps: [quantity: string, price: string, fees?: string][]) => {
  let position: Position | null = null;
  const realized: (string | null)[] = [];
  let last: ReturnType<typeof applyFill> | undefined;
  for (const [quantity, price, fees] of steps) {
    last = applyFill(position, fill(quantity, price, fees, realized.length));
    position = last.position;
    realized.push(last.gross === null ? null : toText(last.gross));
  }
  return { position, realized, closed: last?.closed ?? null };
};

describe('a position', () => {
  test('averages its entries and realises against the average', () => {
    const { position, realized } = fills(['1', '100'], ['3', '104'], ['-2', '110']);
    expect(realized).toEqual([null, null, '14']);
    expect(position).toMatchObject({ quantity: '2', cost: '206', entered: '4', exit_value: '-220' });
  });

  test('gains when the price falls if it is short', () => {
    const { closed, realized } = fills(['-2', '100', '1'], ['2', '90', '1']);
    expect(realized).toEqual([null, '20']);
    expect(closed).toMatchObject({ side: 'short', opened_at: 0, closed_at: 1 });
    expect(closed && toText(closed.fees)).toBe('2');
  });

  test('is closed and reopened by a fill through zero, with fees split by quantity', () => {
    const { position, realized, closed } = fills(['1', '100', '0.5'], ['-4', '110', '2']);
    expect(realized).toEqual([null, '10']);
    expect(closed && toText(closed.fees)).toBe('1');
    expect(position).toMatchObject({ quantity: '-3', cost: '-330', fees: '1.5', opened_at: 1 });
  });

  test('loses nothing to rounding of thirds', () => {
    const { position, realized } = fills(
      ['3', '33.333333333333333333'],
      ['-1', '40'],
      ['-1', '40'],
      ['-1', '40'],
    );
    expect(position).toBeNull();
    expect(realized.reduce((sum, amount) => sum.plus(amount ?? 0), zero()).eq('20.000000000000000001')).toBe(
      true,
    );
  });

  test('accepts negative prices', () => {
    expect(fills(['1', '-37.63'], ['-1', '10']).realized).toEqual([null, '47.63']);
  });

  test('realises a correction of its price or fees at once', () => {
    const { position } = applyFill(fills(['1', '100']).position, fill('0', '0', '0.25'));
    expect(position).toMatchObject({ quantity: '1', cost: '100', fees: '0.25' });
    const corrected = applyFill(position, { ...fill('0', '0'), value: decimal('0.5') });
    expect(corrected.gross && toText(corrected.gross)).toBe('-0.5');
    expect(applyFill(null, fill('0', '0', '1'))).toEqual({ position: null, gross: null, closed: null });
  });

  test('is valued at the given price', () => {
    const { position } = fills(['-2', '100']);
    expect(position && toText(unrealized(position, '95.5', '1'))).toBe('9');
  });
});
