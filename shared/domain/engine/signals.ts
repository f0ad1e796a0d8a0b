import { compileTest, dependsOnTrade, type ResolvedCondition, type Test } from './conditions.ts';
import { at } from './memory.ts';
import type { Operands, ResolvedOperand } from './operands.ts';
import { comparesTrade, type HeldTrade, type TradeValue, tradeValue } from './trade-values.ts';

/**
 * A signal of an observation, as an account sees it.
 *
 * @param held the oldest open trade of the side; undefined without one.
 * @param bar index of the bar, as the account counts.
 * @param runs the account's counts of bars in a row.
 */
export type Signal = (
  observation: Float64Array,
  held: HeldTrade | undefined,
  bar: number,
  runs: Float64Array,
) => boolean;

/** Counts the bars in a row on which a condition of the account holds. */
export interface Run {
  readonly side: 1 | -1;
  readonly signal: Signal;
}

/** Collects the tests that fill an observation, and the signals that accounts read from it. */
export class Signals {
  readonly tests: Test[] = [];
  /** Inner runs come before outer ones. */
  readonly runs: Run[] = [];
  /** Indices of runs by their condition, for explanations. */
  readonly runsOf = new Map<ResolvedCondition, number>();
  readonly #operands: Operands;
  readonly #first: number;
  readonly #copyOf: (slot: number) => number;

  /**
   * @param firstSlot place of the first test in the observation.
   * @param copyOf returns the place of the observation to which a place of the memory is copied.
   */
  constructor(operands: Operands, firstSlot: number, copyOf: (slot: number) => number) {
    this.#operands = operands;
    this.#first = firstSlot;
    this.#copyOf = copyOf;
  }

  /** Adds a condition. One that no trade decides is a single place of the observation. */
  add(condition: ResolvedCondition, side: 1 | -1, filter?: Test): Signal {
    if (!dependsOnTrade(condition)) {
      const test = compileTest(this.#operands, condition);
      const slot = this.#place(filter ? (m) => filter(m) && test(m) : test);
      return (o) => at(o, slot) === 1;
    }
    const signal = this.#dependent(condition, side);
    if (!filter) return signal;
    const slot = this.#place(filter);
    return (o, held, bar, runs) => at(o, slot) === 1 && signal(o, held, bar, runs);
  }

  #place(test: Test): number {
    this.tests.push(test);
    return this.#first + this.tests.length - 1;
  }

  #value(operand: ResolvedOperand): TradeValue {
    return tradeValue(operand, (each) => this.#copyOf(this.#operands.slotOf(each)));
  }

  #dependent(condition: ResolvedCondition, side: 1 | -1): Signal {
    if (!dependsOnTrade(condition)) return this.add(condition, side);
    if ('bars_in_trade' in condition) {
      const { bars_in_trade: least } = condition;
      return (_, held, bar) => held !== undefined && bar - held.entryBar >= least;
    }
    if ('left' in condition) {
      const { op } = condition;
      const left = this.#value(condition.left);
      const right = this.#value(condition.right);
      return (o, held) => comparesTrade(op, left(o, held), right(o, held));
    }
    if ('between' in condition) {
      const value = this.#value(condition.value);
      const low = this.#value(condition.between[0]);
      const high = this.#value(condition.between[1]);
      return (o, held) => value(o, held) >= low(o, held) && value(o, held) <= high(o, held);
    }
    if ('all' in condition) {
      const parts = condition.all.map((each) => this.#dependent(each, side));
      return (o, held, bar, runs) => parts.every((part) => part(o, held, bar, runs));
    }
    if ('any' in condition) {
      const parts = condition.any.map((each) => this.#dependent(each, side));
      return (o, held, bar, runs) => parts.some((part) => part(o, held, bar, runs));
    }
    if ('not' in condition) {
      const part = this.#dependent(condition.not, side);
      return (o, held, bar, runs) => !part(o, held, bar, runs);
    }
    if ('condition' in condition) {
      const { for_bars: least } = condition;
      const run = this.runs.push({ side, signal: this.#dependent(condition.condition, side) }) - 1;
      this.runsOf.set(condition, run);
      return (_o, _held, _bar, runs) => at(runs, run) >= least;
    }
    throw new RangeError('the condition does not depend on a trade');
  }
}
