import * as z from 'zod';
import type { Message } from '../outbox/messages.ts';
import type { Item } from '../table/attributes.ts';
import type { OnDamaged } from '../table/damaged-items.ts';
import { findDueItems } from '../table/due-items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { type Store, TransactionRefusedError } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { switchActorSchema, switchSubjectSchema } from './switch-changes.ts';

/**
 * Work that the throw of a switch leaves: halting the deployments that it covers. The item is written in the
 * transaction of the throw. An event of the bus lets a worker begin at once; the index leads a job to work that a crash
 * left.
 */

/** Type of the event that lets a worker halt the deployments of a throw. */
export const HALT_DUE = 'Kill Switch Thrown';

const DUE_KIND = 'halt';
/** Lease without a heartbeat, in milliseconds. A worker saves after every page, which takes seconds. */
const LEASE_MS = 60_000;
const MAX_PAUSE_MS = 3_600_000;
/** Seconds for which finished work is kept, for operators. */
const KEEP_S = 30 * 24 * 3600;

const haltSchema = z.object({
  throw_id: z.string(),
  subject: switchSubjectSchema,
  actor: switchActorSchema,
  at: z.string(),
  reason: z.string(),
  flatten: z.boolean(),
  /** Set if the switch was thrown before, for the same reason: owners know of it. */
  is_repeated: z.literal(true).optional(),
  /** Position of the next page; absent at the beginning. */
  cursor: z.string().optional(),
  halted: z.number(),
  /** Failures of the present round; the walk repeats after a round with failures. */
  failures: z.number(),
  failed_rounds: z.number(),
  finished_at: z.string().optional(),
  /** Increases with every save; conditions compare it. */
  rev: z.number(),
});

export type Halt = z.output<typeof haltSchema>;

/** Parses an item as the work of a throw; undefined if there is no item. */
export const asHalt = (item: Item | undefined): Halt | undefined => item && parseItem(haltSchema, item);

/** Returns the write of the work of a throw. */
export const newHaltWrite = (
  halt: Pick<Halt, 'throw_id' | 'subject' | 'actor' | 'at' | 'reason' | 'flatten' | 'is_repeated'>,
  now: Date,
): Write => ({
  put: {
    ...keys.halt(halt.throw_id),
    entity: 'halt',
    ...halt,
    halted: 0,
    failures: 0,
    failed_rounds: 0,
    rev: 1,
    due_kind: DUE_KIND,
    due_at: now.getTime() + LEASE_MS,
  },
  if: { condition: 'attribute_not_exists(pk)' },
});

/** Returns the message that lets a worker begin at once. */
export const haltMessage = (throwId: string): Message => ({
  kind: 'domain_event',
  detail_type: HALT_DUE,
  detail: { version: 1, throw_id: throwId },
});

/** Reads the work of a throw. */
export const findHalt = (store: Store, throwId: string): Promise<Halt | undefined> =>
  store.get(keys.halt(throwId), haltSchema, { consistent: true });

/** Lists work that no worker holds, longest overdue first. */
export const findDueHalts = (
  store: Store,
  now: Date,
  limit: number,
  onDamaged?: OnDamaged,
): Promise<Halt[]> => findDueItems(store, [DUE_KIND], haltSchema, { now, limit, onDamaged });

/** Lets another worker take up the work at once; no-op if one has it. */
export const releaseHalt = async (store: Store, { throw_id, rev }: Halt, now: Date): Promise<void> => {
  const write = {
    key: keys.halt(throw_id),
    set: { due_at: now.getTime() },
    if: { condition: 'rev = :rev', values: { ':rev': rev } },
  };
  try {
    await store.transact([write]);
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
  }
};

/** Returns the pause before work is taken up again: doubles with every round that failed, up to an hour. */
const pauseAfter = (failedRounds: number): number =>
  Math.min(MAX_PAUSE_MS, LEASE_MS * 2 ** (failedRounds - 1));

/**
 * Saves the progress of work and renews its lease; ends the work if it is finished.
 *
 * @returns the work as stored; undefined if another worker has taken it.
 */
export const saveHalt = async (
  store: Store,
  before: Halt,
  change: Partial<Pick<Halt, 'cursor' | 'halted' | 'failures' | 'failed_rounds' | 'finished_at'>>,
  now: Date,
): Promise<Halt | undefined> => {
  const after: Halt = { ...before, ...change, rev: before.rev + 1 };
  const { finished_at } = after;
  const wait = change.failed_rounds === undefined ? LEASE_MS : pauseAfter(change.failed_rounds);
  try {
    await store.transact([
      {
        key: keys.halt(before.throw_id),
        set: {
          ...after,
          due_kind: finished_at === undefined ? DUE_KIND : undefined,
          due_at: finished_at === undefined ? now.getTime() + wait : undefined,
          expires_at_s: finished_at === undefined ? undefined : Math.floor(now.getTime() / 1000) + KEEP_S,
        },
        if: { condition: 'rev = :rev', values: { ':rev': before.rev } },
      },
    ]);
    return after;
  } catch (error) {
    if (error instanceof TransactionRefusedError) return undefined;
    throw error;
  }
};
