import type { Arithmetic, Condition, Operand, Rules } from './shape.ts';

export type Path = readonly (string | number)[];

/** Condition or operand of rules, with its place. */
export type RulesNode = {
  readonly path: Path;
  /** Level of nesting; the condition of an entry or exit is level 1. */
  readonly depth: number;
} & ({ readonly condition: Condition } | { readonly operand: Operand });

type Operation = 'add' | 'subtract' | 'multiply' | 'divide';

/** Returns the operation and the two operands of an arithmetic operand. */
export const arithmeticOf = (
  operand: Arithmetic,
): { readonly operation: Operation; readonly pair: readonly [Operand, Operand] } => {
  if ('add' in operand) return { operation: 'add', pair: operand.add };
  if ('subtract' in operand) return { operation: 'subtract', pair: operand.subtract };
  if ('multiply' in operand) return { operation: 'multiply', pair: operand.multiply };
  return { operation: 'divide', pair: operand.divide };
};

const isArithmetic = (operand: Operand): operand is Arithmetic =>
  typeof operand === 'object' && !('price' in operand || 'indicator' in operand || 'param' in operand);

function* operandNodes(operand: Operand, path: Path, depth: number): Generator<RulesNode> {
  if (!isArithmetic(operand)) {
    yield { operand, path, depth };
    return;
  }
  yield { operand, path, depth: depth + 1 };
  const { operation, pair } = arithmeticOf(operand);
  for (const [index, member] of pair.entries()) {
    yield* operandNodes(member, [...path, operation, index], depth + 1);
  }
}

function* conditionNodes(condition: Condition, path: Path, depth: number): Generator<RulesNode> {
  yield { condition, path, depth };
  if ('left' in condition) {
    yield* operandNodes(condition.left, [...path, 'left'], depth);
    yield* operandNodes(condition.right, [...path, 'right'], depth);
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
export function* rulesNodes({ entries, exits }: Pick<Rules, 'entries' | 'exits'>): Generator<RulesNode> {
  for (const [index, { when }] of entries.entries())
    yield* conditionNodes(when, ['entries', index, 'when'], 1);
  for (const [index, { when }] of exits.entries()) yield* conditionNodes(when, ['exits', index, 'when'], 1);
}
