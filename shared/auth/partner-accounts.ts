import type { BrokerAccount } from '../data/brokers/broker-accounts.ts';
import type { BrokerLink } from '../data/users/users.ts';
import type { PartnerClaims } from './partner-tokens.ts';

/** Account at a broker, confirmed by the broker. */
export interface VerifiedAccount extends BrokerAccount {
  readonly brokerId: number;
  readonly brokerName: string;
  readonly tokenId: string;
  readonly expiresAtS: number;
}

/**
 * Returns the account in a token; undefined for a token without an account or one that was requested without the
 * broker's secret.
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

/** Builds the link of a user to an account. It allows signing in until the password changes. */
export const linkTo = (account: VerifiedAccount, passwordVersion: number, now: Date): BrokerLink => ({
  broker_id: account.brokerId,
  name: account.brokerName,
  connected: true,
  account_id: account.accountId,
  server_id: account.serverId,
  connected_at: now.toISOString(),
  sign_in_version: passwordVersion,
});
