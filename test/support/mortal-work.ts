import type * as z from 'zod';
import type { ExecutionRuntime } from '../../shared/broker-orders/execution-runtime.ts';
import type { Item } from '../../shared/data/table/attributes.ts';
import type { ItemSchema } from '../../shared/data/table/parse-item.ts';
import { Store } from '../../shared/data/table/store.ts';
import type { Condition, Key, Update, Write } from '../../shared/data/table/writes.ts';

/** The life of a process: after some calls it dies, before or after the effect of the last one. */
export class Life {
  #left: number;
  readonly #isAfter: boolean;

  constructor(calls: number, isAfter: boolean) {
    this.#left = calls;
    this.#isAfter = isAfter;
  }

  async call<T>(act: () => Promise<T>): Promise<T> {
    this.#left -= 1;
    if (this.#left === 0 && this.#isAfter) await act();
    if (this.#left <= 0) throw new Error('the process died');
    return act();
  }
}

/** A store of a process that dies. */
export class MortalStore extends Store {
  readonly #life: Life;

  constructor({ client, table }: Store, life: Life) {
    super(client, table);
    this.#life = life;
  }

  override get<S extends ItemSchema>(
    key: Key,
    schema: S,
    options?: { consistent?: boolean },
  ): Promise<z.output<S> | undefined> {
    return this.#life.call(() => super.get(key, schema, options));
  }

  override getMany(keys: readonly Key[], options?: { consistent?: boolean }): Promise<(Item | undefined)[]> {
    return this.#life.call(() => super.getMany(keys, options));
  }

  override put(item: Item, condition?: Condition): Promise<void> {
    return this.#life.call(() => super.put(item, condition));
  }

  override update<S extends ItemSchema>(key: Key, change: Update, schema: S): Promise<z.output<S>> {
    return this.#life.call(() => super.update(key, change, schema));
  }

  override transact(writes: readonly Write[]): Promise<void> {
    return this.#life.call(() => super.transact(writes));
  }
}

/** Returns the dependencies of an adapter whose process dies after some calls, between two of its effects. */
export const mortalWork = (
  { putReport, store, ...work }: ExecutionRuntime,
  life: Life,
): ExecutionRuntime => ({
  ...work,
  keyMemory: new Map(),
  store: new MortalStore(store, life),
  putReport: (detail) => life.call(() => putReport(detail)),
});
