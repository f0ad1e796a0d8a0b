import type { Call } from '../../../shared/api/call.ts';
import {
  suspendedBroker,
  unapprovedBroker,
  unlinkedAccount,
  usedToken,
  wrongToken,
} from '../../../shared/api/refusals.ts';
import { accountOf } from '../../../shared/auth/partner-accounts.ts';
import { type Partner, type PartnerClaims, verifyPartnerToken } from '../../../shared/auth/partner-tokens.ts';
import { newSession, presentSession } from '../../../shared/callers/open-session.ts';
import { signedInWrite } from '../../../shared/callers/sign-in-events.ts';
import { findEntrance, isOnTrial, mayEnter } from '../../../shared/data/brokers/broker-accounts.ts';
import type { Broker } from '../../../shared/data/brokers/brokers.ts';
import { useTokenWrite } from '../../../shared/data/brokers/partner-tokens.ts';
import { openSessionWith } from '../../../shared/data/users/sessions.ts';
import { findUser, unlessLeaving } from '../../../shared/data/users/users.ts';
import type { UserCustomOut } from '../../../shared/records/user.ts';

/** Reads the claims of a partner token. @throws HubError partner_token_invalid */
export const readToken = async (call: Call, partner: Partner, token: string): Promise<PartnerClaims> => {
  const { HUB_PUBLIC_URL: issuer } = call.settings;
  const claims = await verifyPartnerToken(
    await call.keyRing(),
    issuer,
    { partners: [partner], token },
    call.now,
  );
  if (!claims) throw wrongToken();
  return claims;
};

/**
 * Uses a token to sign in the user whom its account is linked to. The token is spent only together with a
 * session: without a linked user, it can still link one. A broker without an operator's approval signs in
 * only users who registered with its token, for a day and without a refresh token.
 *
 * @param isNamed whether the token's broker is the one that the call names.
 * @throws HubError partner_token_invalid, partner_token_used, partner_account_unlinked, broker_suspended,
 * broker_unapproved
 */
export const enter = async (
  call: Call,
  claims: PartnerClaims,
  isNamed: (broker: Broker) => boolean = () => true,
): Promise<{ broker: Broker; session: UserCustomOut }> => {
  const account = accountOf(claims);
  if (!account) throw wrongToken();
  const { userId, broker, approved, used } = await findEntrance(call.store, account.tokenId, account);
  if (!broker || !isNamed(broker)) throw wrongToken();
  if (broker.suspended_at !== undefined) throw suspendedBroker();
  if (used) throw usedToken();
  const user = userId === undefined ? undefined : unlessLeaving(await findUser(call.store, userId));
  if (!user || !mayEnter(user, account)) throw unlinkedAccount();
  if (!approved && !isOnTrial(user, account, call.now)) throw unapprovedBroker();
  const opened = newSession(call, { renewable: approved });
  const entered = await openSessionWith(call.store, user, opened, {
    terms: { linkedTo: account.subdomain, passwordVersion: user.password_version },
    extraWrites: [useTokenWrite(account.tokenId, account.expiresAtS), signedInWrite(call, user)],
  });
  if ('refused' in entered) throw entered.refused.length > 0 ? usedToken() : unlinkedAccount();
  call.showOnce();
  const session = await presentSession(call, entered.user, {
    sid: opened.sid,
    generation: 0,
    isNewUser: false,
    renewable: approved,
  });
  return { broker, session };
};
