import { compileTest, dependsOnTrade, type ResolvedCondition, type Test } from './conditions.ts';
import { at } from './memory.ts';
import type { Operands } from './operands.ts';

/**
 * A signal of an observation, as an account sees it.
 *
 * @param barsInTrade bars since the entry of the oldest trade of the side; NaN without a trade.
 * @param runs the account's counts of bars in a row.
 */
export type Signal = (observation: Float64Array, barsInTrade: number, runs: Float64Array) => boolean;

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

  constructor(operands: Operands, firstSlot: number) {
    this.#operands = operands;
    this.#first = firstSlot;
  }

  /** Adds a condition. One without `bars_in_trade` is a single place of the observation. */
  add(condition: ResolvedCondition, side: 1 | -1, filter?: Test): Signal {
    if (!dependsOnTrade(condition)) {
      const test = compileTest(this.#operands, condition);
      const slot = this.#place(filter ? (m) => filter(m) && test(m) : test);
      return (o) => at(o, slot) === 1;
    }
    const signal = this.#dependent(condition, side);
    if (!filter) return signal;
    const slot = this.#place(filter);
    return (o, bars, runs) => at(o, slot) === 1 && signal(o, bars, runs);
  }

  #place(test: Test): number {
    this.tests.push(test);
    return this.#first + this.tests.length - 1;
  }

  #dependent(condition: ResolvedCondition, side: 1 | -1): Signal {
    if (!dependsOnTrade(condition)) return this.add(condition, side);
    if ('bars_in_trade' in condition) {
      const { bars_in_trade: least } = condition;
      return (_, bars) => bars >= least;
    }
    if ('all' in condition) {
      const parts = condition.all.map((each) => this.#dependent(each, side));
      return (o, bars, runs) => parts.every((part) => part(o, bars, runs));
    }
    if ('any' in condition) {
      const parts = condition.any.map((each) => this.#dependent(each, side));
      return (o, bars, runs) => parts.some((part) => part(o, bars, runs));
    }
    if ('not' in condition) {
      const part = this.#dependent(condition.not, side);
      return (o, bars, runs) => !part(o, bars, runs);
    }
    if ('condition' in condition) {
      const { for_bars: least } = condition;
      const run = this.runs.push({ side, signal: this.#dependent(condition.condition, side) }) - 1;
      this.runsOf.set(condition, run);
      return (_o, _bars, runs) => at(runs, run) >= least;
    }
    throw new RangeError('the condition does not depend on a trade');
  }
}
