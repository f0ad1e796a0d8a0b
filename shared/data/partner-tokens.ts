import * as z from 'zod';
import { keys } from './keys.ts';
import type { Store, Write } from './store.ts';

/** Uses a partner token; refused where it was used before. It is remembered for as long as it would be valid. */
export const useTokenWrite = (tokenId: string, expiresAtS: number): Write => ({
  put: { ...keys.partnerToken(tokenId), entity: 'partner_token', expires_at_s: expiresAtS },
  if: { condition: 'attribute_not_exists(pk)' },
});

/** Whether a partner token was used. */
export const isTokenUsed = async (store: Store, tokenId: string): Promise<boolean> =>
  (await store.get(keys.partnerToken(tokenId), z.object({}), { consistent: true })) !== undefined;
