import * as z from 'zod';
import { asBroker, type Broker } from './brokers.ts';
import { keys } from './keys.ts';
import type { Key, Store, Write } from './store.ts';
import type { BrokerLink, User } from './users.ts';

/** An account that a broker said is its own. */
export interface BrokerAccount {
  readonly subdomain: string;
  readonly accountId: string;
  readonly serverId: number | undefined;
}

const keyOf = ({ subdomain, serverId, accountId }: BrokerAccount): Key =>
  keys.brokerAccount(subdomain, serverId, accountId);

const owner = z.object({ user_id: z.string() });

/** Claims an account for a user; refused where it is another user's. */
export const claimAccountWrite = (account: BrokerAccount, userId: string): Write => ({
  put: { ...keyOf(account), entity: 'broker_account', user_id: userId },
  if: { condition: 'attribute_not_exists(pk) OR user_id = :me', values: { ':me': userId } },
});

const accountOf = (subdomain: string, link: BrokerLink | undefined): BrokerAccount | undefined =>
  link?.account_id === undefined || link.sign_in_version === undefined
    ? undefined
    : { subdomain, accountId: link.account_id, serverId: link.server_id };

/** Lets go of the account that a new one of the same broker takes the place of. */
export const releaseAccountWrites = (user: User, taken: BrokerAccount): Write[] => {
  const held = accountOf(taken.subdomain, user.brokers[taken.subdomain]);
  if (!held || (held.accountId === taken.accountId && held.serverId === taken.serverId)) return [];
  return [
    {
      delete: keyOf(held),
      if: { condition: 'attribute_not_exists(pk) OR user_id = :me', values: { ':me': user.user_id } },
    },
  ];
};

/** Whether the account may sign this user in: linked by the broker's word, with no reset of the password since. */
export const mayEnter = (user: User, { subdomain, accountId, serverId }: BrokerAccount): boolean => {
  const link = user.brokers[subdomain];
  return (
    link?.connected === true &&
    link.account_id === accountId &&
    link.server_id === serverId &&
    link.sign_in_version === user.password_version
  );
};

/** Whose an account is, the broker that it is at, and whether the token that names it was used: in one call. */
export const findEntrance = async (
  store: Store,
  tokenId: string,
  account: BrokerAccount,
): Promise<{ userId: string | undefined; broker: Broker | undefined; used: boolean }> => {
  const wanted = [keyOf(account), keys.partnerToken(tokenId), keys.broker(account.subdomain)];
  const [claim, use, broker] = await store.getMany(wanted, { consistent: true });
  return {
    userId: claim && owner.parse(claim).user_id,
    broker: asBroker(broker),
    used: use !== undefined,
  };
};
