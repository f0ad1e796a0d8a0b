import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { EngineState, QueuedMessage } from '../database/state.ts';
import { failedItems } from '../database/stream-batches.ts';
import {
  messageSchema,
  type QueueMessage,
  type QueueRecord,
  type ReceivedMessage,
  recordOf,
} from './queue-records.ts';

export interface QueueOptions {
  readonly name: string;
  readonly region: string;
  /** Runs the messages of a group one after another, and drops repeats. */
  readonly fifo: boolean;
  readonly batchSize: number;
  /** Largest number of batches at a time. */
  readonly concurrency: number;
  /** Number of failed deliveries after which a message goes to the dead letters. */
  readonly maxReceives: number;
  /** Time after which a failed message is delivered again. */
  readonly visibilityMs: number;
  readonly invoke: (event: { readonly Records: readonly QueueRecord[] }) => Promise<unknown>;
  readonly onDeadLetter: (body: string, error: unknown) => void;
  readonly state: Pick<EngineState, 'addMessages' | 'removeMessages'>;
}

type NewMessage = Omit<QueueMessage, 'messageId' | 'sentAt'>;

const DEDUPLICATION_MS = 5 * 60_000;

/**
 * A queue of SQS with an event source mapping of Lambda that reports failures of single messages. A failed message comes
 * back after the visibility timeout. Until then, a FIFO queue holds back the messages of its group.
 */
export class LocalQueue {
  readonly #options: QueueOptions;
  readonly #ready: ReceivedMessage[] = [];
  /** Messages of groups that are being delivered or wait for their next delivery. */
  readonly #held = new Map<string, number>();
  readonly #underway = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #closed = false;
  readonly #sent = new Map<string, { readonly messageId: string; readonly until: number }>();
  #running = 0;

  constructor(options: QueueOptions, left: readonly QueuedMessage[]) {
    this.#options = options;
    for (const { id, message } of left) {
      const kept = messageSchema.parse(JSON.parse(message));
      this.#ready.push({ ...kept, id, receives: 0, firstReceivedAt: undefined });
    }
    this.#next();
  }

  get fifo(): boolean {
    return this.#options.fifo;
  }

  /** Accepts messages and returns their ids: for a repeat, that of the first. */
  send(given: readonly NewMessage[]): string[] {
    const sentAt = Date.now();
    const fresh: QueueMessage[] = [];
    const ids = given.map((one) => {
      const repeated = this.#repeatOf(one, sentAt);
      if (repeated !== undefined) return repeated;
      const message = { ...one, messageId: randomUUID(), sentAt };
      fresh.push(message);
      if (one.deduplicationId !== undefined) {
        this.#sent.set(this.#keyOf(one), {
          messageId: message.messageId,
          until: sentAt + DEDUPLICATION_MS,
        });
      }
      return message.messageId;
    });
    const { name: queue, state } = this.#options;
    const rows = state.addMessages(fresh.map((message) => ({ queue, message: JSON.stringify(message) })));
    for (const [index, message] of fresh.entries()) {
      this.#ready.push({ ...message, id: rows[index]?.id ?? 0, receives: 0, firstReceivedAt: undefined });
    }
    this.#next();
    return ids;
  }

  /** Resolves when no message waits or is being delivered. */
  async drain(): Promise<void> {
    while (this.#underway.size > 0) await Promise.all(this.#underway);
  }

  /**
   * Waits `graceMs` for current deliveries. The other messages are delivered after the next start. From then on, the
   * queue does not use its state any more.
   */
  async close(graceMs = 0): Promise<void> {
    this.#closing.abort();
    await Promise.race([this.drain(), wait(graceMs, undefined, { ref: false })]);
    this.#closed = true;
  }

  #keyOf({ group = '', deduplicationId = '' }: NewMessage): string {
    return JSON.stringify([group, deduplicationId]);
  }

  #repeatOf(message: NewMessage, now: number): string | undefined {
    for (const [key, { until }] of this.#sent) {
      if (until > now) break;
      this.#sent.delete(key);
    }
    return this.#sent.get(this.#keyOf(message))?.messageId;
  }

  #isHeld({ group }: QueueMessage): boolean {
    return this.#options.fifo && group !== undefined && this.#held.has(group);
  }

  #hold({ group }: QueueMessage, change: 1 | -1): void {
    if (!this.#options.fifo || group === undefined) return;
    const held = (this.#held.get(group) ?? 0) + change;
    if (held > 0) this.#held.set(group, held);
    else this.#held.delete(group);
  }

  /** Takes the next batch. It may hold several messages of a group, in order. */
  #take(): ReceivedMessage[] {
    const batch: ReceivedMessage[] = [];
    for (let at = 0; at < this.#ready.length && batch.length < this.#options.batchSize; ) {
      const message = this.#ready[at];
      if (!message || this.#isHeld(message)) at += 1;
      else batch.push(...this.#ready.splice(at, 1));
    }
    for (const message of batch) this.#hold(message, 1);
    return batch;
  }

  #next(): void {
    while (!this.#closing.signal.aborted && this.#running < this.#options.concurrency) {
      const batch = this.#take();
      if (batch.length === 0) return;
      this.#running += 1;
      this.#track(
        this.#deliver(batch).finally(() => {
          this.#running -= 1;
          this.#next();
        }),
      );
    }
  }

  #track(work: Promise<void>): void {
    this.#underway.add(work);
    void work.finally(() => this.#underway.delete(work));
  }

  async #deliver(batch: readonly ReceivedMessage[]): Promise<void> {
    const { invoke, state, maxReceives, onDeadLetter } = this.#options;
    const failed = new Set<string>();
    let failure: unknown = new Error('the function reported the message as failed');
    try {
      for (const item of failedItems(
        await invoke({ Records: batch.map((one) => recordOf(one, this.#options)) }),
      )) {
        failed.add(item);
      }
    } catch (error) {
      failure = error;
      for (const { messageId } of batch) failed.add(messageId);
    }
    // A message of an engine that closes stays for the next start.
    if (this.#closed || (this.#closing.signal.aborted && failed.size === batch.length)) return;
    const isDone = ({ messageId, receives }: ReceivedMessage): boolean =>
      !failed.has(messageId) || receives >= maxReceives;
    const done = batch.filter(isDone);
    state.removeMessages(done.map(({ id }) => id));
    for (const message of done) {
      this.#hold(message, -1);
      if (failed.has(message.messageId)) onDeadLetter(message.body, failure);
    }
    const again = batch.filter((message) => !isDone(message));
    if (again.length > 0) this.#track(this.#comeBack(again));
  }

  /** Makes failed messages visible again, at the place that they had. */
  async #comeBack(messages: readonly ReceivedMessage[]): Promise<void> {
    const { signal } = this.#closing;
    await wait(this.#options.visibilityMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    for (const message of messages) this.#hold(message, -1);
    this.#ready.push(...messages);
    this.#ready.sort((left, right) => left.id - right.id);
    this.#next();
  }
}
