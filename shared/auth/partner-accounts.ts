import type { BrokerAccount } from '../data/brokers/broker-accounts.ts';
import type { BrokerLink } from '../data/users/users.ts';
import type { PartnerClaims } from './partner-tokens.ts';

/** An account at a broker, by the word of the broker itself. */
export interface VerifiedAccount extends BrokerAccount {
  readonly brokerId: number;
  readonly brokerName: string;
  readonly tokenId: string;
  readonly expiresAtS: number;
}

/**
 * The account that a token vouches for; undefined for a token that was made without the broker's secret or
 * that names no account.
 */
export const accountOf = ({
  verified,
  broker,
  account_id,
  ...claims
}: PartnerClaims): VerifiedAccount | undefined =>
  verified && broker && account_id !== undefined
    ? {
        subdomain: broker.sub_domain,
        brokerId: broker.broker_id,
        brokerName: broker.name,
        accountId: account_id,
        serverId: claims.server_id,
        tokenId: claims.jti,
        expiresAtS: claims.exp,
      }
    : undefined;

/** The link of a user to the account: as good for signing in as the present password. */
export const linkTo = (account: VerifiedAccount, passwordVersion: number, now: Date): BrokerLink => ({
  broker_id: account.brokerId,
  name: account.brokerName,
  connected: true,
  account_id: account.accountId,
  server_id: account.serverId,
  connected_at: now.toISOString(),
  sign_in_version: passwordVersion,
});
