import * as z from 'zod';
import { own } from '../../domain/unknown-fields.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';
import type { BrokerLink, User } from '../users/users.ts';
import { asBroker, type Broker } from './brokers.ts';

/** An account that a broker vouches for. */
export interface BrokerAccount {
  readonly subdomain: string;
  readonly accountId: string;
  readonly serverId: number | undefined;
}

const keyOf = ({ subdomain, serverId, accountId }: BrokerAccount): Key =>
  keys.brokerAccount(subdomain, serverId, accountId);

const owner = z.object({ user_id: z.string() });

/** Returns the write that claims an account for a user. Its condition fails if another user has it. */
export const claimAccountWrite = (account: BrokerAccount, userId: string): Write => ({
  key: keyOf(account),
  set: { entity: 'broker_account', user_id: userId },
  if: { condition: 'attribute_not_exists(pk) OR user_id = :me', values: { ':me': userId } },
});

const accountOf = (subdomain: string, link: BrokerLink | undefined): BrokerAccount | undefined =>
  link?.account_id === undefined || link.sign_in_version === undefined
    ? undefined
    : { subdomain, accountId: link.account_id, serverId: link.server_id };

/** Returns the write that releases a user's account at a broker; empty if it is the account that is claimed now. */
export const releaseAccountWrites = (user: User, subdomain: string, taken?: BrokerAccount): Write[] => {
  const held = accountOf(subdomain, own(user.brokers, subdomain));
  if (!held || (held.accountId === taken?.accountId && held.serverId === taken.serverId)) return [];
  return [
    {
      delete: keyOf(held),
      if: { condition: 'attribute_not_exists(pk) OR user_id = :me', values: { ':me': user.user_id } },
    },
  ];
};

/**
 * Returns whether a broker may read a user: the owner confirmed the link, or somebody trusted vouched for it and there was
 * no password reset since.
 */
export const isLinkedTo = (user: User, subdomain: string): boolean => {
  const link = own(user.brokers, subdomain);
  if (!link?.connected || link.pending) return false;
  return link.confirmed_at !== undefined || (link.sign_in_version ?? 0) === user.password_version;
};

/** Returns whether an account may sign a user in: the broker vouched for it, and no password reset since. */
export const mayEnter = (user: User, { subdomain, accountId, serverId }: BrokerAccount): boolean => {
  const link = own(user.brokers, subdomain);
  return (
    link?.connected === true &&
    link.account_id === accountId &&
    link.server_id === serverId &&
    link.sign_in_version === user.password_version
  );
};

/**
 * Seconds in which a broker without an operator's approval may sign in users who registered with its token. Enough to
 * try an integration, without lasting power over an account.
 */
const TRIAL_S = 24 * 3600;

/** Returns whether a user registered with the broker's token so recently that an unapproved broker may sign them in. */
export const isOnTrial = (user: User, { subdomain }: Pick<BrokerAccount, 'subdomain'>, now: Date): boolean =>
  own(user.brokers, subdomain)?.connected_at === user.created_at &&
  Date.parse(user.created_at) + TRIAL_S * 1000 > now.getTime();

/** Reads an account's user, its broker and approval, and whether the naming token was used, in one call. */
export const findEntrance = async (
  store: Store,
  tokenId: string,
  account: BrokerAccount,
): Promise<{ userId: string | undefined; broker: Broker | undefined; approved: boolean; used: boolean }> => {
  const { subdomain } = account;
  const wanted = [
    keyOf(account),
    keys.partnerToken(tokenId),
    keys.broker(subdomain),
    keys.listedBroker(subdomain),
  ];
  const [claim, use, broker, listing] = await store.getMany(wanted, { consistent: true });
  return {
    userId: claim && parseItem(owner, claim).user_id,
    broker: asBroker(broker),
    approved: listing !== undefined,
    used: use !== undefined,
  };
};
