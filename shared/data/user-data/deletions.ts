import * as z from 'zod';
import { openEnum } from '../../domain/open-enum.ts';
import { type OnDamaged, parseReadable } from '../table/damaged-items.ts';
import { findDueItems } from '../table/due-items.ts';
import { keys } from '../table/keys.ts';
import { packed } from '../table/packed.ts';
import { type Store, TransactionRefusedError } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { type Session, STAYS } from '../users/users.ts';
import { type Account, accountSchema } from './account.ts';
import { holdingsSchema } from './holdings.ts';

/**
 * The deletion of an account: its item leads a job through the stages, so the work goes on after a crash or a time limit.
 * Once the account is deleted, the item names nobody.
 */

const DUE_KIND = 'account_deletion';
/** Kind of deletions that sweep, in the order in which they last took part in a round. */
const SWEEP_KIND = 'account_sweep';
/** Lease without a heartbeat, in milliseconds. A worker saves after every batch, which takes seconds. */
const LEASE_MS = 90_000;
/** Seconds for which a finished deletion is kept as a record that it took place. */
const KEEP_S = 3 * 366 * 24 * 3600;

/**
 * Stages of a deletion:
 * - `stopping`: deployments end, connections to partners are revoked.
 * - `withdrawing`: published strategies and likes are taken back, sign-in ends.
 * - `sweeping`: takes part in rounds of the shared walk, which removes what is the user's, until one finds nothing.
 */
const DELETION_STAGES = ['stopping', 'withdrawing', 'sweeping'] as const;

const deletionSchema = z.object({
  deletion_id: z.string(),
  /** Stands for the user in what is kept. */
  pseudonym: z.string(),
  by: openEnum(['user', 'operator'], 'operator'),
  requested_at: z.string(),
  stage: openEnum(DELETION_STAGES, 'stopping'),
  /** Absent when the account is deleted. */
  account: accountSchema.optional(),
  holdings: packed(holdingsSchema).optional(),
  /** Rounds of the shared walk that it took part in from the start to the end, and the number of the last one. */
  rounds: z.number(),
  last_round: z.number(),
  /** Items that all rounds have removed or changed. */
  erased: z.number(),
  /** Reason for which the deletion waits. */
  waits_for: z.string().optional(),
  finished_at: z.string().optional(),
  /** Increases with every save; conditions compare it. */
  rev: z.number(),
});

export type Deletion = z.output<typeof deletionSchema>;

/**
 * Returns the writes that begin a deletion and end the sessions of the user. They are refused if one has begun.
 *
 * @param asking the session that asks for it, which ends with the user: a repeat of the request gets the same answer.
 */
export const newDeletionWrites = (
  deletion: Pick<Deletion, 'deletion_id' | 'pseudonym' | 'by'> & { readonly account: Account },
  asking: { readonly sid: string; readonly session: Session } | undefined,
  now: Date,
): Write[] => {
  const { deletion_id, account } = deletion;
  const requested_at = now.toISOString();
  return [
    {
      put: {
        ...keys.deletion(deletion_id),
        entity: 'account_deletion',
        ...deletion,
        requested_at,
        stage: 'stopping',
        rounds: 0,
        last_round: 0,
        erased: 0,
        rev: 1,
        due_kind: DUE_KIND,
        due_at: now.getTime(),
      },
      if: { condition: 'attribute_not_exists(pk)' },
    },
    {
      key: keys.user(account.user_id),
      set: {
        deletion: { deletion_id, requested_at },
        sessions: asking ? { [asking.sid]: asking.session } : {},
        platform_token: undefined,
        api_keys: undefined,
      },
      if: {
        // Another e-mail since would be left behind.
        condition: `${STAYS} AND email = :email${asking ? ' AND sessions.#sid.generation = :generation' : ''}`,
        ...(asking && { names: { '#sid': asking.sid } }),
        values: {
          ':email': account.email,
          ...(asking && { ':generation': asking.session.generation }),
        },
      },
    },
  ];
};

/** Reads a deletion. */
export const findDeletion = (store: Store, deletionId: string): Promise<Deletion | undefined> =>
  store.get(keys.deletion(deletionId), deletionSchema, { consistent: true });

/** Lists deletions before their sweep that no worker holds and that wait for nothing, longest overdue first. */
export const findDueDeletions = (
  store: Store,
  now: Date,
  limit: number,
  onDamaged?: OnDamaged,
): Promise<Deletion[]> => findDueItems(store, [DUE_KIND], deletionSchema, { now, limit, onDamaged });

/**
 * Lists the ids of deletions that take part in the next round of the shared walk, the longest waiting first. Reports
 * those that cannot be read.
 */
export const findSweeping = async (store: Store, limit: number, onDamaged: OnDamaged): Promise<string[]> => {
  const items = await store.queryItems({
    IndexName: 'due',
    KeyConditionExpression: 'due_kind = :kind',
    ExpressionAttributeValues: { ':kind': SWEEP_KIND },
    ProjectionExpression: 'pk, deletion_id',
    Limit: limit,
  });
  const found = parseReadable(
    z.object({ deletion_id: z.string() }),
    items,
    ({ pk }) => `the deletion ${String(pk)} cannot be read`,
    onDamaged,
  );
  return found.map(({ deletion_id }) => deletion_id);
};

type Progress = Partial<
  Pick<Deletion, 'stage' | 'account' | 'erased' | 'rounds' | 'last_round' | 'waits_for' | 'finished_at'>
> & {
  /** Packed holdings. */
  readonly holdings?: Uint8Array<ArrayBuffer> | undefined;
};

/**
 * Saves the progress of a deletion.
 *
 * @param options.dueAt time at which it goes on, in epoch milliseconds; by default at the end of a lease, which keeps others away.
 * @returns the deletion as stored; undefined if another worker has taken it.
 */
export const saveDeletion = async (
  store: Store,
  { deletion_id, rev, stage }: Deletion,
  change: Progress,
  now: Date,
  {
    dueAt = now.getTime() + LEASE_MS,
    extraWrites = [],
  }: { readonly dueAt?: number | undefined; readonly extraWrites?: readonly Write[] } = {},
): Promise<Deletion | undefined> => {
  const isOver = change.finished_at !== undefined;
  const dueKind = (change.stage ?? stage) === 'sweeping' ? SWEEP_KIND : DUE_KIND;
  try {
    await store.transact([
      {
        key: keys.deletion(deletion_id),
        set: {
          ...change,
          rev: rev + 1,
          due_kind: isOver ? undefined : dueKind,
          due_at: isOver ? undefined : dueAt,
          ...(isOver && { expires_at_s: Math.floor(now.getTime() / 1000) + KEEP_S }),
        },
        if: { condition: 'rev = :rev', values: { ':rev': rev } },
      },
      ...extraWrites,
    ]);
  } catch (error) {
    if (error instanceof TransactionRefusedError) return undefined;
    throw error;
  }
  return findDeletion(store, deletion_id);
};
