import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { linkTo, type VerifiedAccount } from '../../shared/auth/partner-accounts.ts';
import { hashPassword, isOutdated, verifyPassword } from '../../shared/auth/passwords.ts';
import { releaseAccountWrites } from '../../shared/data/broker-accounts.ts';
import { actingCheck, approvedCheck } from '../../shared/data/brokers.ts';
import {
  AttemptsExhausted,
  type Credentials,
  forgetAttemptsWrite,
  takeAttempt,
} from '../../shared/data/credentials.ts';
import { openSession, openSessionWith, type SessionToOpen } from '../../shared/data/sessions.ts';
import type { Write } from '../../shared/data/store.ts';
import { findUser, type User } from '../../shared/data/users.ts';
import { suspendedBroker } from '../partners/refusals.ts';
import { accountWrites, takenAccount, unapprovedBroker, usedPartnerToken } from './partner-account.ts';
import { newSession, presentSession, wrongCredentials } from './session.ts';
import type { UserCustomOut } from './user-out.ts';

export interface Attempt {
  readonly credentials: Credentials;
  readonly forget: boolean;
}

/** What can be the domain of a broker: nobody is linked to anything else. */
const DOMAIN = /^[^\s]{1,253}$/;

/** Takes one of the attempts at an e-mail. @throws HubError too_many_attempts */
export const attemptSignIn = async (call: Call, email: string): Promise<Attempt> => {
  try {
    return await takeAttempt(call.store, email, call.now);
  } catch (error) {
    if (!(error instanceof AttemptsExhausted)) throw error;
    throw new HubError(
      'too_many_attempts',
      'Too many attempts to sign in with this e-mail. Try again later.',
      {
        retryAfterS: (error.until - call.now.getTime()) / 1000,
      },
    );
  }
};

interface Entering {
  readonly email: string;
  readonly password: string;
  /** Only for users who are linked to the broker of this sub-domain. */
  readonly linkedTo?: string;
  /** An account at a broker that is linked to the user with the session. */
  readonly account?: VerifiedAccount;
}

/** Links an account and opens a session with it, all or nothing. */
const enterWithAccount = async (
  call: Call,
  userId: string,
  opened: SessionToOpen,
  { account, passwordVersion, forgetting }: AccountTerms,
): Promise<User | undefined> => {
  const user = await findUser(call.store, userId);
  if (!user) return undefined;
  const vouched = accountWrites(account, userId);
  const along = [
    ...vouched.map(([write]) => write),
    approvedCheck(account.subdomain),
    actingCheck(account.subdomain),
    ...releaseAccountWrites(user, account.subdomain, account),
    ...forgetting,
  ];
  const linked = { subdomain: account.subdomain, link: linkTo(account, user.password_version, call.now) };
  const entered = await openSessionWith(call.store, user, opened, {
    terms: { passwordVersion },
    along,
    linked,
  });
  if ('user' in entered) return entered.user;
  const [refused] = entered.refused;
  const why = refused === undefined ? undefined : vouched[refused]?.[1];
  if (why === 'partner_token_used') throw usedPartnerToken();
  if (why === 'account_taken') throw takenAccount();
  if (refused === vouched.length) throw unapprovedBroker();
  if (refused === vouched.length + 1) throw suspendedBroker();
  return undefined;
};

interface AccountTerms {
  readonly account: VerifiedAccount;
  readonly passwordVersion: number | undefined;
  readonly forgetting: readonly Write[];
}

/**
 * Ends an attempt: opens a session when the password is right.
 *
 * @throws HubError credentials_invalid; with an account also partner_token_used, account_taken, broker_unapproved,
 *   broker_suspended
 */
export const finishSignIn = async (
  call: Call,
  { credentials, forget }: Attempt,
  { email, password, linkedTo, account }: Entering,
): Promise<UserCustomOut> => {
  const { user_id: userId, password_hash: hash, password_version: passwordVersion } = credentials;
  const right = await verifyPassword(password, hash);
  if (linkedTo !== undefined && !DOMAIN.test(linkedTo)) throw wrongCredentials();
  if (!right || userId === undefined || hash === undefined) throw wrongCredentials();

  const rehashed = isOutdated(hash)
    ? { from: hash, to: await hashPassword(password, call.random) }
    : undefined;
  const forgetting = forget ? [forgetAttemptsWrite(email, rehashed)] : [];
  const opened = newSession(call);
  const presented = { sid: opened.sid, generation: 0, isNewUser: false };
  if (account) {
    const user = await enterWithAccount(call, userId, opened, { account, passwordVersion, forgetting });
    if (!user) throw wrongCredentials();
    return presentSession(call, user, presented);
  }
  const entered = await openSession(call.store, userId, opened, { linkedTo, passwordVersion }, forgetting);
  if (!entered) throw wrongCredentials();
  if (!entered.written && forgetting.length > 0) await call.store.transact(forgetting);
  return presentSession(call, entered.user, presented);
};
