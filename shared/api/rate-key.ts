import * as z from 'zod';
import { claimedKeyOf } from '../auth/api-keys.ts';
import type { PresentedSession } from './call.ts';
import { truncatedAddress } from './caller-network.ts';
import type { Operation, Presented } from './operation.ts';
import type { RateKey } from './rate-limiter.ts';

interface RateRequest {
  readonly presented: Presented;
  readonly session: PresentedSession | undefined;
  /** Context of the authorizer. */
  readonly authorized: unknown;
  readonly sourceIp: string;
}

const integrator = z.object({ broker: z.string() });

type Claim = Pick<RateKey, 'claimed' | 'counted'>;

/** Counts an API key by its id, as the access tokens of an assistant are keys of one id. */
const claimOfKey = (text: string): Claim | undefined => {
  const key = claimedKeyOf(text);
  return key && { claimed: `key ${text}`, counted: `key ${key.userId} ${key.keyId}` };
};

/** Returns the credential of a request that has no session. */
const claimOf = ({ caller, credential }: Operation, presented: Presented): Claim => {
  const { user_id: userId, keygen } = presented.query;
  if (caller === 'user') return { claimed: userId && `user ${userId}` };
  if (caller === 'deploy_key') return { claimed: keygen && `keygen ${keygen}` };
  const secret = credential?.(presented);
  return (secret && claimOfKey(secret)) || { claimed: secret && `secret ${secret}` };
};

/** Returns the key for the rate limits: user, broker, or credential, and the network as in the log. */
export const rateKeyOf = (operation: Operation, request: RateRequest): RateKey => {
  const { presented, session, authorized, sourceIp } = request;
  const network = truncatedAddress(sourceIp) ?? 'unknown';
  // Only the record of the user tells whether a key is valid.
  if (session?.kind === 'api_key') return { ...claimOfKey(session.accessToken), network };
  // A holder of the user_id, who can also make a platform token, must not use up the quota of the session.
  if (session?.signedIn) return { verified: `session ${session.userId}`, network };
  if (session) return { claimed: `user ${session.userId}`, network };
  const broker =
    operation.caller === 'integrator' ? integrator.safeParse(authorized).data?.broker : undefined;
  if (broker !== undefined) return { verified: `broker ${broker}`, network };
  return { ...claimOf(operation, presented), network };
};
