import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { asBroker } from './brokers.ts';

/** Returns the write that uses a partner token. Its condition fails if it was used before. Expires with the token. */
export const useTokenWrite = (tokenId: string, expiresAtS: number): Write => ({
  put: { ...keys.partnerToken(tokenId), entity: 'partner_token', expires_at_s: expiresAtS },
  if: { condition: 'attribute_not_exists(pk)' },
});

/** Reads whether a partner token was used and whether its broker is suspended, in one call. */
export const findTokenUse = async (
  store: Store,
  tokenId: string,
  subdomain: string | undefined,
): Promise<{ used: boolean; suspended: boolean }> => {
  const wanted = [keys.partnerToken(tokenId), ...(subdomain === undefined ? [] : [keys.broker(subdomain)])];
  const [use, broker] = await store.getMany(wanted, { consistent: true });
  return { used: use !== undefined, suspended: asBroker(broker)?.suspended_at !== undefined };
};
