import { own } from '../../../../shared/domain/unknown-fields.ts';
import { INDICATOR_WORDS } from './indicator-labels.ts';
import { changeAt, getAt, isList, isRecord, type Json, type Path, setAt } from './json.ts';
import { ARITHMETIC, type OperandKind, operandKindOf } from './parts.ts';
import { INDICATORS, newPart } from './schema-slots.ts';

/** Returns the first value within arithmetic, for the operand that replaces it. */
const insideOf = (operand: Json | undefined): Json | undefined => {
  const kind = ARITHMETIC.find((each) => each === operandKindOf(operand));
  const pair = kind && isRecord(operand) ? operand[kind] : undefined;
  return isList(pair) ? pair[0] : undefined;
};

const newIndicator = (name: string, kept?: Json): Json => {
  const form = INDICATORS[name];
  return form ? newPart(form, 'indicator', kept) : { indicator: name };
};

const newOperand = (kind: OperandKind, before: Json | undefined, param: string | undefined): Json => {
  switch (kind) {
    case 'price':
      return { price: 'close', ago: 0 };
    case 'indicator':
      return newIndicator('sma');
    case 'param':
      return { param: param ?? '' };
    case 'add':
    case 'subtract':
      return { [kind]: [before ?? 0, 0] };
    case 'multiply':
    case 'divide':
      return { [kind]: [before ?? 1, 1] };
    default:
      return 0;
  }
};

/**
 * Changes the kind of an operand. Arithmetic begins with the operand that it replaces and gives it back; changes of the
 * operation keep both.
 *
 * @param param name of the parameter that a reference begins with.
 */
export const changeOperandKind = (draft: Json, path: Path, kind: OperandKind, param?: string): Json =>
  changeAt(draft, path, (before) => {
    const beforeKind = operandKindOf(before);
    if (kind === beforeKind || kind === 'other') return before;
    const [from, to] = [beforeKind, kind].map((each) => ARITHMETIC.find((one) => one === each));
    if (from && to && isRecord(before)) return { [to]: before[from] ?? [] };
    const inside = insideOf(before);
    if (inside !== undefined && operandKindOf(inside) === kind) return inside;
    return newOperand(kind, before, param);
  });

/** Changes the indicator of an operand. Arguments that both have stay, but outputs and prices of extremes. */
export const changeIndicator = (draft: Json, path: Path, name: string): Json =>
  changeAt(draft, path, (before) => {
    if (!isRecord(before)) return newIndicator(name);
    const { output: _output, source: _source, length: _length, signal: _signal, ...kept } = before;
    return newIndicator(name, isAverage(name) && isAverage(before.indicator) ? before : kept);
  });

const AVERAGES: readonly Json[] = ['sma', 'ema', 'wma'];

const isAverage = (name: Json | undefined): boolean => name !== undefined && AVERAGES.includes(name);

const CLOSE: Json = { price: 'close', ago: 0 };

/** Returns the line of a chart that an operand is; undefined for one that is no indicator. */
const lineOf = (operand: Json | undefined) => {
  if (!isRecord(operand) || typeof operand.indicator !== 'string') return undefined;
  const lines = own(INDICATOR_WORDS, operand.indicator)?.lines ?? {};
  return own(lines, typeof operand.output === 'string' ? operand.output : 'value');
};

/**
 * Makes the other side of a comparison fit the indicator that was chosen for one side: an oscillator is compared with its
 * usual level, and what is near the price not with a number.
 */
export const fitLevel = (draft: Json, path: Path): Json => {
  const side = path.at(-1);
  if (side !== 'left' && side !== 'right') return draft;
  const line = lineOf(getAt(draft, path));
  const other = [...path.slice(0, -1), side === 'left' ? 'right' : 'left'];
  const value = getAt(draft, other);
  const isNumber = typeof value === 'number' || typeof value === 'string';
  if (line?.pane === 'own' && (isNumber || lineOf(value)?.pane !== 'own')) {
    return operandKindOf(value) === 'param' ? draft : setAt(draft, other, line.usual);
  }
  return line?.pane === 'price' && isNumber ? setAt(draft, other, CLOSE) : draft;
};
