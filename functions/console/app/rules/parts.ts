import { getAt, isList, isRecord, type Json, type JsonRecord, type Path } from './json.ts';
import { DISTANCES, type Form, INDICATORS, PATTERNS, PRICE, SIZES } from './schema-slots.ts';

/** Kinds of conditions that rows can show. `other` is kept as it is. */
export type ConditionKind =
  | 'comparison'
  | 'between'
  | 'rising'
  | 'falling'
  | 'pattern'
  | 'all'
  | 'any'
  | 'not'
  | 'for_bars'
  | 'time'
  | 'weekday'
  | 'bars_in_trade'
  | 'other';

export type ArithmeticKind = 'add' | 'subtract' | 'multiply' | 'divide';

/** Kinds of operands that rows can show. A number may be a text that is no number yet. */
export type OperandKind = 'number' | 'price' | 'indicator' | 'param' | 'trade' | ArithmeticKind | 'other';

export const ARITHMETIC: readonly ArithmeticKind[] = ['add', 'subtract', 'multiply', 'divide'];

const hasOnly = (value: Json, keys: readonly string[]): boolean =>
  isRecord(value) && Object.keys(value).every((key) => keys.includes(key));

/** Returns whether a field can show a value: a number, a text, nothing, or a parameter. */
export const isScalar = (value: Json | undefined): boolean =>
  value === undefined || typeof value === 'number' || typeof value === 'string' || isParam(value);

export const isParam = (value: Json | undefined): value is { readonly param: string } =>
  isRecord(value) && Object.keys(value).length === 1 && typeof value.param === 'string';

const isText = (value: Json | undefined): boolean => value === undefined || typeof value === 'string';

const formOf = (
  forms: Readonly<Record<string, Form>>,
  discriminator: string,
  value: Json | undefined,
): Form | undefined => {
  if (!isRecord(value)) return undefined;
  const name = value[discriminator];
  if (typeof name !== 'string' || !Object.hasOwn(forms, name)) return undefined;
  const form = forms[name];
  return form && hasShownSlots(value, form, [discriminator]) ? form : undefined;
};

/** Returns whether a value has no fields but those of a form and some more, each of which chips can show. */
const hasShownSlots = (value: JsonRecord, { slots }: Form, more: readonly string[]): boolean =>
  hasOnly(value, [...more, ...slots.map(({ name }) => name)]) &&
  slots.every(({ name, kind }) => (kind === 'number' ? isScalar(value[name]) : isText(value[name])));

/** Returns the form of an indicator; undefined if rows cannot show it. */
export const indicatorForm = (value: Json | undefined): Form | undefined =>
  formOf(INDICATORS, 'indicator', value);

/** Returns the form of a pattern of candles; undefined if rows cannot show it. */
export const patternForm = (value: Json | undefined): Form | undefined => formOf(PATTERNS, 'pattern', value);

/** Returns the form of a distance; undefined if rows cannot show it. */
export const distanceForm = (value: Json | undefined): Form | undefined => formOf(DISTANCES, 'type', value);

/** Returns the form of a size; undefined if rows cannot show it. */
export const sizeForm = (value: Json | undefined): Form | undefined => formOf(SIZES, 'type', value);

const isDays = (value: Json | undefined): boolean =>
  value === undefined || (isList(value) && value.every((day) => typeof day === 'string'));

const isRange = (value: Json | undefined): boolean =>
  value === undefined || (isList(value) && value.length === 2 && value.every(isText));

const isPair = (value: Json | undefined): boolean => isList(value) && value.length === 2;

/** Kinds of conditions about a value that moves for some bars. */
export const MOVES = ['rising', 'falling'] as const satisfies readonly ConditionKind[];

/** Returns the kind of a condition. */
export const conditionKindOf = (value: Json | undefined): ConditionKind => {
  if (!isRecord(value)) return 'other';
  const [first] = Object.keys(value);
  if (first === undefined) return 'other';
  if (hasOnly(value, ['left', 'op', 'right'])) return isText(value.op) ? 'comparison' : 'other';
  if (hasOnly(value, ['value', 'between'])) return isPair(value.between) ? 'between' : 'other';
  const move = MOVES.find((each) => Object.hasOwn(value, each));
  if (move) return hasOnly(value, [move, 'bars']) && isScalar(value.bars) ? move : 'other';
  if (patternForm(value)) return 'pattern';
  if (hasOnly(value, ['for_bars', 'condition'])) return isScalar(value.for_bars) ? 'for_bars' : 'other';
  if (Object.keys(value).length > 1) return 'other';
  const field = value[first];
  if (first === 'all' || first === 'any') return isList(field) ? first : 'other';
  if (first === 'not') return first;
  if (first === 'time') return isRange(field) ? first : 'other';
  if (first === 'weekday') return isDays(field) ? first : 'other';
  if (first === 'bars_in_trade') return isScalar(field) ? first : 'other';
  return 'other';
};

/** Returns the kind of an operand. */
export const operandKindOf = (value: Json | undefined): OperandKind => {
  if (value === undefined || typeof value === 'number' || typeof value === 'string') return 'number';
  if (!isRecord(value)) return 'other';
  if (isParam(value)) return 'param';
  if (indicatorForm(value)) return 'indicator';
  if (Object.hasOwn(value, 'price')) {
    return hasShownSlots(value, PRICE, []) ? 'price' : 'other';
  }
  if (Object.hasOwn(value, 'trade')) {
    return hasOnly(value, ['trade']) && isText(value.trade) ? 'trade' : 'other';
  }
  const [first] = Object.keys(value);
  const kind = ARITHMETIC.find((each) => each === first);
  if (!kind || Object.keys(value).length > 1) return 'other';
  return isPair(value[kind]) ? kind : 'other';
};

/** Returns whether an operand or a condition has a value of the open trade in it. */
export const readsTrade = (value: Json | undefined): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return operandKindOf(value) === 'trade' || Object.values(value).some((member: Json) => readsTrade(member));
};

/** Condition in the order of the rows, with its place. */
export interface ConditionRow {
  readonly path: Path;
  readonly kind: ConditionKind;
  /** 1 for the condition of an entry or exit. */
  readonly level: number;
}

/** Returns the places of the conditions within a condition. */
export const innerPaths = (value: Json | undefined, path: Path): Path[] => {
  const kind = conditionKindOf(value);
  if (kind === 'all' || kind === 'any') {
    const members = isRecord(value) ? value[kind] : undefined;
    return isList(members) ? members.map((_member, index) => [...path, kind, index]) : [];
  }
  if (kind === 'not') return [[...path, 'not']];
  return kind === 'for_bars' ? [[...path, 'condition']] : [];
};

/** Lists a condition and the conditions within, outer ones first. */
export const conditionRows = (root: Json, path: Path, level = 1): ConditionRow[] => {
  const value = getAt(root, path);
  return [
    { path, kind: conditionKindOf(value), level },
    ...innerPaths(value, path).flatMap((inner) => conditionRows(root, inner, level + 1)),
  ];
};
