/** Runs tasks concurrently. The tasks of one lane run one after another, in order. */
export class Lanes {
  readonly #limit: number;
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Lanes with waiting tasks and no running one. */
  readonly #ready: string[] = [];
  readonly #busy = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Runs a task when its lane and a slot are free. Rejects like the task. */
  async run<T>(lane: string, task: () => T | Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      const waiting = this.#waiting.get(lane);
      if (waiting) waiting.push(start);
      else {
        this.#waiting.set(lane, [start]);
        if (!this.#busy.has(lane)) this.#ready.push(lane);
      }
      this.#next();
    });
    try {
      return await task();
    } finally {
      this.#busy.delete(lane);
      if (this.#waiting.has(lane)) this.#ready.push(lane);
      this.#next();
    }
  }

  #next(): void {
    while (this.#busy.size < this.#limit) {
      const lane = this.#ready.shift();
      if (lane === undefined) return;
      const waiting = this.#waiting.get(lane) ?? [];
      const start = waiting.shift();
      if (waiting.length === 0) this.#waiting.delete(lane);
      this.#busy.add(lane);
      start?.();
    }
  }
}
