import { own } from '../../../../shared/domain/unknown-fields.ts';
import { lineOf } from './indicator-labels.ts';
import { changeAt, getAt, isList, isRecord, type Json, type Path, setAt } from './json.ts';
import { boundsOf } from './new-conditions.ts';
import { ARITHMETIC, type OperandKind, operandKindOf, readsTrade } from './parts.ts';
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
    case 'trade':
      return { trade: 'entry_price' };
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

/** Comparisons of one bar, in the place of those that need the bar before. */
const OF_ONE_BAR: Readonly<Record<string, string>> = {
  crosses: 'gt',
  crosses_above: 'gt',
  crosses_below: 'lt',
};

/** Makes a comparison with a value of the trade one of a single bar. A trade has no values of the bar before. */
const fitComparison = (draft: Json, path: Path): Json => {
  const side = path.findLastIndex((key) => key === 'left' || key === 'right');
  const condition = path.slice(0, Math.max(side, 0));
  const op = getAt(draft, [...condition, 'op']);
  const next = typeof op === 'string' ? own(OF_ONE_BAR, op) : undefined;
  return next !== undefined && readsTrade(getAt(draft, condition))
    ? setAt(draft, [...condition, 'op'], next)
    : draft;
};

/** Makes the bounds fit the value between them, unless both fit already or one is a parameter. */
const fitBounds = (draft: Json, path: Path): Json => {
  const value = getAt(draft, path) ?? null;
  const line = lineOf(value);
  const bounds = [...path.slice(0, -1), 'between'];
  const members = getAt(draft, bounds);
  const kinds = isList(members) ? members.map((each) => operandKindOf(each)) : [];
  if (!line || kinds.includes('param') || kinds.includes('other')) return draft;
  const isFitting = line.pane === 'price' && kinds.every((kind) => kind !== 'number');
  return isFitting ? draft : setAt(draft, bounds, boundsOf(value));
};

/**
 * Makes the other side of a comparison fit the value that was chosen for one side: an oscillator is compared with its
 * usual level, and what is near the price not with a number.
 */
export const fitLevel = (draft: Json, path: Path): Json => {
  const side = path.at(-1);
  if (side === 'value') return fitBounds(draft, path);
  const fitted = fitComparison(draft, path);
  if (side !== 'left' && side !== 'right') return fitted;
  const operand = getAt(fitted, path);
  const line = lineOf(operand);
  const other = [...path.slice(0, -1), side === 'left' ? 'right' : 'left'];
  const value = getAt(fitted, other);
  const isNumber = typeof value === 'number' || typeof value === 'string';
  if (line?.pane === 'own' && (isNumber || lineOf(value)?.pane !== 'own')) {
    return operandKindOf(value) === 'param' ? fitted : setAt(fitted, other, line.usual);
  }
  return line?.pane === 'price' && operandKindOf(operand) !== 'price' && isNumber
    ? setAt(fitted, other, CLOSE)
    : fitted;
};
