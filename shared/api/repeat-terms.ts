import * as z from 'zod';
import { findUser } from '../data/users/users.ts';
import { openEnum } from '../domain/open-enum.ts';
import type { Runtime } from '../runtime.ts';
import { holdsSession, invalidSession } from './authenticate.ts';
import type { HeldSession, PresentedSession } from './call.ts';
import { HubError } from './errors.ts';

/** Proofs of a caller, from the weakest. The `user_id` alone makes a platform token, which then proves no more. */
const PROOFS = ['none', 'token', 'session'] as const;

type Proof = (typeof PROOFS)[number];

/** Terms on which a kept answer is repeated for an Idempotency-Key. */
export const repeatTerms = z.object({
  /** Proof of the caller who got the answer. One with less may not have been allowed to call the operation. */
  proof: openEnum(PROOFS, 'session'),
  /** Session in the answer. */
  tied_to: z.object({ user_id: z.string(), sid: z.string() }).optional(),
});

export type RepeatTerms = z.output<typeof repeatTerms>;

const proofOf = (session: PresentedSession | undefined): Proof => {
  if (!session?.signedIn) return 'none';
  return session.kind === 'session' ? 'session' : 'token';
};

/** Returns the terms on which an answer to a caller is repeated. */
export const termsOf = (
  session: PresentedSession | undefined,
  tied: HeldSession | undefined,
): RepeatTerms => ({
  proof: proofOf(session),
  ...(tied && { tied_to: { user_id: tied.userId, sid: tied.sid } }),
});

/** A caller who asks for a kept answer. */
interface Repeating {
  readonly session: PresentedSession | undefined;
  /** True if a platform token may call the operation wherever a session may. */
  readonly isTokenEnough: boolean;
}

/**
 * Checks that a caller meets the terms of a kept answer.
 *
 * @throws HubError session_required, platform_token_insufficient unless a token is enough, session_invalid
 */
export const requireTerms = async (
  { store, clock }: Pick<Runtime, 'store' | 'clock'>,
  { session, isTokenEnough }: Repeating,
  { proof, tied_to: tied }: RepeatTerms,
): Promise<void> => {
  const needed = proof === 'session' && isTokenEnough ? 'token' : proof;
  if (PROOFS.indexOf(proofOf(session)) < PROOFS.indexOf(needed)) {
    if (!session || isTokenEnough)
      throw new HubError('session_required', 'The answer was to a session. Sign in.');
    throw new HubError(
      'platform_token_insufficient',
      'The answer was to a session, which proves more than this platform token. Sign in and use that session.',
    );
  }
  if (tied && !holdsSession(await findUser(store, tied.user_id), tied.sid, clock())) throw invalidSession();
};
