import type { Call } from '../../../shared/api/call.ts';
import { wrongToken } from '../../../shared/api/refusals.ts';
import { accountOf, type VerifiedAccount } from '../../../shared/auth/partner-accounts.ts';
import { PARTNERS, verifyPartnerToken } from '../../../shared/auth/partner-tokens.ts';
import { claimAccountWrite } from '../../../shared/data/brokers/broker-accounts.ts';
import { useTokenWrite } from '../../../shared/data/brokers/partner-tokens.ts';
import type { Write } from '../../../shared/data/table/writes.ts';

/**
 * Reads the account that a partner token confirms, at the broker that the call names.
 *
 * @throws HubError partner_token_invalid also for a token of another broker, or one without the broker's
 * secret
 */
export const presentedAccount = async (
  call: Call,
  token: string | undefined,
  brokerDomain: string,
): Promise<VerifiedAccount | undefined> => {
  if (token === undefined) return undefined;
  const { HUB_PUBLIC_URL: issuer } = call.settings;
  const asked = { partners: PARTNERS, token };
  const claims = await verifyPartnerToken(await call.keyRing(), issuer, asked, call.now);
  const account = claims && accountOf(claims);
  if (account?.subdomain !== brokerDomain.toLowerCase()) {
    throw wrongToken();
  }
  return account;
};

/** Uses the token and claims its account for a user. Each write carries the error that its refusal means. */
export const accountWrites = (
  account: VerifiedAccount,
  userId: string,
): readonly { readonly write: Write; readonly failure: 'partner_token_used' | 'account_taken' }[] => [
  { write: useTokenWrite(account.tokenId, account.expiresAtS), failure: 'partner_token_used' },
  { write: claimAccountWrite(account, userId), failure: 'account_taken' },
];
