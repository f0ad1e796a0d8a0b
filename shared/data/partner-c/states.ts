import * as z from 'zod';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';

/** Seconds in which an authorization at partner C must be completed. */
export const STATE_S = 600;

const stateSchema = z.object({
  /** PKCE challenge, which is public. The verifier is derived from the state and a key of the service. */
  challenge: z.string(),
  /** The session that started, if any; only it may complete the authorization. */
  user_id: z.string().optional(),
  sid: z.string().optional(),
  /** Without a session: digest of a secret that only the starting browser has. */
  browser: z.string().optional(),
});

const takenSchema = stateSchema.extend({ taken_at: z.number().optional(), expires_at_s: z.number() });

/** The caller that completes an authorization: its session, or the digest of the browser's secret. */
export interface Returning {
  readonly userId?: string | undefined;
  readonly sid?: string | undefined;
  readonly browser?: string | undefined;
}

export type PartnerCState = z.output<typeof stateSchema>;

/** Stores that an authorization at partner C started. */
export const putState = (store: Store, state: string, held: PartnerCState, now: Date): Promise<void> =>
  store.put({
    ...keys.partnerCState(state),
    entity: 'partnerc_state',
    ...held,
    expires_at_s: Math.floor(now.getTime() / 1000) + STATE_S,
  });

/**
 * Takes a state. It works once and only for the session or browser that started; other callers do not use it up.
 *
 * @returns the state; `elsewhere` if it belongs to another session; undefined if it is unknown, expired, taken or
 *   another browser's.
 */
export const takeState = async (
  store: Store,
  state: string,
  { userId, sid, browser }: Returning,
  now: Date,
): Promise<PartnerCState | 'elsewhere' | undefined> => {
  const nowS = Math.floor(now.getTime() / 1000);
  // An empty string never equals a stored owner.
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

/** Releases a state whose code could not be exchanged because partner C did not answer. */
export const giveStateBack = async (store: Store, state: string): Promise<void> => {
  await store.update(
    keys.partnerCState(state),
    { update: 'REMOVE taken_at', condition: 'attribute_exists(pk)' },
    stateSchema,
  );
};
