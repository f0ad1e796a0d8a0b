import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Key, Store } from './store.ts';

const WINDOW_MS = 15 * 60_000;
const MAX_FAILURES = 10;

/**
 * Whose failures are counted together: what an address tries as a client. Not the client alone: its id is
 * no secret, and who knows it could lock it out.
 */
export interface TokenAttempt {
  readonly clientId: string;
  readonly sourceIp: string;
}

const schema = z.object({ failures: z.number() });

const windowOf = (now: Date): number => Math.floor(now.getTime() / WINDOW_MS);
const endOf = (now: Date): number => (windowOf(now) + 1) * WINDOW_MS;

/** The key under which failed attempts of this quarter of an hour are counted. */
export const tokenAttemptsKey = ({ clientId, sourceIp }: TokenAttempt, now: Date): Key => {
  const who = JSON.stringify([clientId.toLowerCase(), sourceIp, windowOf(now)]);
  return {
    pk: `TOKEN_ATTEMPTS#${createHash('sha256').update(who).digest('base64url')}`,
    sk: 'TOKEN_ATTEMPTS',
  };
};

/** Until when (epoch ms) further attempts are refused, by the counter that was read; undefined where they are not. */
export const refusedUntil = (
  counter: Readonly<Record<string, unknown>> | undefined,
  now: Date,
): number | undefined => (counter && schema.parse(counter).failures >= MAX_FAILURES ? endOf(now) : undefined);

/** Counts a failed attempt. */
export const countFailure = async (store: Store, attempt: TokenAttempt, now: Date): Promise<void> => {
  await store.update(
    tokenAttemptsKey(attempt, now),
    {
      update:
        'SET failures = if_not_exists(failures, :none) + :one, expires_at_s = :expiry, entity = :entity',
      values: {
        ':none': 0,
        ':one': 1,
        ':expiry': Math.ceil(endOf(now) / 1000),
        ':entity': 'token_attempts',
      },
    },
    schema,
  );
};
