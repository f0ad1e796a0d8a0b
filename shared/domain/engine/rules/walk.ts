import type { Resolved } from '../values/resolved.ts';
import type { Arithmetic, Condition, Operand, Rules } from './shape.ts';

export type Path = readonly (string | number)[];

/** Condition or operand of rules, with its place. */
export type RulesNode = {
  readonly path: Path;
  /** Level of nesting; the condition of an entry or exit is level 1. */
  readonly depth: number;
} & ({ readonly condition: Condition } | { readonly operand: Operand });

export type Operation = 'add' | 'subtract' | 'multiply' | 'divide';

/** Arithmetic with two operands of a kind. */
type ArithmeticOf<O> = { add: [O, O] } | { subtract: [O, O] } | { multiply: [O, O] } | { divide: [O, O] };

/** Returns the operation and the two operands of an arithmetic operand. */
export const arithmeticOf = <O>(
  operand: ArithmeticOf<O>,
): { readonly operation: Operation; readonly pair: readonly [O, O] } => {
  if ('add' in operand) return { operation: 'add', pair: operand.add };
  if ('subtract' in operand) return { operation: 'subtract', pair: operand.subtract };
  if ('multiply' in operand) return { operation: 'multiply', pair: operand.multiply };
  return { operation: 'divide', pair: operand.divide };
};

const isArithmetic = (operand: Operand): operand is Arithmetic =>
  typeof operand === 'object' &&
  !('price' in operand || 'indicator' in operand || 'param' in operand || 'trade' in operand);

function* operandNodes(operand: Operand, path: Path, depth: number): Generator<RulesNode> {
  if (!isArithmetic(operand)) {
    yield { operand, path, depth };
    return;
  }
  yield { operand, path, depth: depth + 1 };
  const { operation, pair } = arithmeticOf<Operand>(operand);
  for (const [index, member] of pair.entries()) {
    yield* operandNodes(member, [...path, operation, index], depth + 1);
  }
}

function* conditionNodes(condition: Condition, path: Path, depth: number): Generator<RulesNode> {
  yield { condition, path, depth };
  if ('left' in condition) {
    yield* operandNodes(condition.left, [...path, 'left'], depth);
    yield* operandNodes(condition.right, [...path, 'right'], depth);
  } else if ('between' in condition) {
    yield* operandNodes(condition.value, [...path, 'value'], depth);
    for (const [index, bound] of condition.between.entries())
      yield* operandNodes(bound, [...path, 'between', index], depth);
  } else if ('rising' in condition) {
    yield* operandNodes(condition.rising, [...path, 'rising'], depth);
  } else if ('falling' in condition) {
    yield* operandNodes(condition.falling, [...path, 'falling'], depth);
  } else if ('all' in condition) {
    for (const [index, member] of condition.all.entries())
      yield* conditionNodes(member, [...path, 'all', index], depth + 1);
  } else if ('any' in condition) {
    for (const [index, member] of condition.any.entries())
      yield* conditionNodes(member, [...path, 'any', index], depth + 1);
  } else if ('not' in condition) {
    yield* conditionNodes(condition.not, [...path, 'not'], depth + 1);
  } else if ('condition' in condition) {
    yield* conditionNodes(condition.condition, [...path, 'condition'], depth + 1);
  }
}

/** Yields the conditions and operands of rules in the order of the text, outer ones first. */
export function rulesNodes(rules: Pick<Resolved<Rules>, 'entries' | 'exits'>): Generator<Resolved<RulesNode>>;
export function rulesNodes(rules: Pick<Rules, 'entries' | 'exits'>): Generator<RulesNode>;
export function* rulesNodes({ entries, exits }: Pick<Rules, 'entries' | 'exits'>): Generator<RulesNode> {
  for (const [index, { when }] of entries.entries())
    yield* conditionNodes(when, ['entries', index, 'when'], 1);
  for (const [index, { when }] of exits.entries()) yield* conditionNodes(when, ['exits', index, 'when'], 1);
}

/** Returns whether an operand depends on an open trade, which differs between accounts. */
export const readsTrade = (operand: Operand): boolean =>
  [...operandNodes(operand, [], 1)].some(
    (node) => 'operand' in node && typeof node.operand === 'object' && 'trade' in node.operand,
  );
