import * as z from 'zod';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';

/** Seconds in which the way to partner C's consent and back must be gone. */
export const STATE_S = 600;

const stateSchema = z.object({
  /** PKCE's challenge, which is public: the verifier is derived from the state under a key of the service. */
  challenge: z.string(),
  /** The session that went, where there was one: only it may come back. */
  user_id: z.string().optional(),
  sid: z.string().optional(),
  /** Where there was none, a digest of what only the browser that went knows. */
  browser: z.string().optional(),
});

const takenSchema = stateSchema.extend({ taken_at: z.number().optional(), expires_at_s: z.number() });

/** Who comes back: the session, and the digest of what the browser knows. */
export interface Returning {
  readonly userId?: string | undefined;
  readonly sid?: string | undefined;
  readonly browser?: string | undefined;
}

export type PartnerCState = z.output<typeof stateSchema>;

/** Remembers that somebody went to partner C's consent. */
export const putState = (store: Store, state: string, held: PartnerCState, now: Date): Promise<void> =>
  store.put({
    ...keys.partnerCState(state),
    entity: 'partnerc_state',
    ...held,
    expires_at_s: Math.floor(now.getTime() / 1000) + STATE_S,
  });

/**
 * Takes a state, which works once, and for the session or the browser that went alone: others do not use it
 * up. `elsewhere` where it is to be had, but by another session; undefined for one that is unknown, over,
 * taken, or another browser's.
 */
export const takeState = async (
  store: Store,
  state: string,
  { userId, sid, browser }: Returning,
  now: Date,
): Promise<PartnerCState | 'elsewhere' | undefined> => {
  const nowS = Math.floor(now.getTime() / 1000);
  // What a state does not have is equal to nothing.
  const owners = { ':user': userId ?? '', ':sid': sid ?? '', ':browser': browser ?? '' };
  try {
    return await store.update(
      keys.partnerCState(state),
      {
        update: 'SET taken_at = :now',
        condition:
          'attribute_not_exists(taken_at) AND expires_at_s > :nowS AND ((user_id = :user AND sid = :sid) OR browser = :browser)',
        values: { ':now': now.getTime(), ':nowS': nowS, ...owners },
      },
      stateSchema,
    );
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    const held = takenSchema.safeParse(error.item).data;
    const isOpen = held && held.taken_at === undefined && held.expires_at_s > nowS;
    return isOpen && held.user_id !== undefined ? 'elsewhere' : undefined;
  }
};

/** Gives a state back whose code could not be exchanged because partner C did not answer. */
export const giveStateBack = async (store: Store, state: string): Promise<void> => {
  await store.update(
    keys.partnerCState(state),
    { update: 'REMOVE taken_at', condition: 'attribute_exists(pk)' },
    stateSchema,
  );
};
