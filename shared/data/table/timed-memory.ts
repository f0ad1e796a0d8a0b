import type { Store } from './store.ts';

/** Time for which a container keeps reads that are the same for all callers. Changes show after it at the latest. */
export const SHARED_MS = 5_000;

/**
 * Longest time for which callers share a read. A function that has answered is frozen with the reads that it did not wait
 * for, so one may end hours later, or never.
 */
const READ_MS = 5_000;

interface Kept<T> {
  readonly value: Promise<T>;
  /** Epoch milliseconds, counted from the beginning of the read. */
  until: number;
}

/**
 * Keeps values in a container for some time. Callers that come soon after the beginning of a read share it. A failed read is
 * not kept. Holds a limited number of values and drops the oldest first.
 */
export class TimedMemory<T> {
  readonly #kept = new Map<string, Kept<T>>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Returns the value that is kept under a key, or reads it.
   *
   * @param keepMs time for which the value is kept, in milliseconds.
   */
  find(key: string, now: Date, read: () => Promise<T>, keepMs: (value: T) => number): Promise<T> {
    const found = this.#kept.get(key);
    if (found && found.until > now.getTime()) return found.value;
    const kept: Kept<T> = { value: read(), until: now.getTime() + READ_MS };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    kept.value.then(
      (value) => {
        kept.until = now.getTime() + keepMs(value);
      },
      () => {
        if (this.#kept.get(key) === kept) this.#kept.delete(key);
      },
    );
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#max && oldest !== undefined) this.#kept.delete(oldest);
    return kept.value;
  }
}

/**
 * Makes a reader that keeps values for {@link SHARED_MS}, per store, until they are forgotten. Only for values that are the same for all callers.
 *
 * @param max number of values that are kept.
 *
 * @example
 * const brokersOf = sharedReads<Broker[]>(1);
 * const brokers = await brokersOf(call, '', () => listBrokers(call.store));
 */
export const sharedReads = <T>(max: number) => {
  const memories = new WeakMap<Store, TimedMemory<T>>();
  const find = (
    { store, now }: { readonly store: Store; readonly now: Date },
    key: string,
    read: () => Promise<T>,
  ): Promise<T> => {
    const memory = memories.get(store) ?? new TimedMemory<T>(max);
    memories.set(store, memory);
    return memory.find(key, now, read, () => SHARED_MS);
  };
  /** Forgets all values of a store, also through a view of it. A read that is under way is not kept either. */
  const forget = (store: Store): void => void memories.delete(store.origin);
  return Object.assign(find, { forget });
};
