import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { suspendedBroker, takenAccount, unapprovedBroker, usedToken } from '../../../shared/api/refusals.ts';
import { linkTo, type VerifiedAccount } from '../../../shared/auth/partner-accounts.ts';
import { hashPassword, isOutdated, verifyPassword } from '../../../shared/auth/passwords.ts';
import { newSession, presentSession, wrongCredentials } from '../../../shared/callers/open-session.ts';
import { signedInWrite } from '../../../shared/callers/sign-in-events.ts';
import { releaseAccountWrites } from '../../../shared/data/brokers/broker-accounts.ts';
import { actingCheck, approvedCheck } from '../../../shared/data/brokers/brokers.ts';
import { returningHold, returnWrite } from '../../../shared/data/switches/switch-changes.ts';
import { type Items, itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { TransactionRefusedError } from '../../../shared/data/table/store.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import type { Credentials } from '../../../shared/data/users/credentials.ts';
import { openSessionWith, type SessionToOpen } from '../../../shared/data/users/sessions.ts';
import { asUser, findUser, NO_USER, type User, unlessLeaving } from '../../../shared/data/users/users.ts';
import { returnWrites } from '../../../shared/lifecycle/throw-switch.ts';
import type { UserCustomOut } from '../../../shared/records/user.ts';
import { accountWrites } from './partner-account.ts';
import { type Attempt, tooManyAttempts } from './sign-in-budgets.ts';

/** Refuses when a budget was used up after it was read. */
const SOON_MS = 1000;

interface Entering {
  readonly password: string;
  /** Limits the sign-in to users of the broker of this sub-domain. */
  readonly linkedTo?: string;
  /** Account at a broker to link to the user together with the session. */
  readonly account?: VerifiedAccount | undefined;
}

const changedSwitch = () =>
  new HubError('changed_meanwhile', 'The kill switch changed at the same time. Sign in again.');

/** A user, and the writes of the kill switch if an account is to be linked. */
interface Found {
  readonly user: User;
  readonly returns: readonly Write[];
}

/** Writes of a sign-in, each with the error that its refusal means. */
type Guarded = readonly { readonly write: Write; readonly refusal: () => Error }[];

/** Links an account of a broker to the user. */
const linkWrites = ({ user, returns }: Found, account: VerifiedAccount): Guarded => {
  const refusals = { partner_token_used: usedToken, account_taken: takenAccount };
  return [
    ...accountWrites(account, user.user_id).map(({ write, failure }) => ({
      write,
      refusal: refusals[failure],
    })),
    { write: approvedCheck(account.subdomain), refusal: unapprovedBroker },
    { write: actingCheck(account.subdomain), refusal: suspendedBroker },
    ...returns.map((write) => ({ write, refusal: changedSwitch })),
    ...releaseAccountWrites(user, account.subdomain, account).map((write) => ({
      write,
      refusal: wrongCredentials,
    })),
  ];
};

/** Opens the session for a right password and links the account in one transaction. */
const enter = async (
  call: Call,
  found: Found,
  opened: SessionToOpen,
  attempt: Attempt,
  { password, linkedTo, account }: Entering,
): Promise<User> => {
  const { user } = found;
  const { password_hash: hash, password_version: passwordVersion } = attempt.credentials;
  const outdated = hash !== undefined && passwordVersion !== undefined && isOutdated(hash, call);
  const rehashed = outdated ? await hashPassword(password, call) : undefined;
  const tooMany = () => tooManyAttempts(call, call.now.getTime() + SOON_MS);
  const guarded: Guarded = [
    ...(account ? linkWrites(found, account) : []),
    ...attempt.right(rehashed).map((write) => ({ write, refusal: tooMany })),
    { write: signedInWrite(call, user), refusal: tooMany },
  ];
  const entered = await openSessionWith(call.store, user, opened, {
    terms: { linkedTo, passwordVersion },
    extraWrites: guarded.map(({ write }) => write),
    ...(account && {
      linked: { subdomain: account.subdomain, link: linkTo(account, user.password_version, call.now) },
    }),
  });
  if ('user' in entered) return entered.user;
  const { refused } = entered;
  const { refusal } = guarded.find(({ write }) => refused.includes(write)) ?? { refusal: wrongCredentials };
  throw refusal();
};

/** Counts a wrong password and answers. @throws HubError credentials_invalid, too_many_attempts */
export const refusePassword = async (call: Call, { wrong }: Attempt): Promise<never> => {
  try {
    await call.store.transact(wrong);
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
    throw tooManyAttempts(call, call.now.getTime() + SOON_MS);
  }
  throw wrongCredentials();
};

const isLinked = (user: User, subdomain: string | undefined): boolean =>
  subdomain === undefined || Object.hasOwn(user.brokers, subdomain.toLowerCase());

/** Returns the writes with which a link brings a hold of the broker back. @param items read at the key of the switch */
const returnsOf = async (call: Call, user: User, broker_id: number, items: Items): Promise<Write[]> => {
  const { user_id } = user;
  if (returningHold(items, user_id, broker_id)) {
    return returnWrites(call, { user, broker_id }, items, call.now);
  }
  const write = returnWrite(items, user_id, broker_id);
  return write ? [write] : [];
};

/** Reads the user; with an account to link, also the kill switch. */
const findToEnter = async (
  call: Call,
  userId: string,
  account: VerifiedAccount | undefined,
): Promise<Found | undefined> => {
  const { store } = call;
  if (!account) {
    const user = unlessLeaving(await findUser(store, userId));
    return user && { user, returns: [] };
  }
  const items = await store.getMany([keys.user(userId), keys.userSwitch(userId)], { consistent: true });
  const user = unlessLeaving(asUser(itemWith(items, keys.user(userId))));
  return user && { user, returns: await returnsOf(call, user, account.brokerId, items) };
};

/** Reads the user and checks the password in parallel. An unknown e-mail takes the same time. */
const checkPassword = async (
  call: Call,
  { user_id: userId, password_hash: hash }: Credentials,
  { password, account }: Entering,
): Promise<Found | undefined> => {
  const [right, found] = await Promise.all([
    verifyPassword(password, hash, call),
    findToEnter(call, userId ?? NO_USER, account),
  ]);
  return right ? found : undefined;
};

/**
 * Ends an attempt: opens a session when the password is right.
 *
 * @throws HubError credentials_invalid, too_many_attempts; with an account also partner_token_used,
 *   account_taken, broker_unapproved, broker_suspended
 */
export const finishSignIn = async (
  call: Call,
  attempt: Attempt,
  entering: Entering,
): Promise<UserCustomOut> => {
  const found = await checkPassword(call, attempt.credentials, entering);
  if (!found || !isLinked(found.user, entering.linkedTo)) return refusePassword(call, attempt);
  const opened = newSession(call);
  const entered = await enter(call, found, opened, attempt, entering);
  return presentSession(call, entered, { sid: opened.sid, generation: 0, isNewUser: false });
};
