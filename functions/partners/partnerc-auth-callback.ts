import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { sessionAlong } from '../../shared/auth/authenticate.ts';
import {
  ConsentRefused,
  ConsentUnusable,
  exchangeCode,
  type Grant,
  GrantRefused,
} from '../../shared/channels/partner-oauth.ts';
import {
  connectionLink,
  scopesOf,
  unclaimedUntil,
  withGrant,
} from '../../shared/channels/partner-oauth-connections.ts';
import { UpstreamDown, upstreamFailed } from '../../shared/channels/upstream.ts';
import { type Connection, putConnection } from '../../shared/data/partner-c-connections.ts';
import { giveStateBack, type PartnerCState, takeState } from '../../shared/data/partner-c-states.ts';
import { textId } from '../../shared/ids.ts';
import { connectionOut, presentConnection } from './connection-record.ts';
import { requirePartnerC, resumeJourney } from './partner-c.ts';

/** Not part of the published interface, which leaves the parameters of the redirect to OAuth 2.0. */
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
  new HubError(
    'state_invalid',
    'This way to partner C was not begun here, is over, or was gone before. Begin anew with /partnerc_access.',
  );

/** Errors of OAuth that are the authorization server's own trouble. */
const TROUBLE = new Set(['server_error', 'temporarily_unavailable']);

const refusalOf = (error: unknown): unknown => {
  if (error instanceof ConsentRefused) {
    if (TROUBLE.has(error.reason)) return upstreamFailed(new UpstreamDown('partner C', error.reason));
    return new HubError(
      'consent_denied',
      'Partner C gave no access. Begin anew with /partnerc_access to ask again.',
    );
  }
  if (error instanceof ConsentUnusable) return wrongState();
  if (error instanceof GrantRefused) {
    return new HubError(
      'authorization_code_invalid',
      'Partner C no longer takes this code. Begin anew with /partnerc_access.',
    );
  }
  return error instanceof UpstreamDown ? upstreamFailed(error) : error;
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
    // Nobody knows whether the code was taken: the same address may be opened again to see.
    if (refusal instanceof HubError && refusal.code === 'upstream_failed') {
      await giveStateBack(call.store, state);
    }
    throw refusal;
  }
};

/** Whoever began the way while signed in must be the one who comes back: else it is somebody else's consent. */
const requireSameSession = async (call: Call, { user_id: userId, sid }: PartnerCState): Promise<void> => {
  if (userId === undefined) return;
  const session = await sessionAlong(call);
  if (session?.userId !== userId || session.sid !== sid) throw wrongState();
};

const connectionOf = async (call: Call, grant: Grant, userId: string | undefined): Promise<Connection> => {
  const connectionId = textId(call.random);
  const made = await withGrant(call, connectionId, grant, call.now);
  return {
    connection_id: connectionId,
    user_id: userId,
    scopes: scopesOf(grant, call.capability('partnerc').HUB_PARTNERC_SCOPE),
    connected_at: call.now.toISOString(),
    ...made,
    ...(userId === undefined && { due_at: unclaimedUntil(call.now) }),
  };
};

export const partnercAuthCallback = defineOperation({
  method: 'GET',
  path: '/partnerc_auth_callback',
  name: 'partnerc_auth_callback',
  summary: 'Come back from the consent of partner C',
  description:
    'Takes the redirect of partner C (`code`, `state` and `iss`, or `error`), exchanges the code for tokens and keeps them sealed. A state works once; when partner C does not answer (502), the same address can be opened again.',
  caller: 'anyone',
  input: { query },
  output: connectionOut,
  errors: [
    'state_invalid',
    'consent_denied',
    'authorization_code_invalid',
    'provider_unknown',
    'upstream_failed',
  ],
  table: 'write',
  uses: ['partnerc', 'encryption'],
  handler: async ({ query: asked }, call) => {
    const { state } = asked;
    const held = state === undefined ? undefined : await takeState(call.store, state, call.now);
    if (state === undefined || !held) throw wrongState();
    await requireSameSession(call, held);
    const grant = await exchange(call, asked, state, held);
    const connection = await connectionOf(call, grant, held.user_id);
    // The user was there a moment ago, when the session was looked at.
    if (!(await putConnection(call.store, connection, connectionLink(call)))) throw wrongState();
    return presentConnection(connection);
  },
});
