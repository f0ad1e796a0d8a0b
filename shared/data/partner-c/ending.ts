import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store, type Write } from '../table/store.ts';
import {
  asTaken,
  type Connection,
  type ConnectionLink,
  connectionKey,
  connectionSchema,
  DUE_KIND,
  LEASE_MS,
  putUnclaimed,
  unlessRefused,
} from './connections.ts';

/** Has connections that waited for the end of another one ended now. */
export const waitingWrites = (replaced: readonly string[], now: Date): Write[] =>
  replaced.map((id) => ({
    key: keys.unclaimedPartnerCConnection(id),
    update: 'SET due_at = :now, due_kind = :kind',
    condition: 'attribute_exists(pk)',
    values: { ':now': now.getTime(), ':kind': DUE_KIND },
  }));

/** Marks a user's connection as one to be ended, and takes it; undefined where there is none. */
export const beginDisconnect = async (
  store: Store,
  userId: string,
  now: Date,
): Promise<Connection | undefined> => {
  try {
    return await store.update(
      keys.partnerCConnection(userId),
      {
        update: 'SET #status = :status, due_kind = :kind, due_at = :lease',
        condition: 'attribute_exists(pk)',
        names: { '#status': 'status' },
        values: { ':status': 'disconnecting', ':kind': DUE_KIND, ':lease': now.getTime() + LEASE_MS },
      },
      connectionSchema,
    );
  } catch (error) {
    if (error instanceof ConditionFailedError) return undefined;
    throw error;
  }
};

/**
 * Removes a connection that was taken and is over, and with it the user's link; those that it took the place
 * of are ended next.
 */
export const removeConnection = (
  store: Store,
  taken: Connection,
  { link, now }: { link: ConnectionLink; now: Date },
): Promise<boolean> =>
  unlessRefused(
    store.transact([
      { delete: connectionKey(taken), if: asTaken(taken) },
      ...waitingWrites(taken.replaced ?? [], now),
      ...(taken.user_id === undefined
        ? []
        : [
            {
              key: keys.user(taken.user_id),
              update: 'REMOVE brokers.#key',
              condition: 'attribute_exists(pk)',
              names: { '#key': link.key },
            },
          ]),
    ]),
  );

/**
 * Keeps tokens that were renewed while their connection left its user: they wait with it where it waits,
 * and are ended otherwise.
 */
export const keepRenewed = async (store: Store, renewed: Connection, now: Date): Promise<void> => {
  const { sealed } = renewed;
  try {
    await store.update(
      keys.unclaimedPartnerCConnection(renewed.connection_id),
      {
        update: 'SET sealed = :sealed',
        // One that is due may be ending with the tokens before: it is put anew, and ended again.
        condition: 'attribute_exists(pk) AND attribute_not_exists(due_at)',
        values: { ':sealed': sealed },
      },
      connectionSchema,
    );
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    await putUnclaimed(store, {
      ...renewed,
      status: 'disconnecting',
      replaced: undefined,
      due_at: now.getTime(),
    });
  }
};
