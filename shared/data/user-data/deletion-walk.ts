import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import { scanPlaceSchema } from '../table/scan.ts';
import { type Store, TransactionRefusedError } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

/**
 * The walk through the table that all deletions of accounts share: it reads each page once a round, for all deletions
 * that took part from the start of the round.
 */

/** Lease without a heartbeat, in milliseconds. A worker saves after every page, which takes seconds at most. */
const LEASE_MS = 90_000;

const walkSchema = z.object({
  /** Number of the round that runs; between rounds that of the last one. */
  round: z.number(),
  /** Position of the next page. Packed: its key may name a user, and a sweep that replaced the name would move it. */
  place: packed(scanPlaceSchema).optional(),
  /** Start of the round, in epoch milliseconds. */
  began_at: z.number(),
  /** True once all pages of the round are read. */
  is_read: z.boolean(),
  /** Time until which a worker has the walk, or the next round waits, in epoch milliseconds. */
  free_at: z.number(),
  /** Increases with every save; conditions compare it. */
  rev: z.number(),
});

const memberSchema = z.object({
  deletion_id: z.string(),
  /** True once a page of the round held something of the account, or could not be swept. */
  found: z.boolean(),
  /** Items that the round has removed or changed. */
  erased: z.number(),
});

const membersSchema = z.object({ members: z.array(memberSchema) });

/** Deletion that takes part in a round. */
export type WalkMember = z.output<typeof memberSchema>;

type StoredWalk = z.output<typeof walkSchema>;

/** The walk, with the deletions that take part in its round: none between rounds. */
export interface DeletionWalk extends StoredWalk {
  readonly members: readonly WalkMember[];
}

type Change = Partial<Pick<DeletionWalk, 'round' | 'place' | 'began_at' | 'is_read' | 'members'>>;

const asWalk = (walk: Item | undefined, members: Item | undefined): DeletionWalk => ({
  ...(walk ? parseItem(walkSchema, walk) : { round: 0, began_at: 0, is_read: false, free_at: 0, rev: 0 }),
  members: members ? parseItem(membersSchema, members).members : [],
});

/** Reads the walk; one that never began if there is none. */
export const findWalk = async (store: Store): Promise<DeletionWalk> => {
  const [walk, members] = await store.getMany([keys.deletionWalk(), keys.deletionWalkMembers()], {
    consistent: true,
  });
  return asWalk(walk, members);
};

/**
 * Saves the progress of the walk. Writes the members only if they change: their record is long.
 *
 * @param freeAt time from which another worker may go on, in epoch milliseconds; by default the end of a lease.
 * @returns the walk as stored; undefined if another worker has taken it.
 */
export const saveWalk = async (
  store: Store,
  walk: DeletionWalk,
  { members, ...change }: Change,
  now: Date,
  freeAt = now.getTime() + LEASE_MS,
): Promise<DeletionWalk | undefined> => {
  const saved = { ...walk, ...change, free_at: freeAt, rev: walk.rev + 1 };
  const { place, members: _, ...stored } = saved;
  const writes: Write[] = [
    {
      key: keys.deletionWalk(),
      set: { ...stored, entity: 'deletion_walk', place: place && pack(place) },
      if:
        walk.rev === 0
          ? { condition: 'attribute_not_exists(pk)' }
          : { condition: 'rev = :rev', values: { ':rev': walk.rev } },
    },
    ...(members
      ? [{ key: keys.deletionWalkMembers(), set: { entity: 'deletion_walk_members', members } }]
      : []),
  ];
  try {
    await store.transact(writes);
  } catch (error) {
    if (error instanceof TransactionRefusedError) return undefined;
    throw error;
  }
  return { ...saved, members: members ?? walk.members };
};
