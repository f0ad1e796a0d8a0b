import * as z from 'zod';
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

/** Returns the credential of a request that has no session. */
const claimOf = ({ caller, credential }: Operation, presented: Presented): string | undefined => {
  if (caller === 'user') return presented.query.user_id && `user ${presented.query.user_id}`;
  if (caller === 'deploy_key') return presented.query.keygen && `keygen ${presented.query.keygen}`;
  const secret = credential?.(presented);
  return secret && `secret ${secret}`;
};

/** Returns the key for the rate limits: user, broker, or credential, and the network as in the log. */
export const rateKeyOf = (operation: Operation, request: RateRequest): RateKey => {
  const { presented, session, authorized, sourceIp } = request;
  const network = truncatedAddress(sourceIp) ?? 'unknown';
  // Only the record of the user tells whether a key is valid.
  if (session?.kind === 'api_key') return { claimed: `key ${session.accessToken}`, network };
  // A holder of the user_id, who can also make a platform token, must not use up the quota of the session.
  if (session?.signedIn) return { verified: `session ${session.userId}`, network };
  if (session) return { claimed: `user ${session.userId}`, network };
  const broker =
    operation.caller === 'integrator' ? integrator.safeParse(authorized).data?.broker : undefined;
  if (broker !== undefined) return { verified: `broker ${broker}`, network };
  return { claimed: claimOf(operation, presented), network };
};
