import * as z from 'zod';
import { keys } from './keys.ts';
import { ConditionFailed, type Store } from './store.ts';

/** Seconds in which the way to partner C's consent and back must be gone. */
export const STATE_S = 600;

const stateSchema = z.object({
  /** PKCE's challenge, which is public: the verifier is derived from the state under a key of the service. */
  challenge: z.string(),
  /** The session that went, where there was one: only it may come back. */
  user_id: z.string().optional(),
  sid: z.string().optional(),
});

export type PartnerCState = z.output<typeof stateSchema>;

/** Remembers that somebody went to partner C's consent. */
export const putState = (store: Store, state: string, held: PartnerCState, now: Date): Promise<void> =>
  store.put({
    ...keys.partnerCState(state),
    entity: 'partnerc_state',
    ...held,
    expires_at_s: Math.floor(now.getTime() / 1000) + STATE_S,
  });

/** Takes a state, which works once; undefined for one that is unknown, over or taken. */
export const takeState = async (
  store: Store,
  state: string,
  now: Date,
): Promise<PartnerCState | undefined> => {
  try {
    return await store.update(
      keys.partnerCState(state),
      {
        update: 'SET taken_at = :now',
        condition: 'attribute_exists(pk) AND attribute_not_exists(taken_at) AND expires_at_s > :nowS',
        values: { ':now': now.getTime(), ':nowS': Math.floor(now.getTime() / 1000) },
      },
      stateSchema,
    );
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
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
