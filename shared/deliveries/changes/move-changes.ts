import { appendWrites } from '../../data/changes/change-log.ts';
import { endListeningWrites } from '../../data/changes/listening.ts';
import {
  changeSource,
  findPendingChanges,
  movedChangeWrite,
  type PendingChange,
  type PendingEvent,
} from '../../data/changes/pending.ts';
import { retryOnConflict } from '../../data/numbered-list/retry.ts';
import type { DamagedItemError, OnDamaged } from '../../data/table/damaged-items.ts';
import { TransactionRefusedError } from '../../data/table/store.ts';
import type { Write } from '../../data/table/writes.ts';
import { webhookWrites } from '../../data/webhooks/webhook-writes.ts';
import type { ChangeEvent } from '../../domain/changes/change-event.ts';
import { textId } from '../../ids.ts';
import type { Runtime } from '../../runtime.ts';
import type { Deliver } from '../attempt.ts';
import { isOver, type Reader, readReaders } from './readers.ts';

/** Writes of one transaction, of which DynamoDB takes 100. */
const MAX_WRITES = 96;
/** Transactions of one attempt. Further commits have messages of their own. */
const MAX_ROUNDS = 40;

/** Sorts commits by time, but never those of a deployment, whose clocks may differ: they keep their order. */
const byTime = (pending: readonly PendingChange[]): PendingChange[] => {
  const latest = new Map<string, number>();
  const timed = pending.map((commit) => {
    const of = commit.sk.split('#', 1)[0] ?? '';
    const at = Math.max(latest.get(of) ?? 0, commit.created_at);
    latest.set(of, at);
    return { commit, at };
  });
  return timed.sort((left, right) => left.at - right.at).map(({ commit }) => commit);
};

/** Events that one transaction moves. */
class Batch {
  readonly #readers: readonly Reader[];
  readonly #events = new Map<Reader, ChangeEvent[]>();
  readonly #webhooks: Write[] = [];
  readonly #making: Parameters<typeof webhookWrites>[2];
  readonly #taken: { readonly commit: PendingChange; readonly upTo: number }[] = [];
  #size: number;

  constructor(readers: readonly Reader[], making: Parameters<typeof webhookWrites>[2]) {
    this.#readers = readers;
    this.#making = making;
    // The heads of their logs.
    this.#size = readers.length;
  }

  /** Takes an event of a commit. @returns false if there is no room for it */
  #takeEvent(commit: PendingChange, event: PendingEvent): boolean {
    const views = this.#readers.flatMap((reader) => {
      const view = reader.view(commit, event);
      return view ? [{ reader, view }] : [];
    });
    const webhooks = views.flatMap(({ reader, view }) => webhookWrites(reader.endpoints, view, this.#making));
    const size = this.#size + views.length + webhooks.length;
    if (size > MAX_WRITES) return false;
    this.#size = size;
    this.#webhooks.push(...webhooks);
    for (const { reader, view } of views) {
      this.#events.set(reader, [...(this.#events.get(reader) ?? []), view]);
    }
    return true;
  }

  /** Takes the events of a commit that are left. @returns false if some did not fit */
  take(commit: PendingChange): boolean {
    const { events, moved = 0 } = commit;
    this.#size += 1;
    let upTo = moved;
    for (const event of events.slice(moved)) {
      if (!this.#takeEvent(commit, event)) break;
      upTo += 1;
    }
    const isWhole = upTo === events.length;
    if (isWhole || upTo > moved) this.#taken.push({ commit, upTo });
    return isWhole;
  }

  /** Returns the transaction: entries of the logs, deliveries to webhook endpoints, and the commits without the events that were taken. */
  writes(now: Date): Write[] {
    const logged = [...this.#events].flatMap(([{ log, head }, events]) =>
      appendWrites(log, head, events, now),
    );
    return [
      ...logged,
      ...this.#webhooks,
      ...this.#taken.map(({ commit, upTo }) => movedChangeWrite(commit, upTo)),
    ];
  }
}

/** Ends listening of a reader that has not read for long. No-op if it reads meanwhile. */
const endListening = async ({ store, random }: Runtime, reader: Reader, now: Date): Promise<void> => {
  const { listener, until } = reader;
  try {
    await store.transact(endListeningWrites(listener, until, () => textId(random), now));
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
  }
};

/** Moves the next events of a source in one transaction. @returns false if none waits that can be read */
const moveSome = (runtime: Runtime, source: string, onDamaged: OnDamaged): Promise<boolean> =>
  retryOnConflict(async () => {
    const { store, clock, random } = runtime;
    const now = clock();
    const pending = await findPendingChanges(store, source, onDamaged);
    const [first] = pending;
    if (!first) return false;
    const readers = await readReaders(store, first.user_id, pending, now);
    const batch = new Batch(readers, { now, random });
    byTime(pending).every((commit) => batch.take(commit));
    await store.transact(batch.writes(now));
    for (const reader of readers) {
      if (isOver(reader, now)) await endListening(runtime, reader, now);
    }
    return true;
  });

/**
 * Moves the events of a source into the logs of their readers, and to their webhook endpoints: each exactly once, in order per deployment. One
 * transaction writes the entries and removes the events from their commit, so that neither a crash nor a second worker
 * repeats or reorders them.
 *
 * @throws AggregateError at the end, if a commit cannot be read. It waits, and the others are moved.
 */
export const moveChanges: Deliver = async (runtime, deliveryId) => {
  const source = changeSource(deliveryId);
  const damaged = new Map<string, DamagedItemError>();
  const note: OnDamaged = (error) => damaged.set(error.message, error);
  for (let round = 0; round < MAX_ROUNDS && (await moveSome(runtime, source, note)); round++);
  if (damaged.size > 0) {
    throw new AggregateError(damaged.values(), `${damaged.size} commits of change events cannot be read`);
  }
};
