import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { claimedDevice, isKnownDevice } from '../../../shared/callers/known-device.ts';
import { originOf } from '../../../shared/callers/origin.ts';
import {
  type Budget,
  budgetOf,
  isSpent,
  leftCheck,
  refillWrite,
  spendWrite,
} from '../../../shared/data/table/budgets.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys, normaliseEmail } from '../../../shared/data/table/keys.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import {
  asCredentials,
  type Credentials,
  forgetAttemptsWrite,
  lockedUntil,
  rehashWrite,
  wrongPasswordWrite,
} from '../../../shared/data/users/credentials.ts';
import { securityEventWrite } from '../../../shared/data/users/security-events.ts';
import { NO_USER } from '../../../shared/data/users/users.ts';

/**
 * Describes an attempt to sign in. Its outcome is written before the answer, on the condition that a budget
 * is left. Parallel guesses therefore count, and no answer past the budget reveals whether the password is
 * right.
 */
export interface Attempt {
  readonly email: string;
  readonly credentials: Credentials;
  /** Writes for a wrong password. */
  readonly wrong: readonly Write[];
  /** Write for a right password that sets another one: checks the budget. */
  readonly budget: Write;
  /**
   * Writes for a right password, with a new hash if the old one is outdated; or the error that refuses it.
   */
  readonly right: (rehashed: string | undefined) => readonly Write[];
}

/** Refuses past a used-up budget. `until` is in epoch milliseconds. */
export const tooManyAttempts = ({ now }: Call, until: number): HubError =>
  new HubError(
    'too_many_attempts',
    'Too many wrong passwords for this e-mail or from this address. Try again later, or reset the password.',
    { retryAfterS: (until - now.getTime()) / 1000 },
  );

/** Returns the write that counts a failed sign-in for the owner. An unknown e-mail costs the same. */
const failedWrite = (call: Call, email: string, { user_id }: Credentials): Write =>
  securityEventWrite(user_id === undefined ? { unknown_email: email } : { user_id }, {
    kind: 'sign_in_failed',
    ...originOf(call),
    now: call.now,
  });

/** Names the user of a right password. No password is right for an e-mail without one. */
const ownedBy = (email: string, { user_id = NO_USER }: Credentials) => ({ email, user_id });

/** Gives a known device or a session a budget of its own, which strangers cannot use up. */
const fromKnownDevice = (call: Call, email: string, credentials: Credentials, own: Budget): Attempt => ({
  email,
  credentials,
  wrong: [spendWrite(own), failedWrite(call, email, credentials)],
  budget: refillWrite(own),
  right: (rehashed) => [
    refillWrite(own),
    ...(rehashed === undefined ? [] : [rehashWrite(ownedBy(email, credentials), rehashed)]),
  ],
});

const fromElsewhere = (call: Call, email: string, credentials: Credentials, network: Budget): Attempt => ({
  email,
  credentials,
  wrong: [
    wrongPasswordWrite(email, credentials, call.now),
    spendWrite(network),
    failedWrite(call, email, credentials),
  ],
  budget: leftCheck(network),
  // A right password does not refill the budget of the network: an attacker can have an account, too.
  right: (rehashed) => [
    leftCheck(network),
    forgetAttemptsWrite(ownedBy(email, credentials), call.now, rehashed),
  ],
});

interface Options {
  /** True if an unknown e-mail may continue: wrong passwords, of it or of its network, must not block a registration. */
  readonly registers?: boolean;
  /**
   * User of the session that asks, whose e-mail this is. All sessions of a user share a budget, as a known device has one:
   * strangers lock no step-up, and who can open many sessions has no more guesses.
   */
  readonly heldBy?: string;
}

/**
 * Reads the credentials of an e-mail and the budgets of the caller: five wrong passwords in 15 minutes per
 * e-mail and 50 per network, or five of its own for a known device, or for the sessions of the user. An unknown e-mail costs the same call.
 *
 * @throws HubError too_many_attempts
 */
export const attemptSignIn = async (
  call: Call,
  email: string,
  { registers = false, heldBy }: Options = {},
): Promise<Attempt> => {
  const { store, now } = call;
  const ring = await call.keyRing();
  const place = heldBy ?? claimedDevice(call);
  const network = budgetOf(ring, 'sign_in_network', [call.network], now);
  const own =
    place === undefined ? undefined : budgetOf(ring, 'sign_in_device', [place, normaliseEmail(email)], now);
  const wanted = [keys.credentials(email), network.key, ...(own ? [own.key] : [])];
  const items = await store.getMany(wanted, { consistent: true });
  const credentials = asCredentials(itemWith(items, keys.credentials(email)));

  const { password_version: passwordVersion = 0 } = credentials;
  if (own && (heldBy !== undefined || (await isKnownDevice(call, { email, passwordVersion })))) {
    if (isSpent(itemWith(items, own.key), own)) throw tooManyAttempts(call, own.endsAt);
    return fromKnownDevice(call, email, credentials, own);
  }
  const attempt = fromElsewhere(call, email, credentials, network);
  if (registers && credentials.user_id === undefined) return attempt;
  if (isSpent(itemWith(items, network.key), network)) throw tooManyAttempts(call, network.endsAt);
  const until = lockedUntil(credentials, now);
  if (until !== undefined) throw tooManyAttempts(call, until);
  return attempt;
};
