import { connectionLink, openGrant, withGrant } from '../../../shared/auth/partner-connections.ts';
import {
  endGrant,
  type Grant,
  GrantRefusedError,
  type PartnerC,
  partnerC,
  renewGrant,
} from '../../../shared/channels/partner-oauth.ts';
import { UpstreamDownError } from '../../../shared/channels/upstream.ts';
import {
  type Connection,
  findDueConnections,
  settleConnection,
  takeConnection,
} from '../../../shared/data/partner-c/connections.ts';
import { keepRenewed, removeConnection } from '../../../shared/data/partner-c/ending.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import { dueJob } from '../due-job.ts';

const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 3_600_000;
/** Failed revocations, about two days, after which partner C is not asked again. */
const MAX_END_ATTEMPTS = 50;

const configured = async (runtime: Runtime): Promise<PartnerC> => {
  const partner = await partnerC(runtime);
  if (!partner) throw new UpstreamDownError('partner C', 'it is not configured any more');
  return partner;
};

const later = (taken: Connection, now: Date): Connection => ({
  ...taken,
  due_at: now.getTime() + Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(taken.attempts, 10)),
});

const end = async (runtime: Runtime, taken: Connection, grant: Grant | undefined): Promise<void> => {
  const link = connectionLink(runtime);
  try {
    if (grant) await endGrant(await configured(runtime), grant);
  } catch (error) {
    if (!(error instanceof UpstreamDownError)) throw error;
    if (taken.attempts < MAX_END_ATTEMPTS) {
      await settleConnection(runtime.store, taken, later(taken, runtime.clock()), link);
      return;
    }
    runtime.log.error('a connection to partner C was removed without telling partner C', {});
  }
  await removeConnection(runtime.store, taken, { link, now: runtime.clock() });
};

const renew = async (runtime: Runtime, taken: Connection, refreshToken: string): Promise<void> => {
  const { store, clock } = runtime;
  const link = connectionLink(runtime);
  try {
    const partner = await configured(runtime);
    const given = await renewGrant(partner, refreshToken);
    // Partner C may keep the same refresh token (RFC 6749, section 6).
    const grant = { ...given, refresh_token: given.refresh_token ?? refreshToken };
    const renewed = await withGrant(runtime, taken.connection_id, grant, clock());
    const next = { ...taken, ...renewed };
    const settled = await settleConnection(store, taken, next, link);
    // Ended or replaced during the renewal.
    if (!settled) await keepRenewed(store, next, clock());
  } catch (error) {
    const now = clock();
    if (error instanceof GrantRefusedError) {
      const expired: Connection = {
        ...taken,
        status: 'expired',
        sealed: undefined,
        renewable: false,
        token_expires_at: now.toISOString(),
        due_at: undefined,
      };
      await settleConnection(store, taken, expired, link);
    } else if (error instanceof UpstreamDownError)
      await settleConnection(store, taken, later(taken, now), link);
    else throw error;
  }
};

const attend = async (runtime: Runtime, found: Connection): Promise<void> => {
  const taken = await takeConnection(runtime.store, found, runtime.clock());
  if (!taken) return;
  const grant = await openGrant(runtime, taken);
  if (taken.status === 'disconnecting' || taken.user_id === undefined) await end(runtime, taken, grant);
  else if (grant?.refresh_token !== undefined) await renew(runtime, taken, grant.refresh_token);
};

/**
 * Renews the tokens of partner C before they expire. Ends connections that no user claimed, and those whose
 * revocation failed before.
 */
export const refreshPartnerTokens = dueJob({
  name: 'refresh-partner-tokens',
  summary: 'Renews tokens of partner C and ends expired connections',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: ['partnerc', 'encryption'],
  find: ({ store, clock }, limit, onDamaged) => findDueConnections(store, clock(), limit, onDamaged),
  attend,
  nameOf: ({ connection_id }) => connection_id,
  // Bounds the time of a run: each call to a hanging upstream waits for its time limit.
  page: 50,
  called: 'connections',
});
