import { getAt, isList, isRecord, type Json, type Path } from './json.ts';
import { DISTANCES, type Form, INDICATORS, SIZES } from './schema-slots.ts';

/** Kinds of conditions that rows can show. `other` is kept as it is. */
export type ConditionKind =
  | 'comparison'
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
export type OperandKind = 'number' | 'price' | 'indicator' | 'param' | ArithmeticKind | 'other';

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
  if (!form || !hasOnly(value, [discriminator, ...form.slots.map((slot) => slot.name)])) return undefined;
  const isShown = form.slots.every((slot) => {
    const field = value[slot.name];
    return slot.kind === 'number' ? isScalar(field) : isText(field);
  });
  return isShown ? form : undefined;
};

/** Returns the form of an indicator; undefined if rows cannot show it. */
export const indicatorForm = (value: Json | undefined): Form | undefined =>
  formOf(INDICATORS, 'indicator', value);

/** Returns the form of a distance; undefined if rows cannot show it. */
export const distanceForm = (value: Json | undefined): Form | undefined => formOf(DISTANCES, 'type', value);

/** Returns the form of a size; undefined if rows cannot show it. */
export const sizeForm = (value: Json | undefined): Form | undefined => formOf(SIZES, 'type', value);

const isDays = (value: Json | undefined): boolean =>
  value === undefined || (isList(value) && value.every((day) => typeof day === 'string'));

const isRange = (value: Json | undefined): boolean =>
  value === undefined || (isList(value) && value.length === 2 && value.every(isText));

/** Returns the kind of a condition. */
export const conditionKindOf = (value: Json | undefined): ConditionKind => {
  if (!isRecord(value)) return 'other';
  const [first] = Object.keys(value);
  if (first === undefined) return 'other';
  if (hasOnly(value, ['left', 'op', 'right'])) return isText(value.op) ? 'comparison' : 'other';
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
    return hasOnly(value, ['price', 'ago']) && isText(value.price) && isScalar(value.ago) ? 'price' : 'other';
  }
  const [first] = Object.keys(value);
  const kind = ARITHMETIC.find((each) => each === first);
  if (!kind || Object.keys(value).length > 1) return 'other';
  const pair = value[kind];
  return isList(pair) && pair.length === 2 ? kind : 'other';
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
