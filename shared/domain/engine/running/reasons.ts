import type { ResolvedCondition } from '../conditions.ts';
import { at } from '../memory.ts';
import type { ResolvedOperand } from '../operands.ts';
import { conditionText, movementText } from '../rules/describe.ts';
import { barsText, operandText } from '../rules/describe-operand.ts';
import type { Comparison } from '../rules/shape.ts';
import { comparesTrade, type HeldTrade, tradeValue } from '../trade-values.ts';
import type { Reasons } from './frames.ts';
import type { RunningProgram } from './running-program.ts';

/** A condition with the values of its operands. */
export interface ExplainedCondition {
  /** `RSI(14) = 28.1 < 30`; of a group: `all of`, `any of`, `not`. */
  readonly text: string;
  readonly holds: boolean;
  /** Members of a group. */
  readonly conditions?: readonly ExplainedCondition[];
}

/** A bar as conditions see it. */
export interface BarView {
  readonly running: RunningProgram;
  /** Memory of the program with the values of the bar, at the places that tests read. */
  readonly memory: Float64Array;
  /** The oldest open trade of the side. */
  readonly held: HeldTrade | undefined;
  /** Index of the bar, as the account counts. */
  readonly bar: number;
  /** The account's counts of bars in a row. */
  readonly runs: Float64Array;
}

/** Returns the memory of a program from the values that were kept of a bar. */
export const memoryOf = ({ program }: RunningProgram, values: Reasons): Float64Array => {
  const memory = new Float64Array(program.initial.length).fill(Number.NaN);
  for (const [index, place] of program.explained.read.entries()) memory[place] = at(values, index);
  return memory;
};

const SIGNS: Readonly<Record<Comparison, string>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  crosses_above: 'crosses above',
  crosses_below: 'crosses below',
  crosses: 'crosses',
};

/** Digits of values; all digits if two different values would look equal. */
const DIGITS = 6;
const ALL_DIGITS = 15;

const shown = (value: number, digits: number): string =>
  Number.isNaN(value) ? 'no value' : String(Number(value.toPrecision(digits)));

/** Writes two values with as many digits as tell them apart. */
const shownPair = (left: number, right: number): [string, string] => {
  const isAlike = left !== right && shown(left, DIGITS) === shown(right, DIGITS);
  const digits = isAlike ? ALL_DIGITS : DIGITS;
  return [shown(left, digits), shown(right, digits)];
};

/** Writes a price or value. */
export const shownValue = (value: number): string => shown(value, DIGITS);

const slotOf = ({ running }: BarView, operand: ResolvedOperand): number =>
  running.program.explained.slots.get(JSON.stringify(operand)) ?? -1;

/** Returns the value of an operand at a bar; NaN without one. */
export const operandValue = (view: BarView, operand: ResolvedOperand): number =>
  tradeValue(operand, (each) => slotOf(view, each))(view.memory, view.held);

/** Returns the value at the bar before, for crosses. A number is its own. */
const valueBefore = (view: BarView, operand: ResolvedOperand): number => {
  const slot = slotOf(view, operand);
  return at(view.memory, view.running.program.explained.previous.get(slot) ?? slot);
};

const sideText = (operand: ResolvedOperand, value: string): string =>
  typeof operand === 'number' ? value : `${operandText(operand)} = ${value}`;

type ComparisonCondition = Extract<ResolvedCondition, { left: unknown }>;

const comparisonText = (view: BarView, { left, op, right }: ComparisonCondition): string => {
  const [leftText, rightText] = shownPair(operandValue(view, left), operandValue(view, right));
  const text = `${sideText(left, leftText)} ${SIGNS[op]} ${sideText(right, rightText)}`;
  if (!op.startsWith('crosses')) return text;
  const [leftBefore, rightBefore] = shownPair(valueBefore(view, left), valueBefore(view, right));
  return `${text} (before: ${leftBefore}, ${rightBefore})`;
};

type BetweenCondition = Extract<ResolvedCondition, { between: unknown }>;

const betweenValues = (view: BarView, { value, between: [low, high] }: BetweenCondition) => ({
  value: operandValue(view, value),
  low: operandValue(view, low),
  high: operandValue(view, high),
});

const betweenText = (view: BarView, condition: BetweenCondition): string => {
  const { value, low, high } = betweenValues(view, condition);
  const [lowText, highText] = [
    sideText(condition.between[0], shownValue(low)),
    sideText(condition.between[1], shownValue(high)),
  ];
  return `${sideText(condition.value, shownValue(value))} is between ${lowText} and ${highText}`;
};

const movedText = (view: BarView, condition: Extract<ResolvedCondition, { bars: unknown }>): string => {
  const isRising = 'rising' in condition;
  const operand = isRising ? condition.rising : condition.falling;
  const value = sideText(operand, shownValue(operandValue(view, operand)));
  const now = countOf(view, condition);
  return `${value} ${movementText(isRising ? 'rises' : 'falls', condition.bars)} (now ${now})`;
};

/** Returns the bars since the entry of the trade; NaN without one. */
const ageOf = ({ held, bar }: BarView): number => (held ? bar - held.entryBar : Number.NaN);

/** Returns whether a condition held at a bar. */
const holdsAt = (view: BarView, condition: ResolvedCondition): boolean => {
  const { tests, runs } = view.running.program.explained;
  const test = tests.get(condition);
  if (test) return test(view.memory);
  if ('bars_in_trade' in condition) return ageOf(view) >= condition.bars_in_trade;
  if ('left' in condition) {
    return comparesTrade(
      condition.op,
      operandValue(view, condition.left),
      operandValue(view, condition.right),
    );
  }
  if ('between' in condition) {
    const { value, low, high } = betweenValues(view, condition);
    return value >= low && value <= high;
  }
  if ('all' in condition) return condition.all.every((each) => holdsAt(view, each));
  if ('any' in condition) return condition.any.some((each) => holdsAt(view, each));
  if ('not' in condition) return !holdsAt(view, condition.not);
  const run = runs.get(condition);
  return 'condition' in condition && run !== undefined && at(view.runs, run) >= condition.for_bars;
};

/** Returns the bars in a row on which the condition within `for_bars` held, or on which a value moved. */
const countOf = (view: BarView, condition: ResolvedCondition): number => {
  const { counts, runs } = view.running.program.explained;
  const count = counts.get(condition);
  return count === undefined ? at(view.runs, runs.get(condition) ?? -1) : at(view.memory, count);
};

/** Explains a condition: the values of its operands, and whether it held. */
export const explainCondition = (view: BarView, condition: ResolvedCondition): ExplainedCondition => {
  const holds = holdsAt(view, condition);
  const members = (inner: readonly ResolvedCondition[]) => inner.map((each) => explainCondition(view, each));
  if ('left' in condition) return { text: comparisonText(view, condition), holds };
  if ('between' in condition) return { text: betweenText(view, condition), holds };
  if ('bars' in condition) return { text: movedText(view, condition), holds };
  if ('all' in condition) return { text: 'all of', holds, conditions: members(condition.all) };
  if ('any' in condition) return { text: 'any of', holds, conditions: members(condition.any) };
  if ('not' in condition) return { text: 'not', holds, conditions: members([condition.not]) };
  if ('condition' in condition) {
    const now = countOf(view, condition);
    const text = `for ${barsText(condition.for_bars)} in a row (now ${Number.isNaN(now) ? 0 : now})`;
    return { text, holds, conditions: members([condition.condition]) };
  }
  if ('bars_in_trade' in condition) {
    const now = view.held ? `now ${ageOf(view)}` : 'no trade';
    return { text: `${conditionText(condition)} (${now})`, holds };
  }
  return { text: conditionText(condition), holds };
};

/** Writes why a condition holds, in a line: of alternatives, those that hold. */
export const reasonText = ({ text, conditions }: ExplainedCondition): string => {
  if (!conditions) return text;
  const holding = text === 'any of' ? conditions.filter(({ holds }) => holds) : conditions;
  const joined =
    holding.length > 0 ? holding.map(reasonText).join(' and ') : conditions.map(reasonText).join(' or ');
  return text === 'all of' || text === 'any of' ? joined : `${text} (${joined})`;
};

/**
 * Writes why a condition held at a bar.
 *
 * @example
 * reasonOf(view, condition); // RSI(14) = 28.1 < 30 and close = 101.2 > SMA(200) = 99.7
 */
export const reasonOf = (view: BarView, condition: ResolvedCondition): string =>
  reasonText(explainCondition(view, condition));
