import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import { ConditionFailedError, type Store, TransactionRefusedError } from '../table/store.ts';
import type { Condition, Key, Update, Write } from '../table/writes.ts';

/** Lease without a heartbeat, in milliseconds. Every save renews it. */
const LEASE_MS = 90_000;

/** Time after which an event for a worker counts as lost, in milliseconds. */
export const PATIENCE_MS = 5 * 60_000;

/** Another worker has the lease, or the work was removed. */
export class LeaseLostError extends Error {
  constructor() {
    super('the lease of a job was lost');
    this.name = 'LeaseLostError';
  }
}

/** A worker's hold on the item of a job. */
export interface Lease {
  readonly key: Key;
  readonly holder: string;
}

/**
 * Takes the lease of a job that is queued or running, and counts the attempt. A save with progress resets the count.
 *
 * @returns the item of the job; undefined if another worker has the lease or nothing is left to do.
 */
export const takeLease = async (
  store: Store,
  { key, holder }: Lease,
  now: Date,
): Promise<Item | undefined> => {
  const until = now.getTime() + LEASE_MS;
  try {
    return await store.update(
      key,
      {
        update:
          'SET #status = :running, holder = :holder, lease_until = :until, due_at = :until, attempts = attempts + :one',
        condition:
          '(#status = :queued OR #status = :running) AND (attribute_not_exists(lease_until) OR lease_until < :now)',
        names: { '#status': 'status' },
        values: {
          ':queued': 'queued',
          ':running': 'running',
          ':holder': holder,
          ':until': until,
          ':now': now.getTime(),
          ':one': 1,
        },
      },
      z.record(z.string(), z.unknown()),
    );
  } catch (error) {
    if (error instanceof ConditionFailedError) return undefined;
    throw error;
  }
};

const held = ({ holder }: Lease): Condition => ({ condition: 'holder = :me', values: { ':me': holder } });

/** Returns the write that saves the progress of a job and renews its lease. */
export const renewal = (lease: Lease, fields: Item, now: Date): Write => {
  const until = now.getTime() + LEASE_MS;
  return {
    key: lease.key,
    set: { ...fields, attempts: 0, lease_until: until, due_at: until },
    if: held(lease),
  };
};

/** Returns the write that saves the progress of a job and leaves it to a worker that comes later. */
export const leaving = (lease: Lease, fields: Item, dueAt: number): Write => ({
  key: lease.key,
  set: { ...fields, holder: undefined, lease_until: undefined, due_at: dueAt },
  if: held(lease),
});

/** Returns the write that saves the progress of a job and leaves it to another worker. */
export const handOver = (lease: Lease, fields: Item, now: Date): Write =>
  leaving(lease, fields, now.getTime() + PATIENCE_MS);

/** Returns the write that ends a job. */
export const ending = (lease: Lease, fields: Item): Write => ({
  key: lease.key,
  set: { ...fields, holder: undefined, lease_until: undefined, due_kind: undefined, due_at: undefined },
  if: held(lease),
});

/** Writes what depends on a lease, in one transaction. @throws LeaseLostError */
export const writeHeld = async (store: Store, writes: readonly Write[]): Promise<void> => {
  try {
    await store.transact(writes);
  } catch (error) {
    if (error instanceof TransactionRefusedError) throw new LeaseLostError();
    throw error;
  }
};

/** Returns the update that lets the next sweep find a job again, unless it changed since `seen`. */
export const postponement = (kind: string, seen: number, now: Date): Update => ({
  update: 'SET due_at = :later',
  condition: 'due_kind = :kind AND due_at = :seen',
  values: { ':later': now.getTime() + PATIENCE_MS, ':kind': kind, ':seen': seen },
});
