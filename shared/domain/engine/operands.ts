import type { Timeframe } from '../strategies/strategies.ts';
import { Group, START, type Step } from './group.ts';
import { indicatorValue, type ResolvedIndicator } from './indicators/indicator.ts';
import { price } from './indicators/nodes/prices.ts';
import { atr } from './indicators/nodes/ranges.ts';
import { delay } from './indicators/nodes/windows.ts';
import type { MarketTime } from './market-time.ts';
import { at, Layout } from './memory.ts';
import type { Condition, Operand } from './rules/shape.ts';
import type { Resolved } from './values/resolved.ts';

type ResolvedOperand = Resolved<Operand>;
type ArithmeticName = 'add' | 'subtract' | 'multiply' | 'divide';

const ARITHMETIC: Readonly<Record<ArithmeticName, (left: number, right: number, slot: number) => Step>> = {
  add: (left, right, slot) => (m) => {
    m[slot] = at(m, left) + at(m, right);
  },
  subtract: (left, right, slot) => (m) => {
    m[slot] = at(m, left) - at(m, right);
  },
  multiply: (left, right, slot) => (m) => {
    m[slot] = at(m, left) * at(m, right);
  },
  divide: (left, right, slot) => (m) => {
    const divisor = at(m, right);
    m[slot] = divisor === 0 ? Number.NaN : at(m, left) / divisor;
  },
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
    if ('price' in operand) {
      const { slot } = delay(this.base, price(this.base, operand.price), operand.ago);
      if (operand.ago > 0) this.needed.add(slot);
      return slot;
    }
    if ('indicator' in operand) return this.#addIndicator(operand);
    if ('add' in operand) return this.#combine('add', operand.add);
    if ('subtract' in operand) return this.#combine('subtract', operand.subtract);
    if ('multiply' in operand) return this.#combine('multiply', operand.multiply);
    return this.#combine('divide', operand.divide);
  }

  #addIndicator(operand: ResolvedIndicator): number {
    const group = this.groupOf(operand.timeframe);
    const timeframe = operand.timeframe ?? this.timeframe;
    const value = indicatorValue(group, operand, (higher) => this.time.periods(timeframe, higher));
    const { slot } = delay(group, value, operand.ago);
    this.needed.add(slot);
    return slot;
  }

  #combine(name: ArithmeticName, [left, right]: readonly [ResolvedOperand, ResolvedOperand]): number {
    const leftSlot = this.slotOf(left);
    const rightSlot = this.slotOf(right);
    const slot = this.layout.take(1, Number.NaN);
    this.late.push(ARITHMETIC[name](leftSlot, rightSlot, slot));
    return slot;
  }
}
