import { own } from '../../unknown-fields.ts';
import type { Line } from '../indicators/declare.ts';
import type { ResolvedIndicator } from '../indicators/indicator.ts';
import { LABELS } from '../indicators/list.ts';
import type { Operand } from '../rules/shape.ts';
import type { Resolved } from '../values/resolved.ts';

type ResolvedOperand = Resolved<Operand>;

/** Place of a line: over the candles, or in a pane of its own. */
export type Pane = 'price' | 'own';

/** Largest difference from 1, in prices, of an operand that is shown over the candles. */
const NEAR = 0.5;

const isPriceIndicator = (operand: ResolvedIndicator): boolean => {
  if ('source' in operand && operand.source === 'volume') return false;
  const lines: Readonly<Record<string, Line>> = LABELS[operand.indicator].lines;
  return own(lines, 'output' in operand ? operand.output : 'value')?.pane === 'price';
};

/** Returns the factor of a multiplication or division; NaN unless one side is a number. */
const numberOf = (operand: ResolvedOperand): number => (typeof operand === 'number' ? operand : Number.NaN);

/** Returns how many times the price an operand is: 1 for an average, 0 for an oscillator, NaN if undefined. */
const pricesOf = (operand: ResolvedOperand): number => {
  if (typeof operand === 'number') return 0;
  if ('price' in operand) return operand.price === 'volume' ? 0 : 1;
  if ('trade' in operand) return 0;
  if ('indicator' in operand) return isPriceIndicator(operand) ? 1 : 0;
  if ('add' in operand) return pricesOf(operand.add[0]) + pricesOf(operand.add[1]);
  if ('subtract' in operand) return pricesOf(operand.subtract[0]) - pricesOf(operand.subtract[1]);
  if ('divide' in operand) return pricesOf(operand.divide[0]) / numberOf(operand.divide[1]);
  const [left, right] = operand.multiply;
  return typeof left === 'number' ? left * pricesOf(right) : pricesOf(left) * numberOf(right);
};

/** Returns the pane of an operand: over the candles if its values are near the price. */
export const paneOf = (operand: ResolvedOperand): Pane =>
  Math.abs(pricesOf(operand) - 1) <= NEAR ? 'price' : 'own';
