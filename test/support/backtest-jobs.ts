import { BACKTEST_JOBS_SOURCE } from '../../functions/backtests/jobs/source.ts';
import { completeDelivery } from '../../shared/data/outbox/outbox.ts';
import { Store } from '../../shared/data/table/store.ts';
import type { Write } from '../../shared/data/table/writes.ts';
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

/** A store that fails for good with a write, before or after it, like a process that dies. */
export class DyingStore extends Store {
  #left: number;
  readonly #isAfter: boolean;

  constructor({ client, table }: Store, writes: number, isAfter: boolean) {
    super(client, table);
    this.#left = writes;
    this.#isAfter = isAfter;
  }

  async #dying(write: () => Promise<void>): Promise<void> {
    this.#left -= 1;
    if (this.#left === 0 && this.#isAfter) await write();
    if (this.#left <= 0) throw new Error('the process died');
    await write();
  }

  override transact(writes: readonly Write[]): Promise<void> {
    return this.#dying(() => super.transact(writes));
  }

  override batchWrite(members: Parameters<Store['batchWrite']>[0]): Promise<void> {
    return this.#dying(() => super.batchWrite(members));
  }
}
