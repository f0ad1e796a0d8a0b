import type * as z from 'zod';
import { BACKTEST_JOBS_SOURCE } from '../../functions/consumers.ts';
import { completeDelivery } from '../../shared/data/outbox/deliveries.ts';
import type { Item } from '../../shared/data/table/attributes.ts';
import type { ItemSchema } from '../../shared/data/table/parse-item.ts';
import { Store } from '../../shared/data/table/store.ts';
import type { Condition, Key, Update, Write } from '../../shared/data/table/writes.ts';
import type { TestHub } from './hub.ts';
import { outbox } from './people.ts';

/** Event of the hub that a worker takes. */
export interface JobEvent {
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Takes the events for workers that wait in the outbox. */
export const takeJobEvents = async (hub: TestHub): Promise<JobEvent[]> => {
  const events: JobEvent[] = [];
  for (const delivery of await outbox(hub)) {
    if (delivery.message?.kind !== 'domain_event') continue;
    const { detail_type, detail } = delivery.message;
    if (!BACKTEST_JOBS_SOURCE.subscriptions.some((one) => one.detailTypes.includes(detail_type))) continue;
    await completeDelivery(hub.runtime.store, delivery);
    events.push({ 'detail-type': detail_type, detail });
  }
  return events;
};

/**
 * A store that fails for good with a write, before or after it, like a process that dies. Counts transactions and
 * batches, changes of single items, or all writes.
 */
export class DyingStore extends Store {
  #left: number;
  readonly #isAfter: boolean;
  readonly #counted: 'together' | 'single' | 'all';

  constructor(
    { client, table }: Store,
    writes: number,
    isAfter: boolean,
    counted: 'together' | 'single' | 'all' = 'together',
  ) {
    super(client, table);
    this.#counted = counted;
    this.#left = writes;
    this.#isAfter = isAfter;
  }

  async #dying<T>(write: () => Promise<T>, kind: 'together' | 'single'): Promise<T> {
    if (this.#counted === 'all' || kind === this.#counted) this.#left -= 1;
    if (this.#left === 0 && this.#isAfter) {
      this.#left = -1;
      await write();
    }
    if (this.#left <= 0) throw new Error('the process died');
    return write();
  }

  override update<S extends ItemSchema>(key: Key, change: Update, schema: S): Promise<z.output<S>> {
    const update = () => super.update(key, change, schema);
    return this.#counted === 'together' ? update() : this.#dying(update, 'single');
  }

  override put(item: Item, condition?: Condition): Promise<void> {
    const put = () => super.put(item, condition);
    return this.#counted === 'all' ? this.#dying(put, 'single') : put();
  }

  override transact(writes: readonly Write[]): Promise<void> {
    return this.#dying(() => super.transact(writes), 'together');
  }

  override batchWrite(members: Parameters<Store['batchWrite']>[0]): Promise<void> {
    return this.#dying(() => super.batchWrite(members), 'together');
  }
}
