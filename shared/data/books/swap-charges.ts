import * as z from 'zod';
import { type SwapTerms, swapTermsSchema } from '../../domain/instruments/rollover.ts';
import type { Item } from '../table/attributes.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Key, Write } from '../table/writes.ts';

/** Returns the key of the item that records a swap charge as booked. */
export const swapChargeKey = (deploymentId: number, chargeId: string): Key => ({
  pk: `SWAP_CHARGES#${deploymentId}`,
  sk: chargeId,
});

/**
 * Returns the write that records a swap charge as booked. Its condition fails if it was booked before.
 *
 * @param terms the rates of the charge, if the service itself charged.
 */
export const swapChargeWrite = (deploymentId: number, chargeId: string, terms?: SwapTerms): Write => ({
  put: { ...swapChargeKey(deploymentId, chargeId), entity: 'swap_charge', ...(terms && { terms }) },
  if: { condition: 'attribute_not_exists(pk)' },
});

const swapChargeSchema = z.object({ terms: swapTermsSchema.optional() });

/** Returns the rates of a charge, if they were stored with it. */
export const swapChargeTerms = (item: Item): SwapTerms | undefined => parseItem(swapChargeSchema, item).terms;
