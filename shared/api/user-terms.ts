import type { User } from '../data/users/users.ts';
import { factorsOf, recoveryUntil, steppedUpUntil, stepUpWays } from '../domain/factors.ts';
import { isProven } from '../domain/proven.ts';
import type { Call, PresentedSession } from './call.ts';
import { HubError } from './errors.ts';
import { unprovenEmail } from './refusals.ts';

/**
 * Need of a request for a step-up, which is a proof of who asks, at most ten minutes old:
 * - `always`: needs it, and so a session.
 * - `with_factor`: needs it if the account has a second factor, and of an API key always.
 * - `never`: needs none. All that stops or protects is of this kind.
 */
export type StepUp = 'always' | 'with_factor' | 'never';

/** Terms that the user of a request must meet. */
export interface UserTerms {
  /** True if the e-mail must be proven. */
  readonly needsProof?: boolean;
  readonly stepUp?: StepUp;
  /** True if the request waits for 24 hours after a recovery of the account. */
  readonly waits?: boolean;
}

/** Tells whether terms ask for anything. */
export const hasTerms = ({ needsProof = false, stepUp = 'never', waits = false }: UserTerms): boolean =>
  needsProof || waits || stepUp !== 'never';

/** Refuses a request that needs a step-up, and names the ways of the account. */
export const requiredStepUp = (user: User, session: PresentedSession | undefined, now: Date): HubError => {
  if (session && session.kind !== 'session') {
    return new HubError(
      'step_up_required',
      'This needs a person who proves again who asks, which no program can: sign in and use that session.',
      { facts: { ways: [] } },
    );
  }
  const detail = session
    ? 'Prove again that it is you at /step_up, in one of these ways, then repeat the request within 10 minutes.'
    : 'Sign in, prove again that it is you at /step_up, and repeat the request with the session.';
  return new HubError('step_up_required', detail, { facts: { ways: stepUpWays(user, now) } });
};

const recovering = (until: number, now: Date): HubError =>
  new HubError(
    'recovery_wait',
    'Access to this account was recovered a short time ago. New real deployments, resumes and connections wait; all that stops or closes works.',
    { retryAfterS: (until - now.getTime()) / 1000, facts: { until: new Date(until).toISOString() } },
  );

/**
 * Requires that the user of a request meets its terms.
 *
 * @throws HubError email_unproven, recovery_wait, step_up_required
 */
export const admitUser = (
  user: User,
  session: PresentedSession | undefined,
  { needsProof = false, stepUp = 'never', waits = false }: UserTerms,
  now: Date,
): User => {
  if (needsProof && !isProven(user)) throw unprovenEmail(user);
  const until = waits ? recoveryUntil(user, now) : undefined;
  if (until !== undefined) throw recovering(until, now);
  const isNeeded =
    stepUp === 'always' ||
    (stepUp === 'with_factor' && (factorsOf(user, now) !== undefined || session?.kind === 'api_key'));
  if (!isNeeded) return user;
  const isSteppedUp = session?.kind === 'session' && steppedUpUntil(user, session, now) !== undefined;
  if (!isSteppedUp) throw requiredStepUp(user, session, now);
  return user;
};

/**
 * Requires terms that the declaration of an operation cannot see, such as those of raising a limit.
 *
 * @throws HubError email_unproven, recovery_wait, step_up_required
 */
export const requireUserTerms = async (call: Call, terms: UserTerms): Promise<User> =>
  admitUser(await call.user(), call.session, terms, call.now);
