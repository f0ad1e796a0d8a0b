/** An event as it is put on the bus. */
export interface PutEvent {
  readonly 'detail-type': string;
  readonly source: string;
  readonly detail: object;
}

interface Delivery {
  readonly event: PutEvent & { readonly time: string };
  readonly attempt: number;
  readonly due: number;
}

/** An event whose last attempt failed. */
interface Dead {
  readonly event: PutEvent;
  readonly error: unknown;
}

const RETRY_MS = 60_000;
const ATTEMPTS = 3;

/**
 * A bus over a slow function, with a clock of its own. It delivers as AWS does: in any order, several events at once,
 * and again after one minute and after two more.
 */
export class SlowBus {
  readonly dead: Dead[] = [];
  #deliveries: Delivery[] = [];
  #now: number;

  constructor(begin: Date) {
    this.#now = begin.getTime();
  }

  readonly clock = (): Date => new Date(this.#now);

  /** Puts events on the bus, which delivers them in the given order. */
  put(...events: readonly PutEvent[]): void {
    const time = this.clock().toISOString();
    const due = this.#now;
    this.#deliveries.push(...events.map((event) => ({ event: { ...event, time }, attempt: 1, due })));
  }

  /**
   * Delivers all events.
   *
   * @param options.workMs time that an attempt takes.
   * @param options.parallel attempts at a time.
   */
  async drain(
    take: (event: Delivery['event'], attempt: number) => Promise<void>,
    { workMs, parallel }: { readonly workMs: number; readonly parallel: number },
  ): Promise<void> {
    while (this.#deliveries.length > 0) {
      const sorted = this.#deliveries.toSorted((one, other) => one.due - other.due);
      this.#now = Math.max(this.#now, sorted[0]?.due ?? this.#now);
      const now = sorted.filter(({ due }) => due <= this.#now).slice(0, parallel);
      this.#deliveries = sorted.filter((one) => !now.includes(one));
      await Promise.all(now.map((one) => this.#deliver(one, take)));
      this.#now += workMs;
    }
  }

  async #deliver({ event, attempt }: Delivery, take: Parameters<SlowBus['drain']>[0]): Promise<void> {
    try {
      await take(event, attempt);
    } catch (error) {
      const due = this.#now + RETRY_MS * 2 ** (attempt - 1);
      if (attempt < ATTEMPTS) this.#deliveries.push({ event, attempt: attempt + 1, due });
      else this.dead.push({ event, error });
    }
  }
}
