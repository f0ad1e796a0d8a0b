import * as z from 'zod';
import { optionalSession } from '../../shared/api/authenticate.ts';
import type { Call, PresentedSession } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { describeError } from '../../shared/api/redact.ts';
import { upstreamFailed } from '../../shared/api/refusals.ts';
import { fingerprint } from '../../shared/auth/key-ring.ts';
import {
  connectionLink,
  scopesOf,
  unclaimedUntil,
  withGrant,
} from '../../shared/auth/partner-connections.ts';
import { originOf } from '../../shared/callers/origin.ts';
import {
  ConsentRefusedError,
  ConsentUnusableError,
  endGrant,
  exchangeCode,
  type Grant,
  GrantRefusedError,
} from '../../shared/channels/partner-oauth.ts';
import { UpstreamDownError } from '../../shared/channels/upstream.ts';
import { type Connection, findConnection, putUnclaimed } from '../../shared/data/partner-c/connections.ts';
import { placeConnection } from '../../shared/data/partner-c/placing.ts';
import { giveStateBack, type PartnerCState, takeState } from '../../shared/data/partner-c/states.ts';
import { securityEventWrite } from '../../shared/data/users/security-events.ts';
import type { User } from '../../shared/data/users/users.ts';
import { textId } from '../../shared/ids.ts';
import { knownBrowser, requirePartnerC, resumeJourney } from './common/partner-c.ts';
import { connectionOut, presentConnection } from './records/connection.ts';

/** Hidden from the OpenAPI document: OAuth 2.0 defines the parameters of the redirect. */
const parameter = () => z.string().optional().meta({ 'x-extension': true });

const query = z.object({
  code: parameter(),
  state: parameter(),
  iss: parameter(),
  error: parameter(),
  error_description: parameter(),
  error_uri: parameter(),
});

type Query = z.output<typeof query>;

const wrongState = (): HubError =>
  new HubError('state_invalid', 'The state is unknown, expired or used. Start again with /partnerc_access.');

/** OAuth errors that mean trouble of the authorization server. */
const TROUBLE = new Set(['server_error', 'temporarily_unavailable']);

const refusalOf = (error: unknown): unknown => {
  if (error instanceof ConsentRefusedError) {
    if (TROUBLE.has(error.reason)) return upstreamFailed(new UpstreamDownError('partner C', error.reason));
    return new HubError('consent_denied', 'Partner C gave no access. Start again with /partnerc_access.');
  }
  if (error instanceof ConsentUnusableError) return wrongState();
  if (error instanceof GrantRefusedError) {
    return new HubError(
      'authorization_code_invalid',
      'Partner C no longer accepts this code. Start again with /partnerc_access.',
    );
  }
  return error instanceof UpstreamDownError ? upstreamFailed(error) : error;
};

const exchange = async (call: Call, asked: Query, state: string, held: PartnerCState): Promise<Grant> => {
  const journey = await resumeJourney(call, state, held.challenge);
  if (!journey) throw wrongState();
  const answer = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) answer.set(name, value);
  try {
    return await exchangeCode(await requirePartnerC(call), answer, journey);
  } catch (error) {
    const refusal = refusalOf(error);
    // The code may or may not be used: opening the same address again tells.
    if (refusal instanceof HubError && refusal.code === 'upstream_failed') {
      await giveStateBack(call.store, state);
    }
    throw refusal;
  }
};

/** Returning caller. */
interface Returning {
  readonly session?: PresentedSession | undefined;
  /** Error of an invalid session. Only journeys that need a session throw it. */
  readonly why?: HubError;
  /** Connection of the session's user. */
  readonly found?: { readonly connection: Connection | undefined } | undefined;
  readonly user?: User | undefined;
}

const whoReturns = async (call: Call): Promise<Returning> => {
  let found: Returning['found'];
  let user: User | undefined;
  try {
    const session = await optionalSession(call, {
      read: async (store, userId) => {
        found = { connection: await findConnection(store, userId) };
      },
      take: (own) => {
        user = own;
      },
    });
    return { session, found, user };
  } catch (error) {
    if (error instanceof HubError && error.code === 'session_invalid') return { why: error };
    throw error;
  }
};

/**
 * Requires that the caller who began the journey also ends it. Otherwise the consent is that of another
 * person.
 */
const takeOwnState = async (
  call: Call,
  state: string,
  { session, why }: Returning,
): Promise<PartnerCState> => {
  const returning = { userId: session?.userId, sid: session?.sid, browser: knownBrowser(call) };
  const held = await takeState(call.store, state, returning, call.now);
  if (held === 'elsewhere') throw why ?? wrongState();
  if (!held) throw wrongState();
  return held;
};

/** Fingerprints the account that consented. Partner C's own ids of people are not kept. */
const accountOf = (call: Call, { subject }: Grant): string | undefined =>
  subject && fingerprint(`${call.capability('partnerc').HUB_PARTNERC_ISSUER} ${subject}`);

const connectionOf = async (call: Call, grant: Grant, userId: string | undefined): Promise<Connection> => {
  const connectionId = textId(call.random);
  const made = await withGrant(call, connectionId, grant, call.now);
  return {
    connection_id: connectionId,
    user_id: userId,
    account: accountOf(call, grant),
    scopes: scopesOf(grant, call.capability('partnerc').HUB_PARTNERC_SCOPE),
    connected_at: call.now.toISOString(),
    ...made,
    ...(userId === undefined && { due_at: unclaimedUntil(call.now) }),
  };
};

/** Revokes tokens that could not be stored, so that none stays valid unseen at partner C. */
const endLostGrant = async (call: Call, grant: Grant): Promise<void> => {
  try {
    await endGrant(await requirePartnerC(call), grant);
  } catch (error) {
    call.log.error('tokens of partner C were left behind', describeError(error));
  }
};

/** Stores a grant as the connection of the returning user, or as one that waits for a user. */
const keep = async (
  call: Call,
  grant: Grant,
  userId: string | undefined,
  { found, user }: Returning,
): Promise<Connection> => {
  try {
    const connection = await connectionOf(call, grant, userId);
    if (userId === undefined) await putUnclaimed(call.store, connection);
    else {
      const next = { ...connection, user_id: userId };
      const event = { kind: 'partner_connected', ...originOf(call), now: call.now } as const;
      const extraWrites = user ? [securityEventWrite(user, event)] : [];
      const place = { link: connectionLink(call), now: call.now, found, extraWrites };
      // The user existed when the session was checked.
      if (!(await placeConnection(call.store, next, place))) throw wrongState();
    }
    return connection;
  } catch (error) {
    await endLostGrant(call, grant);
    throw error;
  }
};

export const partnercAuthCallback = defineOperation({
  method: 'GET',
  path: '/partnerc_auth_callback',
  name: 'partnerc_auth_callback',
  summary: 'Complete the consent of partner C',
  description:
    'Takes the redirect of partner C (`code`, `state` and `iss`, or `error`), exchanges the code for tokens and stores them encrypted. Ends an earlier connection of the user. A state works once, for the session or the browser that started. If partner C does not answer (502), the same address can be opened again.',
  caller: 'anyone',
  cookies: 'any_site',
  input: { query },
  output: connectionOut,
  errors: [
    'state_invalid',
    'consent_denied',
    'authorization_code_invalid',
    'provider_unknown',
    'upstream_failed',
    'changed_meanwhile',
  ],
  table: 'write',
  uses: ['partnerc', 'encryption'],
  handler: async ({ query: asked }, call) => {
    const { state } = asked;
    if (state === undefined) throw wrongState();
    const returning = await whoReturns(call);
    const held = await takeOwnState(call, state, returning);
    const grant = await exchange(call, asked, state, held);
    return presentConnection(await keep(call, grant, held.user_id, returning));
  },
});
