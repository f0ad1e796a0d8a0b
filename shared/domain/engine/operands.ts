import type { Timeframe } from '../strategies/strategies.ts';
import { Group, START, type Step, type Value } from './group.ts';
import { indicatorValue, type ResolvedIndicator } from './indicators/indicator.ts';
import { heikinAshi } from './indicators/nodes/heikin-ashi.ts';
import { countMoves, movesOf } from './indicators/nodes/movement.ts';
import { closedPrice, price } from './indicators/nodes/prices.ts';
import { atr } from './indicators/nodes/ranges.ts';
import { delay } from './indicators/nodes/windows.ts';
import { type MarketTime, monthsOf } from './market-time.ts';
import { at, Layout } from './memory.ts';
import { patternValue } from './patterns.ts';
import type { PatternCondition } from './rules/patterns.ts';
import type { Condition, Operand, PriceOperand } from './rules/shape.ts';
import { arithmeticOf, type Operation } from './rules/walk.ts';
import type { Resolved } from './values/resolved.ts';

export type ResolvedOperand = Resolved<Operand>;
type ResolvedPrice = Resolved<PriceOperand>;

export const ARITHMETIC: Readonly<Record<Operation, (left: number, right: number) => number>> = {
  add: (left, right) => left + right,
  subtract: (left, right) => left - right,
  multiply: (left, right) => left * right,
  divide: (left, right) => (right === 0 ? Number.NaN : left / right),
};

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
/** The epoch was a Thursday; Monday is 0. */
const EPOCH_WEEKDAY = 3;
const WEEK_DAYS = 7;

/** A program while it is compiled: its groups, its memory, and the places of its operands. */
export class Operands {
  readonly layout = new Layout();
  readonly base: Group;
  readonly higher = new Map<Timeframe, Group>();
  /** Steps that run on every bar after all groups. */
  readonly late: Step[] = [];
  readonly timeframe: Timeframe;
  readonly time: MarketTime;
  /** Places that need a first value before rules are evaluated. */
  readonly needed = new Set<number>();
  /** Tests by their condition, and the places of counts of bars in a row, for explanations. */
  readonly tests = new Map<Resolved<Condition>, (memory: Float64Array) => boolean>();
  readonly counts = new Map<Resolved<Condition>, number>();
  /** Places that tests read. */
  readonly read = new Set<number>();
  /** Places of values by the JSON of their operand. */
  readonly slots = new Map<string, number>();
  readonly #constants = new Set<number>();
  /** Place of the value at the bar before, by place. */
  readonly previous = new Map<number, number>();

  constructor(timeframe: Timeframe, time: MarketTime) {
    this.timeframe = timeframe;
    this.time = time;
    this.base = new Group(this.layout);
  }

  groupOf(timeframe: Timeframe | undefined): Group {
    if (timeframe === undefined || timeframe === this.timeframe) return this.base;
    const group = this.higher.get(timeframe) ?? new Group(this.layout);
    this.higher.set(timeframe, group);
    return group;
  }

  /** Returns the place of an operand's value. */
  slotOf(operand: ResolvedOperand): number {
    const key = JSON.stringify(operand);
    const known = this.slots.get(key);
    if (known !== undefined) return known;
    const slot = this.#add(operand);
    this.slots.set(key, slot);
    this.read.add(slot);
    return slot;
  }

  /** Returns the place that holds an operand's value of the bar before. */
  previousOf(slot: number): number {
    if (this.#constants.has(slot)) return slot;
    const known = this.previous.get(slot);
    if (known !== undefined) return known;
    const previous = this.layout.take(1, Number.NaN);
    this.previous.set(slot, previous);
    this.read.add(previous);
    return previous;
  }

  /**
   * Returns the place that counts the bars in a row on which an operand rose (`sign` 1) or fell (-1): bars of its own
   * timeframe; those of the program for arithmetic and numbers.
   */
  movesSlot(operand: ResolvedOperand, sign: 1 | -1): number {
    const source = this.slotOf(operand);
    if (typeof operand === 'object' && ('price' in operand || 'indicator' in operand)) {
      const { slot } = movesOf(this.groupOf(operand.timeframe), this.#valueOf(operand), sign);
      this.read.add(slot);
      return slot;
    }
    const slot = this.layout.take(2, Number.NaN);
    this.read.add(slot);
    this.late.push(countMoves(source, sign, slot, slot + 1));
    return slot;
  }

  /** Returns the place that is 1 on bars on which candles have the form of a pattern. */
  patternSlot(condition: Resolved<PatternCondition>): number {
    const group = this.groupOf(condition.timeframe);
    const { slot } = delay(group, patternValue(group, condition), condition.ago);
    this.needed.add(slot);
    this.read.add(slot);
    return slot;
  }

  /** Returns the copies to make after a bar, as pairs of places: to, from. */
  copies(): Int32Array {
    return Int32Array.from([...this.previous].flatMap(([slot, previous]) => [previous, slot]));
  }

  /** Returns the place of an average true range of the program's timeframe. */
  atrSlot(length: number): number {
    const { slot } = atr(this.base, length);
    this.needed.add(slot);
    return slot;
  }

  /** Returns the place of the bar's local time: the minute of the day, and after it the weekday (Monday is 0). */
  localTime(): number {
    const { offsetAt } = this.time;
    const start = this.base.bar + START;
    const { slot } = this.base.node('local-time', 0, 2, (minute) => (m) => {
      const begin = at(m, start);
      const minutes = Math.floor((begin + offsetAt(begin)) / MINUTE_MS);
      const days = Math.floor(minutes / DAY_MINUTES);
      m[minute] = minutes - days * DAY_MINUTES;
      m[minute + 1] = (((days + EPOCH_WEEKDAY) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS;
    });
    this.read.add(slot).add(slot + 1);
    return slot;
  }

  #add(operand: ResolvedOperand): number {
    if (typeof operand === 'number') {
      const slot = this.layout.take(1, operand);
      this.#constants.add(slot);
      return slot;
    }
    if ('price' in operand) return this.#addPrice(operand);
    if ('indicator' in operand) return this.#addIndicator(operand);
    if ('trade' in operand) throw new RangeError('values of a trade are those of an account');
    const { operation, pair } = arithmeticOf<ResolvedOperand>(operand);
    return this.#combine(operation, pair);
  }

  /** Returns the value of a price or an indicator in the group of its timeframe. */
  #valueOf(operand: ResolvedPrice | ResolvedIndicator): Value {
    const group = this.groupOf(operand.timeframe);
    if ('price' in operand) {
      const { candles, ago } = operand;
      const value = candles ? heikinAshi(group, operand.price) : price(group, operand.price);
      // The bar of a higher timeframe changes until it is closed.
      return ago > 0 ? delay(group, value, ago) : group === this.base ? value : closedPrice(group, value);
    }
    const timeframe = operand.timeframe ?? this.timeframe;
    const value = indicatorValue(group, operand, (higher) =>
      higher === 'month' ? monthsOf(this.time, timeframe) : this.time.periods(timeframe, higher),
    );
    return delay(group, value, operand.ago);
  }

  #addPrice(operand: ResolvedPrice): number {
    const { slot } = this.#valueOf(operand);
    const isPresent = operand.ago === 0 && this.groupOf(operand.timeframe) === this.base;
    if (!isPresent) this.needed.add(slot);
    return slot;
  }

  #addIndicator(operand: ResolvedIndicator): number {
    const { slot } = this.#valueOf(operand);
    this.needed.add(slot);
    return slot;
  }

  #combine(name: Operation, [left, right]: readonly [ResolvedOperand, ResolvedOperand]): number {
    const leftSlot = this.slotOf(left);
    const rightSlot = this.slotOf(right);
    const slot = this.layout.take(1, Number.NaN);
    const compute = ARITHMETIC[name];
    this.late.push((m) => {
      m[slot] = compute(at(m, leftSlot), at(m, rightSlot));
    });
    return slot;
  }
}
