import { at } from './memory.ts';
import type { Operands } from './operands.ts';
import type { Comparison, Condition } from './rules/shape.ts';
import { readsTrade } from './rules/walk.ts';
import type { Resolved } from './values/resolved.ts';
import { WEEKDAYS } from './values/weekdays.ts';

/** Condition whose numbers are known. */
export type ResolvedCondition = Resolved<Condition>;

/** A condition over the memory of a program. */
export type Test = (memory: Float64Array) => boolean;

const compare = (operands: Operands, op: Comparison, left: number, right: number): Test => {
  switch (op) {
    case 'gt':
      return (m) => at(m, left) > at(m, right);
    case 'gte':
      return (m) => at(m, left) >= at(m, right);
    case 'lt':
      return (m) => at(m, left) < at(m, right);
    case 'lte':
      return (m) => at(m, left) <= at(m, right);
    case 'crosses_above': {
      const leftBefore = operands.previousOf(left);
      const rightBefore = operands.previousOf(right);
      return (m) => at(m, left) > at(m, right) && at(m, leftBefore) < at(m, rightBefore);
    }
    case 'crosses_below':
      return compare(operands, 'crosses_above', right, left);
    case 'crosses': {
      const rises = compare(operands, 'crosses_above', left, right);
      const falls = compare(operands, 'crosses_below', left, right);
      return (m) => rises(m) || falls(m);
    }
  }
};

const every = (tests: readonly Test[]): Test => {
  const [first, second] = tests;
  if (first && !second) return first;
  if (first && second && tests.length === 2) return (m) => first(m) && second(m);
  return (m) => {
    for (const test of tests) if (!test(m)) return false;
    return true;
  };
};

const some = (tests: readonly Test[]): Test => {
  const [first, second] = tests;
  if (first && !second) return first;
  if (first && second && tests.length === 2) return (m) => first(m) || second(m);
  return (m) => {
    for (const test of tests) if (test(m)) return true;
    return false;
  };
};

/** Returns the minute of the day of a time `HH:MM`. */
export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Tests the local time of the bar's start. A range may pass midnight. */
export const timeTest = (operands: Operands, range: readonly [string, string]): Test => {
  const slot = operands.localTime();
  const from = minuteOf(range[0]);
  const to = minuteOf(range[1]);
  if (from <= to) return (m) => at(m, slot) >= from && at(m, slot) < to;
  return (m) => at(m, slot) >= from || at(m, slot) < to;
};

/** Tests the local weekday of the bar's start. */
export const weekdayTest = (operands: Operands, days: readonly string[]): Test => {
  const slot = operands.localTime() + 1;
  const isIncluded = WEEKDAYS.map((day) => days.includes(day));
  return (m) => isIncluded[at(m, slot)] === true;
};

/** Counts the bars in a row on which a test holds, those before the first evaluated bar included. */
const runTest = (operands: Operands, condition: ResolvedCondition, bars: number, test: Test): Test => {
  const slot = operands.layout.take(1, 0);
  operands.counts.set(condition, slot);
  operands.read.add(slot);
  operands.late.push((m) => {
    m[slot] = test(m) ? at(m, slot) + 1 : 0;
  });
  return (m) => at(m, slot) >= bars;
};

/** Tests that a value moved in one direction for a number of bars. */
const moveTest = (
  operands: Operands,
  condition: Extract<ResolvedCondition, { bars: unknown }>,
  slot: number,
): Test => {
  operands.counts.set(condition, slot);
  const { bars } = condition;
  return (m) => at(m, slot) >= bars;
};

/** Returns whether a condition depends on an open trade, which differs between accounts. */
export const dependsOnTrade = (condition: ResolvedCondition): boolean => {
  if ('bars_in_trade' in condition) return true;
  if ('left' in condition) return readsTrade(condition.left) || readsTrade(condition.right);
  if ('between' in condition) return [condition.value, ...condition.between].some(readsTrade);
  if ('all' in condition) return condition.all.some(dependsOnTrade);
  if ('any' in condition) return condition.any.some(dependsOnTrade);
  if ('not' in condition) return dependsOnTrade(condition.not);
  return 'condition' in condition && dependsOnTrade(condition.condition);
};

const testOf = (operands: Operands, condition: ResolvedCondition): Test => {
  if ('left' in condition) {
    const left = operands.slotOf(condition.left);
    return compare(operands, condition.op, left, operands.slotOf(condition.right));
  }
  if ('between' in condition) {
    const value = operands.slotOf(condition.value);
    const low = operands.slotOf(condition.between[0]);
    const high = operands.slotOf(condition.between[1]);
    return (m) => at(m, value) >= at(m, low) && at(m, value) <= at(m, high);
  }
  if ('rising' in condition) return moveTest(operands, condition, operands.movesSlot(condition.rising, 1));
  if ('falling' in condition) return moveTest(operands, condition, operands.movesSlot(condition.falling, -1));
  if ('pattern' in condition) {
    const slot = operands.patternSlot(condition);
    return (m) => at(m, slot) === 1;
  }
  if ('all' in condition) return every(condition.all.map((each) => compileTest(operands, each)));
  if ('any' in condition) return some(condition.any.map((each) => compileTest(operands, each)));
  if ('not' in condition) {
    const test = compileTest(operands, condition.not);
    return (m) => !test(m);
  }
  if ('time' in condition) return timeTest(operands, condition.time);
  if ('weekday' in condition) return weekdayTest(operands, condition.weekday);
  if ('condition' in condition) {
    return runTest(operands, condition, condition.for_bars, compileTest(operands, condition.condition));
  }
  throw new RangeError('a condition on an open trade is decided by the account');
};

/**
 * Compiles a condition that no trade decides.
 *
 * @throws RangeError for one that depends on an open trade.
 */
export const compileTest = (operands: Operands, condition: ResolvedCondition): Test => {
  const test = testOf(operands, condition);
  operands.tests.set(condition, test);
  return test;
};
