import type { Layout } from './memory.ts';

/** Part of the work of a bar: reads and writes places of the memory. */
export type Step = (memory: Float64Array) => void;

/** A number that every bar computes. */
export interface Value {
  readonly slot: number;
  /** Index of the first bar of the group with a value; NaN before it. */
  readonly first: number;
}

/** Places of a group's bar, relative to the group. */
export const START = 0;
export const OPEN = 1;
export const HIGH = 2;
export const LOW = 3;
export const CLOSE = 4;
export const VOLUME = 5;
/** Index of the bar within the group; -1 before the first. */
export const COUNT = 6;

/** The last values of a node: that of bar `t` is at `offset + (t & mask)`. Known once the group is finished. */
export class History {
  offset = 0;
  mask = 0;
  #depth = 1;

  /** Keeps at least `depth` values. */
  extend(depth: number): this {
    this.#depth = Math.max(this.#depth, depth);
    return this;
  }

  place(layout: Layout): void {
    const size = 2 ** Math.ceil(Math.log2(this.#depth));
    this.mask = size - 1;
    this.offset = layout.take(size, Number.NaN);
  }
}

/**
 * The nodes of one timeframe, memoised by key, in the order in which they run. Their steps are made at the end, after
 * all histories have a place.
 */
export class Group {
  readonly layout: Layout;
  /** Place of the group's bar. */
  readonly bar: number;
  readonly #values = new Map<string, Value>();
  readonly #histories = new Map<number, History>();
  readonly #makers: (() => Step)[] = [];

  constructor(layout: Layout) {
    this.layout = layout;
    this.bar = layout.take(COUNT, Number.NaN);
    layout.take(1, -1);
  }

  /**
   * Returns the node with a key, and adds it first if it is new.
   *
   * @param first index of the first bar with a value.
   * @param slots places of its memory: the value, then numbers that begin with zero.
   * @param make returns the step; called once all histories have a place.
   */
  node(key: string, first: number, slots: number, make: (slot: number) => Step): Value {
    const known = this.#values.get(key);
    if (known) return known;
    const slot = this.layout.take(1, Number.NaN);
    if (slots > 1) this.layout.take(slots - 1, 0);
    const value = { slot, first };
    this.#values.set(key, value);
    this.#makers.push(() => make(slot));
    return value;
  }

  /** Keeps the last `depth` values of a node, the current one included. */
  history(value: Value, depth: number): History {
    const known = this.#histories.get(value.slot);
    if (known) return known.extend(depth);
    const history = new History().extend(depth);
    this.#histories.set(value.slot, history);
    const { bar } = this;
    this.#makers.push(() => {
      const { slot } = value;
      const { offset, mask } = history;
      const count = bar + COUNT;
      return (memory) => {
        memory[offset + ((memory[count] ?? 0) & mask)] = memory[slot] ?? Number.NaN;
      };
    });
    return history;
  }

  /** Gives the histories their places and returns the steps. Nodes cannot be added afterwards. */
  finish(): Step[] {
    for (const history of this.#histories.values()) history.place(this.layout);
    return this.#makers.map((make) => make());
  }
}
