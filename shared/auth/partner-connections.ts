import * as z from 'zod';
import type { Grant } from '../channels/partner-oauth.ts';
import type { Connection, ConnectionLink } from '../data/partner-c/connections.ts';
import type { Runtime } from '../runtime.ts';
import { createCipher } from './cipher.ts';

/** Lifetime if partner C does not send one, which is optional (RFC 6749, section 5.1). */
const USUAL_LIFE_S = 3600;
const MAX_LIFE_S = 365 * 24 * 3600;
/** Renew tokens this long before they expire, so that there is time for retries. */
const MARGIN_S = 600;
/** Time that a new connection waits for a user to claim it. */
const UNCLAIMED_MS = 3_600_000;

const grantSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
});

/** Binds tokens to their connection, so that they cannot be moved to another one in the table. */
const contextOf = (connectionId: string) => ({ purpose: 'partnerc', connection: connectionId });

/** Decrypts the tokens of a connection; undefined if it has none. */
export const openGrant = async (
  runtime: Runtime,
  { sealed, connection_id: id }: Connection,
): Promise<Grant | undefined> =>
  sealed && grantSchema.parse(JSON.parse(await createCipher(runtime).open(contextOf(id), sealed)));

/** Builds the fields of a connection for new tokens of partner C. */
export const withGrant = async (
  runtime: Runtime,
  connectionId: string,
  grant: Grant,
  now: Date,
): Promise<
  Pick<Connection, 'sealed' | 'token_expires_at' | 'renewable' | 'attempts' | 'due_at' | 'status'>
> => {
  const lifeS = Math.min(MAX_LIFE_S, grant.expires_in ?? USUAL_LIFE_S);
  const { access_token, refresh_token } = grant;
  const renewable = refresh_token !== undefined;
  const renewInS = Math.max(lifeS / 2, lifeS - MARGIN_S);
  return {
    status: 'connected',
    sealed: await createCipher(runtime).seal(
      contextOf(connectionId),
      JSON.stringify({ access_token, refresh_token }),
    ),
    token_expires_at: new Date(now.getTime() + lifeS * 1000).toISOString(),
    renewable,
    attempts: 0,
    due_at: renewable ? Math.floor(now.getTime() + renewInS * 1000) : undefined,
  };
};

/** Returns the granted scopes. Partner C may omit them if they equal the requested ones. */
export const scopesOf = ({ scope }: Grant, asked: string): string[] =>
  (scope ?? asked).split(' ').filter((name) => name !== '');

/** Returns the time at which an unclaimed connection is ended, in epoch milliseconds. */
export const unclaimedUntil = (now: Date): number => now.getTime() + UNCLAIMED_MS;

/** Builds the entry of a connection in the broker list of its user. */
export const connectionLink = ({ capability }: Pick<Runtime, 'capability'>): ConnectionLink => {
  const { HUB_PARTNERC_BROKER_ID: broker_id, HUB_PARTNERC_NAME: name } = capability('partnerc');
  return { key: '@partnerc', broker_id, name };
};
