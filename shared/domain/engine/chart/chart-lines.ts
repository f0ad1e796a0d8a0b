import type { ResolvedCondition } from '../conditions.ts';
import { conditionText } from '../rules/describe.ts';
import { operandText } from '../rules/describe-operand.ts';
import type { ResolvedRules } from '../rules/params.ts';
import { paramReferences } from '../rules/references.ts';
import type { Condition, Operand } from '../rules/shape.ts';
import { type Path, readsTrade, rulesNodes } from '../rules/walk.ts';
import type { Resolved } from '../values/resolved.ts';
import { type Pane, paneOf } from './pane.ts';

type ResolvedOperand = Exclude<Resolved<Operand>, number>;

/** An operand to draw, without its values. */
export interface ChartLine {
  readonly label: string;
  readonly pane: Pane;
  readonly operand: ResolvedOperand;
  /** Numbers that conditions compare it with, smallest first. */
  readonly levels: readonly number[];
}

/** A condition to show, without its values. */
export interface ChartCondition {
  readonly text: string;
  /** Place in the rules. */
  readonly path: Path;
  readonly condition: ResolvedCondition;
}

/** Prices that candles show. */
const CANDLE_PRICES: ReadonlySet<string> = new Set(['open', 'high', 'low', 'close']);

/** Narrows parts of rules that have no parameters. */
const isResolved = <T extends Condition | Operand>(part: T): part is T & Resolved<T> =>
  paramReferences(part).next().done === true;

/** Fields of conditions that hold an operand. */
const SIDES: readonly Path[number][] = ['left', 'right', 'value', 'rising', 'falling'];

/** Returns whether an operand is drawn. Of computed values the whole is, without the steps in between. */
const isDrawn = (operand: Resolved<Operand>, path: Path): operand is ResolvedOperand => {
  if (typeof operand === 'number' || readsTrade(operand)) return false;
  if ('price' in operand) {
    return (
      !CANDLE_PRICES.has(operand.price) || operand.candles !== undefined || operand.timeframe !== undefined
    );
  }
  return 'indicator' in operand || SIDES.includes(path.at(-1) ?? '') || path.at(-2) === 'between';
};

const levelsOf = (rules: ResolvedRules): ReadonlyMap<string, ReadonlySet<number>> => {
  const levels = new Map<string, Set<number>>();
  const add = (operand: Operand, level: Operand) => {
    if (typeof level !== 'number' || typeof operand === 'number') return;
    const key = JSON.stringify(operand);
    levels.set(key, (levels.get(key) ?? new Set()).add(level));
  };
  for (const node of rulesNodes(rules)) {
    if (!('condition' in node)) continue;
    const { condition } = node;
    if ('left' in condition) {
      add(condition.left, condition.right);
      add(condition.right, condition.left);
    } else if ('between' in condition) {
      for (const bound of condition.between) add(condition.value, bound);
    }
  }
  return levels;
};

/** Lists the operands of rules to draw, each once: indicators, prices that candles do not show, and what is computed of them. */
export const linesOf = (rules: ResolvedRules): ChartLine[] => {
  const levels = levelsOf(rules);
  const lines = new Map<string, ChartLine>();
  for (const node of rulesNodes(rules)) {
    if (!('operand' in node) || !isResolved(node.operand) || !isDrawn(node.operand, node.path)) continue;
    const { operand } = node;
    const key = JSON.stringify(operand);
    lines.set(key, {
      label: operandText(operand),
      pane: paneOf(operand),
      operand,
      levels: [...(levels.get(key) ?? [])].sort((left, right) => left - right),
    });
  }
  return [...lines.values()];
};

/** Lists the conditions of rules, outer ones first. */
export const conditionsOf = (rules: ResolvedRules): ChartCondition[] =>
  [...rulesNodes(rules)].flatMap((node) =>
    'condition' in node && isResolved(node.condition)
      ? [{ text: conditionText(node.condition), path: node.path, condition: node.condition }]
      : [],
  );
